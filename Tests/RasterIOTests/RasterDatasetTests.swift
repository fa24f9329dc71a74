import Foundation
import RasterIO
import TestSupport
import Testing

@Suite("Rasters")
struct RasterDatasetTests {
  @Test("pixels, palette and place survive a file")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("small.tif").path
    let window = PixelWindow(column: 0, row: 0, width: 30, height: 20)
    let pixels = (0..<600).map { UInt8($0 % 256) }
    let palette = [PaletteColor(red: 1, green: 2, blue: 3), PaletteColor(red: 200, green: 100, blue: 50)]
    let placing = GeoTransform(originX: 10, originY: 20, pixelWidth: 2, pixelHeight: -2)
    let written = try RasterDataset.create(path, driver: "GTiff", width: 30, height: 20, bands: 1)
    try written.setPalette(palette)
    try written.setGeoreference(placing, wkt: try SpatialReference(epsg: 3857).wkt)
    try written.writeBytes(pixels, band: 1, window: window)
    try written.close()
    let read = try RasterDataset(opening: path, drivers: ["GTiff"])
    #expect(try read.readBytes(band: 1, window: window) == pixels)
    #expect(try read.palette()?.prefix(2) == palette[...])
    #expect(read.geoTransform == placing)
    #expect(try read.isEightBit())
    #expect(read.driver == "GTiff")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["small.tif"])
  }

  @Test("a driver that was not named does not open the file")
  func onlyNamedDrivers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("small.png").path
    let source = folder.file("small.tif").path
    try RasterDataset.create(source, driver: "GTiff", width: 3, height: 3, bands: 1).close()
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: source, drivers: ["PNG"]) }
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: path) }
    _ = try RasterDataset(opening: source)
  }

  @Test("a file in memory is there as long as its owner")
  func memoryFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("small.tif").path
    try RasterDataset.create(path, driver: "GTiff", width: 3, height: 3, bands: 1).close()
    var file: MemoryFile? = try MemoryFile(
      [UInt8](try Data(contentsOf: URL(filePath: path))), extension: "tif")
    let name = try #require(file?.path)
    _ = try RasterDataset(opening: name)
    file = nil
    #expect(throws: GDALError.self) { _ = try RasterDataset(opening: name) }
  }
}
