public import Core
public import Foundation
internal import ZipWriting

/// All generated files below `samples/`.
public struct SampleSet {
  public let cycle: AiracCycle
  public let edition: Edition
  public let features: SheetFeatures
  public let subscription: Subscription

  /// Reads the rows in the folder `samples`, which contain the positions of the airports.
  public init(samples: URL, cycle: AiracCycle) throws {
    self.cycle = cycle
    edition = Edition(of: cycle)
    features = try NASRRows.features(
      in: samples.appending(path: "nasr-rows"), airspace: SheetDesign.sampleAirspace)
    subscription = Subscription(cycle: cycle, samples: samples)
  }

  /// The path of each chart's zip below the folder of samples, and its design.
  public var charts: [(path: String, design: SheetDesign)] {
    [
      ("sectional-files/Sample_West.zip", .sampleWest(edition, features)),
      ("sectional-files/Sample_East.zip", .sampleEast(edition, features)),
      ("tac-files/Sample_Bay_TAC.zip", .sampleBay(edition, features)),
    ]
  }

  public var tiny: SheetDesign { .tiny(edition, features) }

  /// Writes all files. `made` is called for each file.
  public func write(to folder: URL, scratch: URL, made: (String) -> Void) throws {
    for (path, design) in charts {
      let file = try prepared(folder, path)
      try SheetFiles(design, scratch: scratch).writeZip(to: file)
      made(path)
    }
    let nasr = "nasr/" + subscription.fileName
    try subscription.write(to: try prepared(folder, nasr), scratch: scratch)
    made(nasr)
    try BrokenCharts(tiny, scratch: scratch).write(to: folder.appending(path: "broken"))
    made("broken/")
  }

  private func prepared(_ folder: URL, _ path: String) throws -> URL {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return file
  }
}

/// The tiny chart, intact and with one defect at a time, for tests of errors.
public struct BrokenCharts {
  private let design: SheetDesign
  private let scratch: URL
  private let good: SheetFiles

  public init(_ design: SheetDesign, scratch: URL) throws {
    self.design = design
    self.scratch = scratch
    good = try SheetFiles(design, scratch: scratch)
  }

  /// One folder for each case, since all zips have the name that the pipeline searches for.
  public func write(to folder: URL) throws {
    for (name, bytes) in try cases() {
      let place = folder.appending(path: name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try Data(bytes).write(to: place.appending(path: "\(design.name).zip"))
    }
  }

  private func cases() throws -> [(name: String, zip: [UInt8])] {
    let whole = try zipped(good.members)
    return [
      ("good", whole),
      ("not-a-zip", Array(BrokenCharts.errorPage.utf8)),
      ("truncated-zip", Array(whole.prefix(whole.count * 3 / 5))),
      ("escaping-name", try zipped(good.members.map { ("../" + $0.name, $0.bytes) })),
      ("truncated-tif", try zipped(with(tif: Array(good.tif.prefix(good.tif.count / 2))))),
      ("no-htm", try zipped(good.members.filter { !$0.name.hasSuffix(".htm") })),
      ("wrong-cycle", try zipped(with(htm: try previousEdition()))),
      ("missing-tif", try zipped(good.members.filter { !$0.name.hasSuffix(".tif") })),
      ("not-georeferenced", try zipped(try withoutPlace())),
    ]
  }

  private func with(tif: [UInt8]? = nil, htm: [UInt8]? = nil) -> [(name: String, bytes: [UInt8])] {
    [
      (good.stem + ".tif", tif ?? good.tif), (good.stem + ".tfw", good.tfw),
      (good.stem + ".htm", htm ?? good.htm),
    ]
  }

  /// A world file would also place the image, so it is omitted.
  private func withoutPlace() throws -> [(name: String, bytes: [UInt8])] {
    with(tif: try encoded(GeoTIFF.writePlain)).filter { !$0.name.hasSuffix(".tfw") }
  }

  /// The metadata of the previous edition, 56 days older.
  private func previousEdition() throws -> [UInt8] {
    let before = AiracCycle(effective: design.edition.firstDay.adding(days: -56))
    guard let before else { throw CocoaError(.coderInvalidValue) }
    var old = design
    old.edition = Edition(of: before)
    return Array(FGDCMetadata(old).latin1)
  }

  private func encoded(_ write: (SheetDrawing, String) throws -> Void) throws -> [UInt8] {
    let file = scratch.appending(path: design.fileStem + ".tif")
    try write(SheetDrawing(design), file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    return [UInt8](try Data(contentsOf: file))
  }

  private func zipped(_ members: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
    let file = scratch.appending(path: "case.zip")
    var zip = ZipWriter()
    zip.members = members
    try zip.write(to: file.path)
    defer { try? FileManager.default.removeItem(at: file) }
    return [UInt8](try Data(contentsOf: file))
  }

  /// The page that a web server sends with status 200 for a missing file.
  private static let errorPage = """
    <!DOCTYPE html>
    <html><head><title>Page not found</title></head>
    <body><h1>The page you asked for is not here</h1></body></html>

    """
}
