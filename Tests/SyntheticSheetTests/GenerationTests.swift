import ArchiveIO
import Core
import Foundation
import RasterIO
import SyntheticSheet
import TestSupport
import Testing

struct GenerationTests {
  @Test func `two drawings of one design are the same bytes`() throws {
    let folder = TemporaryFolder()
    let design = try sampleSet().tiny
    let first = try SheetFiles(design, scratch: folder.url)
    let second = try SheetFiles(design, scratch: folder.url)
    #expect(first.tif == second.tif)
    #expect(first.htm == second.htm)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  /// Pixels are compared, not bytes: another zlib or GDAL may pack the same picture differently.
  @Test func `the tiny chart of the samples is what its design draws today`() throws {
    let set = try sampleSet()
    let picture = try SamplePicture(zip: "broken/good/Tiny.zip")
    let drawing = SheetDrawing(set.tiny)
    #expect(picture.pixels == drawing.pixels)
    #expect(picture.dataset.width == drawing.width)
  }

  @Test func `the subscription of the samples holds the rows of today`() throws {
    let folder = TemporaryFolder()
    let set = try sampleSet()
    let fresh = folder.file("fresh.zip")
    try set.subscription.write(to: fresh, scratch: folder.url)
    let kept = samplesFolder.appending(path: "nasr/\(set.subscription.fileName)")
    let inner = "CSV_Data/20_Apr_2023_CSV.zip"
    let outer = try [fresh, kept].map { try members(of: ZipArchive(path: $0.path)) }
    #expect(outer[0].keys == outer[1].keys)
    #expect(outer[0]["README.txt"] == outer[1]["README.txt"])
    func opened(_ zip: [String: [UInt8]], _ name: String) throws -> [String: [UInt8]] {
      try members(of: ZipArchive(bytes: try #require(zip[name])))
    }
    let specialUse = try outer.map { zip in
      let name = "Additional_Data/AIXM/SAA-AIXM_5_Schema/SaaSubscriberFile.zip"
      return try opened(opened(zip, name), "Saa_Sub_File.zip")
    }
    #expect(specialUse[0] == specialUse[1] && specialUse[0].count == 3)
    for part in ["dbf", "prj", "shp", "shx"] {
      let name = "Additional_Data/Shape_Files/Class_Airspace.\(part)"
      #expect(outer[0][name] == outer[1][name] && outer[0][name] != nil)
    }
    let tables = try outer.map { try opened($0, inner) }
    #expect(tables[0] == tables[1])
    #expect(tables[0]["APT_BASE.csv"] != nil)
  }

  @Test func `the subscription says its day and its kind`() throws {
    let set = try sampleSet()
    let kept = samplesFolder.appending(path: "nasr/28DaySubscription_Effective_2023-04-20.zip")
    let readMe = try #require(try members(of: ZipArchive(path: kept.path))["README.txt"])
    let text = String(decoding: readMe, as: UTF8.self)
    #expect(set.cycle.isMajor)
    #expect(text.hasPrefix("AIS subscriber files effective date April 20, 2023.\r\n"))
    #expect(text.contains("The April 20, 2023 cycle is a 56 Day Major Cycle subscriber set."))
  }

  @Test(arguments: [
    ("not-a-zip", false), ("truncated-zip", false), ("escaping-name", false), ("good", true),
    ("truncated-tif", true), ("no-htm", true), ("wrong-cycle", true), ("missing-tif", true),
    ("not-georeferenced", true),
  ])
  func `a broken zip is broken, and a sound zip with broken contents opens`(name: String, opens: Bool) {
    let path = samplesFolder.appending(path: "broken/\(name)/Tiny.zip").path
    if opens {
      #expect(throws: Never.self) { try ZipArchive(path: path) }
    } else {
      #expect(throws: ZipError.self) { try ZipArchive(path: path) }
    }
  }
}
