import Foundation
import RasterIO
import RasterWriting
import TestSupport
import Testing

@Suite("Rasters")
struct RasterDatasetTests {
  @Test func `pixels, palette and georeference survive a file`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("small.tif").path
    let window = PixelWindow(column: 0, row: 0, width: 30, height: 20)
    let pixels = (0..<600).map { UInt8($0 % 256) }
    let palette = [PaletteColor(red: 1, green: 2, blue: 3), PaletteColor(red: 200, green: 100, blue: 50)]
    let placing = GeoTransform(originX: 10, originY: 20, pixelWidth: 2, pixelHeight: -2)
    let written = try RasterWriter(path, width: 30, height: 20, bands: 1)
    try written.setPalette(palette)
    try written.setGeoreference(placing, wkt: try SpatialReference(epsg: 3857).wkt)
    try written.writeBytes(pixels, band: 1, window: window)
    try written.close()
    let read = try RasterDataset(opening: path, drivers: ["GTiff"])
    #expect(try read.readBytes(band: 1, window: window) == pixels)
    #expect(try read.palette()?.prefix(2) == palette[...])
    #expect(read.geoTransform == placing)
    #expect(try read.isEightBit())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["small.tif"])
  }

  @Test func `does not open a file with a driver that was not named`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("small.png").path
    let source = folder.file("small.tif").path
    try RasterWriter(source, width: 3, height: 3, bands: 1).close()
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: source, drivers: ["PNG"]) }
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: path) }
    _ = try RasterDataset(opening: source)
  }

  /// GDAL's driver of GeoTIFF reads it only when the georeference is needed.
  @Test func `an image is read with the aux.xml beside it, which nothing else reads or writes`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("small.tif")
    let written = try RasterWriter(file.path, width: 3, height: 3, bands: 1)
    let own = GeoTransform(originX: 1, originY: 2, pixelWidth: 1, pixelHeight: -1)
    try written.setGeoreference(own, wkt: try SpatialReference(epsg: 3857).wkt)
    try written.close()
    _ = try RasterDataset(openingImage: file.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["small.tif"])
    try folder.file("small.tif.aux.xml").put(
      """
      <PAMDataset><SRS>EPSG:32633</SRS><GeoTransform>500000,10,0,5000000,0,-10</GeoTransform>
      <PAMRasterBand band="1"><NoDataValue>100</NoDataValue></PAMRasterBand></PAMDataset>
      """)
    let image = try RasterDataset(openingImage: file.path)
    #expect(
      image.geoTransform
        == GeoTransform(originX: 500_000, originY: 5_000_000, pixelWidth: 10, pixelHeight: -10)
    )
    #expect(image.projectionWKT.contains("32633"))
    #expect(try image.noDataValue(band: 1) == 100)
    #expect(image.fileList.map { URL(filePath: $0).lastPathComponent } == ["small.tif", "small.tif.aux.xml"])
    let sheet = try RasterDataset(opening: file.path, drivers: ["GTiff"])
    #expect(try sheet.geoTransform == own && sheet.noDataValue(band: 1) == nil)
  }

  @Test func `an in-memory file exists as long as its owner`() throws {
    let folder = TemporaryFolder()
    let path = folder.file("small.tif").path
    try RasterWriter(path, width: 3, height: 3, bands: 1).close()
    var file: MemoryFile? = try MemoryFile([UInt8](try URL(filePath: path).data), extension: "tif")
    let name = try #require(file?.path)
    _ = try RasterDataset(opening: name)
    file = nil
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: name) }
  }
}

/// The layout of a GeoTIFF's strips or tiles.
struct StoredBlocks: Sendable, CustomTestStringConvertible {
  let layout: [String]
  let compression: [String]

  var options: [String] { layout + compression }
  var testDescription: String { options.joined(separator: " ") }

  /// Rows of the tests' image. GDAL presents one strip of this many rows as single rows.
  static let height = 2500

  static let all = [
    ["BLOCKYSIZE=1"], ["BLOCKYSIZE=44"], ["BLOCKYSIZE=\(height)"],
    ["TILED=YES", "BLOCKXSIZE=128", "BLOCKYSIZE=128"], ["TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256"],
    ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512"],
  ].flatMap { layout in
    [
      ["COMPRESS=NONE"], ["COMPRESS=PACKBITS"], ["COMPRESS=LZW"], ["COMPRESS=LZW", "PREDICTOR=2"],
      ["COMPRESS=DEFLATE"], ["COMPRESS=DEFLATE", "PREDICTOR=2"],
    ].map { StoredBlocks(layout: layout, compression: $0) }
  }
}

@Suite("Stored strips and tiles", .slow)
struct StoredBlocksTests {
  private static let width = 300
  private static let pixels = (0..<width * StoredBlocks.height).map {
    UInt8(truncatingIfNeeded: $0 / 7 + $0 / width)
  }
  private var width: Int { Self.width }

  @Test(arguments: StoredBlocks.all)
  func `an image of any layout is complete and reads back unchanged`(blocks: StoredBlocks) throws {
    let folder = TemporaryFolder()
    let path = folder.file("whole.tif").path
    let pixels = Self.pixels
    let image = try create(path, blocks.options)
    try image.writeBytes(pixels, band: 1, window: window(rows: 0..<StoredBlocks.height))
    try image.close()
    let read = try RasterDataset(opening: path, drivers: ["GTiff"])
    #expect(try read.isWhole())
    #expect(try read.readBytes(band: 1, window: window(rows: 0..<StoredBlocks.height)) == pixels)
    // Also from the end to the beginning, as an edge survey reads.
    for row in [2400, 1200, 0] {
      let part = try read.readBytes(band: 1, window: window(rows: row..<row + 50))
      #expect(part == Array(pixels[row * width..<(row + 50) * width]))
    }
  }

  @Test(arguments: StoredBlocks.all)
  func `an image that lacks a strip or tile is not complete`(blocks: StoredBlocks) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sparse.tif").path
    let image = try create(path, blocks.options + ["SPARSE_OK=TRUE"])
    // A single strip is read completely or not at all.
    let rows = blocks.layout == ["BLOCKYSIZE=\(StoredBlocks.height)"] ? 0 : StoredBlocks.height / 2
    try image.writeBytes([UInt8](repeating: 9, count: width * rows), band: 1, window: window(rows: 0..<rows))
    try image.close()
    #expect(try RasterDataset(opening: path, drivers: ["GTiff"]).isWhole() == false)
  }

  private func create(_ path: String, _ options: [String]) throws -> RasterWriter {
    try RasterWriter(
      path, width: width, height: StoredBlocks.height, bands: 1, options: options)
  }

  private func window(rows: Range<Int>) -> PixelWindow {
    PixelWindow(column: 0, row: rows.lowerBound, width: width, height: rows.count)
  }
}
