internal import Core
internal import Foundation
internal import ImageIO

/// Compares the tiles of an image that is not a chart with samples of the image, which the build saved before the warp. The tile and
/// its pixel are computed from the place alone.
struct PlaceSamples: Rule {
  let name = "place-samples"
  let protects = "The map shows its image, each thing where it is on the earth."

  /// Levels: the mean difference of a channel from the samples, beyond their contrast. Lossy tiles of strong colours have less.
  private static let differenceLimit = 30.0
  /// A shift must fit this much better than no shift, in levels and as a share.
  private static let gain = (levels: 1.5, share: 0.7)
  /// With fewer samples nothing is concluded from their colours.
  private static let fewest = 12

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    guard subject.product.kind == .chart, let file = subject.file(role: .samples),
      let archive = subject.tiles, let zoom = subject.product.maxZoom
    else { return [] }
    let known = try JSONDecoder().decode(RasterSamples.self, from: Data(contentsOf: file))
    guard known.samples.allSatisfy({ $0.color.count == 3 && abs($0.place.latitude) < 90 }),
      (0...24).contains(zoom)
    else { return [error(subject.place, "its samples are damaged; build it again")] }
    var comparison = SampleComparison(archive, side: subject.product.tileSize ?? 256)
    let groups = Dictionary(grouping: known.samples) { TileID(zoom: zoom, containing: $0.place) }
    for (tile, samples) in groups.sorted(by: { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }) {
      try comparison.add(samples, on: tile)
    }
    return comparison.missing.map {
      error("\(subject.place) tile \($0)", "it is missing, though the image is opaque there")
    } + wrong(comparison).map { error(subject.place, $0) }
  }

  private func wrong(_ comparison: SampleComparison) -> [String] {
    guard comparison.count >= PlaceSamples.fewest, let own = comparison.means[.zero],
      let best = comparison.means.min(by: {
        ($0.value, $0.key.length, $0.key.x, $0.key.y) < ($1.value, $1.key.length, $1.key.x, $1.key.y)
      })
    else { return [] }
    if best.key.length > 1, own - best.value > PlaceSamples.gain.levels,
      best.value < PlaceSamples.gain.share * own
    {
      return [
        "its tiles show the image \(offsetText(Double(best.key.x), Double(best.key.y))) of where it is; build it again"
      ]
    }
    guard own > PlaceSamples.differenceLimit else { return [] }
    return ["its tiles differ from its image by \(own.hundredths) levels on average; build it again"]
  }
}

extension SIMD2<Int> {
  fileprivate var length: Int { Swift.max(abs(x), abs(y)) }
}

/// The differences between samples and tiles, for each shift by a few pixels.
private struct SampleComparison {
  /// Pixels eastward and southward.
  typealias Shift = SIMD2<Int>

  private static let reach = 4

  private let archive: any TileSource
  private let side: Int
  private var sums: [Shift: Double] = [:]
  private(set) var count = 0
  private(set) var missing: [TileID] = []

  init(_ archive: any TileSource, side: Int) { (self.archive, self.side) = (archive, side) }

  var means: [Shift: Double] { sums.mapValues { $0 / Double(max(1, count)) } }

  mutating func add(_ samples: [RasterSamples.Sample], on tile: TileID) throws {
    guard let bytes = try archive.tile(tile) else { return missing.append(tile) }
    // `tiles-decode` reports an unreadable tile.
    guard let image = try? TileImage.decode(bytes), image.width == side, image.height == side else { return }
    for sample in samples { add(sample, tile, image) }
  }

  private mutating func add(_ sample: RasterSamples.Sample, _ tile: TileID, _ image: RGBAImage) {
    let (west, north, length) = tile.mercator
    let (x, y) = WebMercator.project(sample.place)
    let (column, row) = ((x - west) / length * Double(side) - 0.5, (north - y) / length * Double(side) - 0.5)
    let reach = SampleComparison.reach
    // All shifts are measured with the same samples.
    let room = Double(reach)..<Double(side - reach - 1)
    guard room.contains(column), room.contains(row) else { return }
    var found: [Shift: Double] = [:]
    for down in -reach...reach {
      for across in -reach...reach {
        guard let color = color(of: image, column + Double(across), row + Double(down)) else { return }
        let apart = (0..<3).map { abs(color[$0] - Double(sample.color[$0])) }.reduce(0, +) / 3
        // Fine texture need not survive the warp, and in it the colour of a single pixel shows no place.
        found[Shift(x: across, y: down)] = max(0, apart - Double(sample.contrast))
      }
    }
    sums.merge(found, uniquingKeysWith: +)
    count += 1
  }

  /// Bilinear between four opaque pixels.
  private func color(of image: RGBAImage, _ column: Double, _ row: Double) -> [Double]? {
    let (left, top) = (Int(column), Int(row))
    let (across, down) = (column - Double(left), row - Double(top))
    var sums = [0.0, 0.0, 0.0]
    for (place, weight) in [
      ((0, 0), (1 - across) * (1 - down)), ((1, 0), across * (1 - down)), ((0, 1), (1 - across) * down),
      ((1, 1), across * down),
    ] {
      let pixel = image[left + place.0, top + place.1]
      guard pixel.alpha == 255 else { return nil }
      sums[0] += weight * Double(pixel.red)
      sums[1] += weight * Double(pixel.green)
      sums[2] += weight * Double(pixel.blue)
    }
    return sums
  }
}
