internal import Core
internal import Foundation
internal import ImageIO
internal import RasterIO

/// Which bands of an image are shown, and how.
struct RasterBands {
  /// One band of indexes or grey, or red, green and blue.
  let colorBands: [Int]
  /// Bands whose masks show which pixels are transparent: those that all of them mask. Empty if none is.
  let maskBands: [Int]
  let hasPalette: Bool
  /// Whether the samples are bytes, which are shown as they are.
  let isByte: Bool
  /// Whether samples may be no numbers; such pixels are transparent.
  let isFloat: Bool
  /// For one band: the colour of each byte, red, green, blue and alpha in memory order.
  let colors: [UInt32]

  /// Whether a decoded pixel is one byte, an index into the colours.
  var isIndexed: Bool { colorBands.count == 1 && maskBands.isEmpty && !isFloat }

  /// Whether pixels may be transparent.
  var isPartial: Bool {
    !maskBands.isEmpty || isFloat || colors.contains { $0.channels[3] < 255 }
  }

  /// - Parameter isScaled: whether bytes are scaled too, so that none can be an index.
  init(_ dataset: RasterDataset, _ file: URL, isScaled: Bool) throws {
    let all = try (1...dataset.bandCount).map { try dataset.colorName(band: $0) }
    let bands = try RasterBands.colorBands(all, file)
    let first = bands[0]
    let types = try Set(bands.map { try dataset.typeName(band: $0) })
    guard types.count == 1, let type = types.first, try !dataset.isComplex(band: first) else {
      throw UserError.ofRaster(
        file, "its bands have the types \(types.sorted().joined(separator: ", "))",
        "Convert it to one type: gdal_translate -ot UInt16 \(file.lastPathComponent) image.tif")
    }
    colorBands = bands
    isByte = type == "Byte"
    isFloat = type.hasPrefix("Float")
    let palette = bands.count == 1 ? try dataset.palette(band: first) : nil
    guard palette == nil || isByte else {
      throw UserError.ofRaster(
        file, "its palette has more than 256 colours",
        "Expand it: gdal_translate -expand rgb \(file.lastPathComponent) image.tif")
    }
    hasPalette = palette != nil
    let grays = (0..<256).map { PaletteColor(red: UInt8($0), green: UInt8($0), blue: UInt8($0)) }
    var colors: [[UInt8]] = (palette ?? grays).map { [$0.red, $0.green, $0.blue, $0.alpha] }
    if bands.count == 1, isByte, !isScaled || hasPalette, try dataset.mask(band: first) == .ofBand,
      let value = try dataset.noDataValue(band: first),
      let index = Int(exactly: value), colors.indices.contains(index)
    {
      // The value is an index like any other, with an invisible colour.
      colors[index] = [0, 0, 0, 0]
      maskBands = []
    } else {
      maskBands = try RasterBands.maskBands(dataset, bands)
    }
    self.colors = bands.count > 1 ? [] : colors.map(UInt32.init(channels:))
  }

  private static func maskBands(_ dataset: RasterDataset, _ bands: [Int]) throws -> [Int] {
    let masks = try bands.map { try dataset.mask(band: $0) }
    // A palette's transparent colours are a mask of GDAL, too.
    if masks.contains(.shared) { return [bands[0]] }
    // A band without such a value never masks, so no pixel is masked in all bands.
    return masks.allSatisfy { $0 == .ofBand } ? bands : []
  }

  private static func colorBands(_ all: [String], _ file: URL) throws -> [Int] {
    let primary = ["red", "green", "blue"].compactMap { all.firstIndex(of: $0) }
    if primary.count == 3 { return primary.map { $0 + 1 } }
    let others = all.indices.filter { all[$0] != "alpha" }
    let isPlain = others.allSatisfy { ["undefined", "gray"].contains(all[$0]) }
    // Some programs mark the first of three bands as grey.
    if isPlain && [1, 3].contains(others.count) || others.map({ all[$0] }) == ["palette"] {
      return others.map { $0 + 1 }
    }
    throw UserError.ofRaster(
      file,
      "its \(Counts.of(all.count, "band")) (\(all.joined(separator: ", "))) are neither grey, a palette, nor red, green and blue",
      "Choose bands: gdal_translate -b 1 -b 2 -b 3 -colorinterp red,green,blue \(file.lastPathComponent) image.tif"
    )
  }
}
