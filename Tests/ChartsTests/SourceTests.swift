import Core
import Foundation
import RasterIO
import RasterWriting
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Accepted and rejected sources")
struct SourceTests {
  private let tif = "Made Up SEC.tif"
  private let htm = "Made Up SEC.htm"

  @Test(arguments: [
    ("charts/MADE UP sec.HTM", "charts/made up SEC.TIF"), ("Made-Up_SEC.htm", "Made-Up_SEC.tif"),
  ])
  func `ignores case, folders, hyphens, underscores and spaces in the zip`(htm: String, tif: String) throws {
    let bench = try ChartBench()
    let zip = try bench.zip([
      (htm, bench.sheet.htm()), (tif, bench.sheet.tif()), ("charts/Other SEC.tif", [1, 2, 3]),
    ])
    #expect(try bench.build(zip).product.build.counts["tiles"] ?? 0 > 0)
  }

  /// Expects that an image, or a zip with other members, is rejected as bad input for a reason with some words.
  @discardableResult private func expectRejected(
    _ bench: ChartBench, tif: [UInt8]? = nil, members: [(name: String, bytes: [UInt8])]? = nil,
    _ words: String
  ) throws -> UserError {
    let zip = try bench.zip(members ?? [(htm, bench.sheet.htm()), (self.tif, tif ?? bench.sheet.tif())])
    let fault = try bench.userError(zip)
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains(words), "\(fault.reason)")
    return fault
  }

  @Test func `rejects two images whose names match equally well and names both`() throws {
    let bench = try ChartBench()
    try expectRejected(
      bench, members: [("Made-Up SEC.tif", [1]), ("Made_Up SEC.tif", [1]), (htm, bench.sheet.htm())],
      "\"Made-Up SEC.tif\", \"Made_Up SEC.tif\"")
  }

  @Test func `a bare tif with its page beside it gives the same tiles as the zip`() throws {
    let bench = try ChartBench()
    let fromZip = try bench.build(try bench.zip())
    _ = try bench.write(bench.sheet.htm(), as: "made up sec.htm")
    let bare = try bench.build(try bench.write(bench.sheet.tif(), as: tif))
    #expect(bare.product.build.counts == fromZip.product.build.counts)
    #expect(bare.product.sources.map(\.url) == [tif, "made up sec.htm"])
  }

  @Test func `rejects a bare tif without its page and suggests a fix`() throws {
    let bench = try ChartBench()
    let fault = try bench.userError(try bench.write(bench.sheet.tif(), as: tif))
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains("\"\(htm)\" is missing beside it"))
    #expect(fault.suggestion?.contains("in the same folder") == true)
  }

  @Test func `rejects a zip without the page`() throws {
    let bench = try ChartBench()
    let fault = try expectRejected(bench, members: [(tif, bench.sheet.tif())], "holds no \"\(htm)\"")
    #expect(fault.path?.hasSuffix("Made_Up.zip") == true)
    #expect(fault.suggestion?.contains(".htm beside it") == true)
  }

  @Test func `rejects a zip without the image and lists its members`() throws {
    let bench = try ChartBench()
    let fault = try expectRejected(
      bench, members: [(htm, bench.sheet.htm()), ("Other SEC.tif", [1])], "holds no \"\(tif)\"")
    #expect(fault.reason.contains("\"Other SEC.tif\""))
  }

  @Test(
    arguments: [
      ("2603", "20260122", "20260318", "2026-03-19 to 2026-05-13"),
      ("2601", "20251127", "20260121", "2026-01-22 to 2026-03-18"),
      ("2601", "20260122", "20260319", "2026-01-22 to 2026-03-18"),
    ])
  func `names both editions`(cycle: String, begins: String, ends: String, needed: String) throws {
    let bench = try ChartBench()
    let zip = try bench.zip([(htm, bench.sheet.htm(begins: begins, ends: ends)), (tif, bench.sheet.tif())])
    let fault = try bench.userError(zip, cycle: cycle)
    #expect(fault.kind == .badInput)
    #expect(fault.path?.contains(htm) == true)
    #expect(fault.reason.contains(needed))
    #expect(fault.reason.contains("cycle \(cycle)"))
  }

  @Test func `rejects the page of another chart and names both`() throws {
    let bench = try ChartBench()
    let page = try bench.sheet.htm(title: "Los Angeles SEC.tif")
    let fault = try bench.userError(try bench.zip([(htm, page), (tif, bench.sheet.tif())]))
    #expect(
      fault.reason == "this is the page of \"Los Angeles SEC.tif\", but the definition's chart is \"\(tif)\"")
    // The FAA writes names in several ways, and a page may have no title.
    for title in ["MADE-UP_SEC", ""] {
      let page = try bench.sheet.htm(title: title)
      _ = try bench.build(bench.zip([(htm, page), (tif, bench.sheet.tif())]))
    }
  }

  @Test func `rejects a page without its dates and names the field`() throws {
    let bench = try ChartBench()
    try expectRejected(
      bench, members: [(htm, Array("<html>nothing</html>".utf8)), (tif, bench.sheet.tif())], "Beginning_Date")
  }

  @Test(arguments: [0.02, 0.3, 0.6, 0.9, 0.99])
  func `rejects a truncated image`(share: Double) throws {
    let bench = try ChartBench()
    let whole = try bench.sheet.tif()
    let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
    let fault = try expectRejected(bench, tif: cut, "damaged")
    #expect(fault.path?.contains(tif) == true)
    #expect(!fault.message.contains("vsimem"))
    #expect(!fault.causes.isEmpty)
  }

  @Test func `rejects an image of two bands`() throws {
    let bench = try ChartBench()
    try expectRejected(
      bench, tif: bench.sheet.tif(bands: 2),
      "not an 8-bit image with a palette, or of red, green and blue (2 bands)")
  }

  @Test func `rejects an image in degrees or on another datum`() throws {
    for (wkt, word) in [
      (
        "GEOGCS[\"NAD83\",DATUM[\"North_American_Datum_1983\",SPHEROID[\"GRS 1980\",6378137,298.257222101]],"
          + "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]", "map projection"
      ),
      (
        MadeUpSheet.wkt
          .replacing("North_American_Datum_1983", with: "North_American_Datum_1927")
          .replacing("\"GRS 1980\",6378137,298.257222101", with: "\"Clarke 1866\",6378206.4,294.978698214"),
        "neither NAD83 nor WGS84"
      ),
    ] {
      let bench = try ChartBench()
      let image = try bench.sheet.tif { try $0.setGeoreference(bench.sheet.placing, wkt: wkt) }
      try expectRejected(bench, tif: image, word)
    }
  }

  @Test func `rejects an image that is not georeferenced`() throws {
    let bench = try ChartBench()
    let path = bench.folder.file("plain.tif").path
    for transform in [nil, GeoTransform(originX: 0, originY: 0, pixelWidth: 1, pixelHeight: 1)] {
      let plain = try RasterWriter(path, width: 64, height: 64, bands: 1)
      try plain.setPalette(MadeUpSheet.palette)
      if let transform { try plain.setGeoreference(transform, wkt: "") }
      try plain.close()
      try expectRejected(bench, tif: [UInt8](try URL(filePath: path).data), "not georeferenced")
    }
  }

  @Test func `rejects a mirrored image`() throws {
    let bench = try ChartBench()
    let upright = bench.sheet.placing
    let (far, low) = upright.projected(column: Double(bench.sheet.width), row: Double(bench.sheet.height))
    for (isMirrored, isSouthUp) in [(false, true), (true, false)] {
      var placing = upright
      if isMirrored { (placing.originX, placing.pixelWidth) = (far, -upright.pixelWidth) }
      if isSouthUp { (placing.originY, placing.pixelHeight) = (low, -upright.pixelHeight) }
      let image = try bench.sheet.tif { try $0.setGeoreference(placing, wkt: MadeUpSheet.wkt) }
      try expectRejected(bench, tif: image, "the image is mirrored")
    }
  }

  @Test func `rejects an image with an unwritten part instead of showing it blank`() throws {
    let bench = try ChartBench()
    let sheet = bench.sheet
    let path = bench.folder.file("sparse.tif").path
    let image = try RasterWriter(
      path, width: sheet.width, height: sheet.height, bands: 1,
      options: ["COMPRESS=LZW", "SPARSE_OK=TRUE"])
    try image.setPalette(MadeUpSheet.palette)
    try image.setGeoreference(sheet.placing, wkt: MadeUpSheet.wkt)
    let upperHalf = PixelWindow(column: 0, row: 0, width: sheet.width, height: sheet.height / 2)
    try image.writeBytes(
      [UInt8](repeating: 1, count: upperHalf.width * upperHalf.height), band: 1, window: upperHalf)
    try image.close()
    let bytes = [UInt8](try URL(filePath: path).data)
    try expectRejected(bench, tif: bytes, "parts of the image are missing")
  }

  @Test func `strips and tiles of any size and compression give the same tiles`() throws {
    let bench = try ChartBench()
    let expected = try builtTiles(bench, layout: ["COMPRESS=LZW"])
    for layout in [
      ["BLOCKYSIZE=1", "COMPRESS=NONE"], ["BLOCKYSIZE=44", "COMPRESS=LZW", "PREDICTOR=2"],
      ["BLOCKYSIZE=\(bench.sheet.height)", "COMPRESS=NONE"],
      ["BLOCKYSIZE=\(bench.sheet.height)", "COMPRESS=LZW", "PREDICTOR=2"],
      ["TILED=YES", "BLOCKXSIZE=128", "BLOCKYSIZE=128", "COMPRESS=PACKBITS"],
      ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512", "COMPRESS=DEFLATE", "PREDICTOR=2"],
    ] {
      let tiles = try builtTiles(bench, layout: layout)
      #expect(tiles == expected, "\(layout)")
    }
  }

  /// The hash of all tiles of the chart, whose source differs with the layout.
  private func builtTiles(_ bench: ChartBench, layout: [String]) throws -> String {
    let source = try bench.zip([(htm, bench.sheet.htm()), (tif, bench.sheet.tif(layout: layout))])
    let built = try bench.build(source, zooms: 4...6)
    return try #require(try MBTilesReader(opening: built.file).metadata()[TileHash.metadataKey])
  }

  @Test func `detects another chart's image under the same name by its position`() throws {
    let bench = try ChartBench()
    var elsewhere = try bench.sheet.extent
    elsewhere.west += 0.05
    try expectRejected(
      bench, members: [(htm, bench.sheet.htm(extent: elsewhere)), (tif, bench.sheet.tif())],
      "the western bound in \"Made Up SEC.htm\" is")
  }

  @Test func `a text in place of the image cannot make GDAL open other files`() throws {
    let bench = try ChartBench()
    let vrt = """
      <VRTDataset rasterXSize="9" rasterYSize="9"><VRTRasterBand dataType="Byte" band="1"><SimpleSource>
      <SourceFilename>/etc/passwd</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>
      """
    try expectRejected(bench, tif: Array(vrt.utf8), "not a GeoTIFF")
  }

  @Test(
    arguments: [
      ("<!DOCTYPE html><html>503</html>", "web page"), ("", "empty"), ("hello", "neither a zip"),
      ("PK\u{3}\u{4} and then nothing", "zip archive cannot be used"),
    ])
  func `describes a file that is not a zip`(text: String, word: String) throws {
    let bench = try ChartBench()
    let fault = try bench.userError(try bench.write(Array(text.utf8), as: "Made_Up.zip"))
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains(word))
    #expect(fault.path?.hasSuffix("Made_Up.zip") == true)
  }

  @Test func `rejects a truncated zip and one with escaping names`() throws {
    let bench = try ChartBench()
    let whole = [UInt8](try bench.zip().data)
    let cut = try bench.userError(try bench.write(Array(whole.prefix(whole.count / 2)), as: "Cut.zip"))
    #expect(cut.kind == .badInput)
    try expectRejected(
      bench, members: [("../\(htm)", bench.sheet.htm()), (tif, bench.sheet.tif())], "escape")
  }
}
