import CGDAL
import Core
import Foundation
import ImageIO
import RasterIO
import RasterWriting
import TestSupport
import Testing

@testable import ChartpipeKit

extension NoiseSheet {
  /// A block in the colours of GDAL's warper, which shares nothing with the kernel.
  func warpedByGDAL(_ block: TileID) throws -> RGBAImage {
    let folder = TemporaryFolder()
    try writeColors(to: folder.file("sheet.tif").path)
    let scale = Double(RowScales.unit) / Double(try job(zoom: block.zoom).scales[block.row].largest)
    let (west, north, metres) = block.mercator
    let (east, south) = (west + metres, north - metres)
    let words = [
      "-t_srs", "EPSG:3857", "-te", "\(west)", "\(south)", "\(east)", "\(north)", "-ts", "256", "256", "-r",
      "cubic", "-et", "0", "-srcalpha", "-dstalpha", "-wo", "XSCALE=\(scale)", "-wo", "YSCALE=\(scale)",
      "-of", "GTiff",
    ]
    try warp(folder.file("sheet.tif").path, to: folder.file("block.tif").path, words)
    let warped = try RasterDataset(opening: folder.file("block.tif").path)
    let whole = PixelWindow(column: 0, row: 0, width: 256, height: 256)
    let bands = try (1...4).map { try warped.readBytes(band: $0, window: whole) }
    return RGBAImage(
      width: 256, height: 256, pixels: (0..<256 * 256).flatMap { pixel in bands.map { $0[pixel] } })
  }

  /// Writes the sheet with its palette expanded. Pixels beside the map are transparent.
  private func writeColors(to path: String) throws {
    let image = try RasterWriter(path, width: width, height: height, bands: 4)
    try image.setGeoreference(placing, wkt: sheet.projection)
    let whole = PixelWindow(column: 0, row: 0, width: width, height: height)
    for band in 0..<3 {
      let samples = rows.indexes.map { UInt8(truncatingIfNeeded: sheet.colors[Int($0)] >> (8 * band)) }
      try image.writeBytes(samples, band: band + 1, window: whole)
    }
    try image.writeBytes(try neatline.mask(of: whole), band: 4, window: whole)
    try image.close()
  }

  private func warp(_ source: String, to target: String, _ words: [String]) throws {
    let list = words.reduce(nil) { CSLAddString($0, $1) }
    defer { CSLDestroy(list) }
    let options = try #require(GDALWarpAppOptionsNew(list, nil))
    defer { GDALWarpAppOptionsFree(options) }
    var image: GDALDatasetH? = try #require(chartpipe_open_raster(source, nil))
    defer { GDALClose(image) }
    GDALClose(try #require(GDALWarp(target, nil, 1, &image, options, nil)))
  }
}
