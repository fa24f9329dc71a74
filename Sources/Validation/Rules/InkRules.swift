internal import Core
internal import ImageIO

/// Compares the colours of the sheet with those in the tiles of the largest zoom, where each colour is printed most solidly.
struct TilesInks: Rule {
  let name = "tiles-inks"
  let protects =
    "Every ink of the sheet keeps its colour: magenta and blue distinguish airports without and with a tower."

  /// The largest accepted differences, by CIEDE2000.
  struct Limits {
    /// Where the ink itself is expected.
    let solid: Double
    /// Where a mix of the ink with others is expected.
    let mixed: Double
    /// For the median of an ink, if it has at least `TilesInks.leastPlaces`.
    let median: Double
    /// For the median of a mix.
    let mixedMedian: Double
    /// The median leaves out places with less of the ink than this share of a pixel.
    var leastShare = 0.0

    func place(_ sample: InkComparison.Sample) -> Double {
      guard sample.isSolid else { return mixed }
      return sample.isNearlyGrey ? max(solid, TilesInks.grey) : solid
    }
    func median(_ sample: InkComparison.Sample) -> Double {
      guard !sample.isSolid else { return median }
      return sample.isNearlyGrey ? max(mixedMedian, TilesInks.grey) : mixedMedian
    }
  }

  /// The limit of colours that are nearly grey, where a few levels are a large difference without a change of hue: for one place of
  /// an ink, and for the median of a mix. Correct tiles of full sheets have 10.7, where the tolerance of the palette changes a channel
  /// by 12 levels, and medians of up to 11.8.
  private static let grey = 14.0

  /// Correct tiles have differences of up to 6.3, 11.7, 2.8 and 7.3. The mixes are of near-black or near-white inks, where a few
  /// levels count much, or of a sheet with more tints and mixes than a palette has colours. Solid magenta and blue
  /// are 30 apart, green and teal 20, magenta and purple 17; half ink and half ground, 25, 12 and 10.
  static let limits = Limits(solid: 10, mixed: 18, median: 6, mixedMedian: 9)
  /// Lossy formats keep colours at half the size: differences of up to 21.8, 34.7 and 11.6 were measured at quality 80. Only the
  /// median separates magenta from blue there, and only where the ink fills whole pixels. At such places correct tiles have
  /// medians of up to 11.3. Lines thinner than a pixel have 24.5, because their colour is spread over their neighbours.
  private static let lossyLimits = Limits(
    solid: 35, mixed: 55, median: 18, mixedMedian: 18, leastShare: 0.95)
  /// With fewer places the median is not checked.
  private static let leastPlaces = 3

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let product = subject.product
    guard product.kind == .chart, let control = product.control, control.projection != nil else { return [] }
    guard let inkPoints = control.inkPoints, !inkPoints.isEmpty else { return missing(subject) }
    guard let archive = subject.tiles, let strip = subject.file(role: .control) else { return [] }
    let patches = try SavedPatches(control, in: strip)
    let painter = try TilePainter(archive)
    guard let zoom = product.maxZoom, (0...24).contains(zoom),
      let map = SheetMap(control, on: PixelGrid(zoom: zoom, tileSize: painter.tileSize))
    else { return [] }
    let survey = InkComparison(patches: patches, map: map, painter: painter, zoom: zoom)
    let samples = try patches.points.indices.flatMap { number in
      try CancellationToken.current.check()
      return try survey.samples(number).filter { control.inks?.contains($0.ink.hex) ?? true }
    }
    let isLossy = try archive.anyTile().map(TileEncoding.isLossy) == true
    return wrong(samples, isLossy ? TilesInks.lossyLimits : TilesInks.limits, subject)
      + exchanged(samples.map(\.ink), subject)
  }

  /// Every VFR chart has magenta print, and none has purple: a palette with red and blue exchanged turns one into the other.
  private func exchanged(_ inks: [RGB], _ subject: ProductUnderTest) -> [Finding] {
    guard !subject.product.isEnroute, !inks.contains(where: \.isMagenta),
      let purple = inks.first(where: \.isPurple)
    else { return [] }
    return [
      warning(
        subject.place,
        "its sheet has no magenta ink but a purple one, \(purple.hex), as if red and blue were exchanged in its palette; compare "
          + "it with a printed chart")
    ]
  }

  private func wrong(
    _ samples: [InkComparison.Sample], _ limits: Limits, _ subject: ProductUnderTest
  ) -> [Finding] {
    Dictionary(grouping: samples, by: \.ink.hex).sorted { $0.key < $1.key }
      .compactMap { wrong($0, $1, limits, subject) }
  }

  /// Reports an ink at the place where it exceeds its limit most, or as a whole if only the median of its places does.
  private func wrong(
    _ ink: String, _ places: [InkComparison.Sample], _ limits: Limits, _ subject: ProductUnderTest
  ) -> Finding? {
    let ordered = places.sorted { ($0.difference, $0.row, $0.column) < ($1.difference, $1.row, $1.column) }
    let wrong = ordered.filter { $0.difference > limits.place($0) }
    let clear = ordered.filter { $0.share >= limits.leastShare }
    let median = clear.count >= TilesInks.leastPlaces ? clear[clear.count / 2] : nil
    let wrongMedian = median.flatMap { $0.difference > limits.median($0) ? $0 : nil }
    guard let worst = wrong.last ?? wrongMedian else { return nil }
    let count =
      wrongMedian == nil ? Counts.of(wrong.count, "place") : "more than half of \(clear.count) places"
    return error(
      "\(subject.place) tile \(worst.tile)",
      "the ink \(ink) at column \(worst.column), row \(worst.row) of its sheet comes out as \(worst.found.hex) "
        + "where \(worst.expected.hex) is expected, \(worst.difference.hundredths) off by CIEDE2000 "
        + "(\(count)); build it again")
  }

  /// Every build saves reference patches for the colours.
  private func missing(_ subject: ProductUnderTest) -> [Finding] {
    guard subject.product.cut != nil else { return [] }
    return [
      error(
        subject.place,
        "its `control` has no `inkPoints`, so its colours cannot be compared with its sheet; build it again")
    ]
  }
}

extension RGB {
  fileprivate var isMagenta: Bool { RGB.isMagenta(red: Int(red), green: Int(green), blue: Int(blue)) }
  fileprivate var isPurple: Bool { RGB.isMagenta(red: Int(blue), green: Int(green), blue: Int(red)) }

  private static func isMagenta(red: Int, green: Int, blue: Int) -> Bool {
    red > green + 60 && blue > green + 15 && red > blue + 10
  }
}

extension InkComparison.Sample {
  /// Whether the channels of the expected colour differ by less than 32 levels.
  fileprivate var isNearlyGrey: Bool {
    let channels = [expected.red, expected.green, expected.blue].map { Int($0) }
    return (channels.max() ?? 0) - (channels.min() ?? 0) < 32
  }
}
