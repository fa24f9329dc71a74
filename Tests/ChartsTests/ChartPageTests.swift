import Core
import Testing

@testable import ChartpipeKit

@Suite("Chart pages")
struct ChartPageTests {
  @Test func `reads dates and bounds in the FAA's form in any surrounding text`() throws {
    let text = """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
      <html><head><meta name="dc.coverage.x.min" scheme="DD" content="-125.946499"/></head><body>
      <dt><em>Publication_Date:</em>  20220127</dt>
      <dt><em>Range_of_Dates/Times:</em>\u{20}\u{20}
      <dd>
      <dl>
      <dt><em>Title:</em>  San Francisco SEC.tif</dt>
      <dt><em>Title:</em>  Sectional Aeronautical Chart</dt>
      <dt><em>Beginning_Date:</em>  20220127</dt>
      <dt><em>Ending_Date:</em>  20220323</dt>
      <dt><em>West_Bounding_Coordinate:</em>  -125.946499</dt>
      <dt><em>East_Bounding_Coordinate:</em>  -117.633281</dt>
      <dt><em>North_Bounding_Coordinate:</em>  40.639460</dt>
      <dt><em>South_Bounding_Coordinate:</em>  35.857057</dt>
      <dt><em>Beginning_Date:</em>  19990101</dt></body></html>
      """
    let page = try ChartPage(htm: Array(text.utf8) + [0xE9, 0xFF])
    #expect(page.title == "San Francisco SEC.tif")
    #expect(page.dates?.beginning == CalendarDay("2022-01-27"))
    #expect(page.dates?.ending == CalendarDay("2022-03-23"))
    #expect(page.extent == GeoBox(west: -125.946499, south: 35.857057, east: -117.633281, north: 40.63946))
  }

  @Test(
    arguments: [
      ("Ending_Date:</em>  20220323", "Ending_Date:</em>  Unknown", "Ending_Date"),
      ("Beginning_Date:</em>  20220127", "Beginning_Date:</em>  20220230", "Beginning_Date"),
      ("East_Bounding_Coordinate", "Best_Bounding_Coordinate", "East_Bounding_Coordinate"),
      ("-125.9", "west", "West_Bounding_Coordinate"),
    ])
  func `names a missing or invalid field`(whole: String, spoiled: String, field: String) throws {
    let text = """
      <em>Beginning_Date:</em>  20220127<em>Ending_Date:</em>  20220323
      <em>West_Bounding_Coordinate:</em> -125.9 <em>East_Bounding_Coordinate:</em> -117.6
      <em>North_Bounding_Coordinate:</em> 40.6 <em>South_Bounding_Coordinate:</em> 35.8
      """
    _ = try ChartPage(htm: Array(text.utf8))
    let error = #expect(throws: ChartPage.Missing.self) {
      _ = try ChartPage(htm: Array(text.replacing(whole, with: spoiled).utf8))
    }
    #expect(error?.field == field)
  }
}

/// Images whose headers declare impossible sizes. Each is rejected before memory is allocated for it.
@Suite("Oversized headers")
struct HostileImageTests {
  private let tif = "Made Up SEC.tif"
  private let htm = "Made Up SEC.htm"

  @Test(arguments: [
    (HandmadeTIFF(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), "more than any chart has"),
    (HandmadeTIFF(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF), "not a GeoTIFF"),
    (HandmadeTIFF(width: 30_000, height: 30_000), "more than any chart has"),
    (HandmadeTIFF(width: 0, height: 0), "not a GeoTIFF"),
    (HandmadeTIFF(width: 100, height: 100, tile: 0x7FFF_FFF0), "in blocks of"),
    (HandmadeTIFF(width: 100, height: 100, tile: 60_000), "in blocks of 60000 x 60000 pixels"),
    (HandmadeTIFF(width: 100, height: 100, tile: 0), "not a GeoTIFF"),
    (HandmadeTIFF(width: 100, height: 100, bands: 65_535), "65,535 bands"),
  ])
  func `rejects oversized headers`(image: HandmadeTIFF, problem: String) throws {
    let bench = try ChartBench()
    let fault = try bench.userError(try bench.zip([(htm, bench.sheet.htm()), (tif, image.bytes)]))
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains(problem), "\(fault.reason)")
  }

  @Test func `reads a link in place of the image as a text and never follows it`() throws {
    let bench = try ChartBench()
    let fault = try bench.userError(
      try bench.zip([(htm, bench.sheet.htm()), (tif, Array("/etc/passwd".utf8))]))
    #expect(fault.reason.contains("not a GeoTIFF"))
  }
}

/// The header of a TIFF without the data that it declares.
struct HandmadeTIFF: Sendable {
  var width: UInt32
  var height: UInt32
  /// One strip if nil.
  var tile: UInt32?
  var bands: UInt32 = 1

  var bytes: [UInt8] {
    var entries: [(tag: UInt16, value: UInt32)] = [
      (256, width), (257, height), (258, 8), (259, 5), (262, 1), (277, bands),
    ]
    if let tile {
      entries += [(322, tile), (323, tile), (324, 8), (325, 100)]
    } else {
      entries += [(273, 8), (278, height), (279, 100)]
    }
    var bytes: [UInt8] = Array("II".utf8) + little(42, 2) + little(8, 4) + little(UInt32(entries.count), 2)
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      let isLong = ![258, 259, 262, 277].contains(entry.tag)
      bytes +=
        little(UInt32(entry.tag), 2) + little(isLong ? 4 : 3, 2) + little(1, 4) + little(entry.value, 4)
    }
    return bytes + [UInt8](repeating: 0, count: 200)
  }

  private func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
