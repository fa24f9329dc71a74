internal import Core
internal import Foundation
internal import RasterIO

/// Which bands of an image are shown, and how.
struct RasterBands {
  /// One band of indexes or grey, or red, green and blue.
  let colorBands: [Int]
  /// Bands whose masks show which pixels are transparent: those that all of them mask. Empty if none is.
  let maskBands: [Int]
  let kind: RasterKind
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
    !maskBands.isEmpty || isFloat || colors.contains { withUnsafeBytes(of: $0) { $0[3] } < 255 }
  }

  /// - Parameter isScaled: whether bytes are scaled too, so that none can be an index.
  init(_ dataset: RasterDataset, _ file: URL, isScaled: Bool) throws {
    let all = try (1...dataset.bandCount).map { try dataset.color(band: $0) }
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
    kind = palette != nil ? .palette : bands.count == 1 ? .gray : .color
    let alphas = palette == nil ? nil : try dataset.paletteAlphas(band: first)
    var colors = (0..<256).map { index -> [UInt8] in
      let gray = UInt8(index)
      guard let color = palette?[index], let alpha = alphas?[index] else { return [gray, gray, gray, 255] }
      return [color.red, color.green, color.blue, alpha]
    }
    let mask = try dataset.mask(band: first)
    if bands.count == 1, isByte, !isScaled || palette != nil, case .ofBand = mask,
      let value = try dataset.noDataValue(band: first),
      let index = Int(exactly: value), colors.indices.contains(index)
    {
      // The value is an index like any other, with an invisible colour.
      colors[index] = [0, 0, 0, 0]
      maskBands = []
    } else {
      maskBands = try RasterBands.maskBands(dataset, bands)
    }
    self.colors =
      bands.count > 1 ? [] : colors.map { color in color.withUnsafeBytes { $0.load(as: UInt32.self) } }
  }

  private static func maskBands(_ dataset: RasterDataset, _ bands: [Int]) throws -> [Int] {
    let masks = try bands.map { try dataset.mask(band: $0) }
    // A palette's transparent colours are a mask of GDAL, too.
    if masks.contains(where: { if case .shared = $0 { true } else { false } }) { return [bands[0]] }
    // A band without such a value never masks, so no pixel is masked in all bands.
    return masks.allSatisfy { if case .ofBand = $0 { true } else { false } } ? bands : []
  }

  private static func colorBands(_ all: [RasterDataset.BandColor], _ file: URL) throws -> [Int] {
    func number(_ color: RasterDataset.BandColor) -> Int? { all.firstIndex(of: color).map { $0 + 1 } }
    if let red = number(.red), let green = number(.green), let blue = number(.blue) {
      return [red, green, blue]
    }
    let plain: [RasterDataset.BandColor] = [.undefined, .gray, .palette]
    let others = all.filter { $0 != .alpha }
    if others.count == 1, plain.contains(others[0]) {
      return [all.firstIndex(of: others[0]).map { $0 + 1 } ?? 1]
    }
    // Some programs mark the first of three bands as grey.
    if others.count == 3, others.allSatisfy({ $0 == .undefined || $0 == .gray }) {
      return all.indices.filter { all[$0] != .alpha }.map { $0 + 1 }
    }
    let names = all.map { name(of: $0) }.joined(separator: ", ")
    throw UserError.ofRaster(
      file,
      "its \(Counts.of(all.count, "band")) (\(names)) are neither grey, a palette, nor red, green and blue",
      "Choose bands: gdal_translate -b 1 -b 2 -b 3 -colorinterp red,green,blue \(file.lastPathComponent) image.tif"
    )
  }

  private static func name(of color: RasterDataset.BandColor) -> String {
    if case .other(let name) = color { name.lowercased() } else { "\(color)" }
  }
}
