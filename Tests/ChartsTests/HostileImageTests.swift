import Core
import Foundation
import Pipeline
import Testing

/// Images whose headers declare what no chart is. Each is refused before memory is taken for what it declares.
@Suite("Headers that declare too much")
struct HostileImageTests {
  private let tif = "Made Up SEC.tif"
  private let htm = "Made Up SEC.htm"

  @Test(arguments: [
    (HandmadeTIFF(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), "more than any chart has"),
    (HandmadeTIFF(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF), "no GeoTIFF"),
    (HandmadeTIFF(width: 30_000, height: 30_000), "more than any chart has"),
    (HandmadeTIFF(width: 0, height: 0), "no GeoTIFF"),
    (HandmadeTIFF(width: 100, height: 100, tile: 0x7FFF_FFF0), "in pieces of"),
    (HandmadeTIFF(width: 100, height: 100, tile: 60_000), "in pieces of 60000 x 60000 pixels"),
    (HandmadeTIFF(width: 100, height: 100, tile: 0), "no GeoTIFF"),
    (HandmadeTIFF(width: 100, height: 100, bands: 65_535), "65,535 bands"),
  ])
  func isRefused(image: HandmadeTIFF, problem: String) throws {
    let bench = try ChartBench()
    let fault = try bench.fault(try bench.zip([(htm, bench.sheet.htm()), (tif, image.bytes)]))
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains(problem), "\(fault.reason)")
  }

  @Test("a link in place of the image is read as what it is, and never followed")
  func link() throws {
    let bench = try ChartBench()
    let fault = try bench.fault(
      try bench.zip([(htm, bench.sheet.htm()), (tif, Array("/etc/passwd".utf8))]))
    #expect(fault.reason.contains("no GeoTIFF"))
  }
}

/// The header of a TIFF, and nothing of what it declares.
struct HandmadeTIFF: Sendable {
  var width: UInt32
  var height: UInt32
  /// One strip where there is none.
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
