internal import Core
internal import ImageIO

/// Searches for insets: maps of other places, printed within the chart's own map, each in a white band.
///
/// It decodes one thin band of rows in every 720, which shows the upright white bands of an inset. It decodes more rows only
/// where an inset is listed or where white bands form a candidate.
struct InsetSurvey {
  let image: SheetImage
  let projection: SheetProjection
  let neatline: Neatline
  let map: MapSpans
  let graticule: HostGraticule
  /// The kind, the lightness, and a coarse number of each colour.
  let kinds: [PrintKind]
  let lights: [Int]
  let shades: [Int]

  /// Rows from one sampled band to the next, since decoding takes time. All known unlisted insets have a thousand rows or more.
  private static let spacing = 720
  /// The spacing where an inset is listed or suspected. It crosses any inset of 300 pixels and its band.
  private static let fineSpacing = 240
  private static let usualBlock = 24...64
  private static let bandHeight = 40

  /// Nil for a neatline around nothing.
  init?(_ image: SheetImage, _ projection: SheetProjection, _ neatline: Neatline) {
    guard let box = GeoBox(around: neatline.ring.map(\.place)) else { return nil }
    (self.image, self.projection, self.neatline) = (image, projection, neatline)
    map = MapSpans(neatline, on: projection)
    graticule = HostGraticule(covering: box, on: projection)
    let all = PrintKinds(image.colors)
    kinds = image.colors.indices.map { all[UInt8($0)] }
    lights = image.sheet.lights
    shades = image.colors.map { color in color.channels.prefix(3).reduce(0) { $0 * 16 + Int($1) / 16 } }
  }

  /// Returns the detected insets and their masks.
  func survey(
    expecting expected: [InsetDefinition]
  ) throws -> (insets: [Product.Cut.Inset], masks: [[NeatlineDefinition.Edge]]) {
    let strides =
      [(map.rows, InsetSurvey.spacing)] + expected.compactMap { $0.near.flatMap { rows(of: $0) } }
    var bands = try sample(strides, besides: [])
    let rough = candidates(bands)
    bands += try sample(rough.map { rows(of: $0, bands) }, besides: bands)
    bands.sort { $0.rows.lowerBound < $1.rows.lowerBound }
    let candidates = rough.isEmpty ? [] : candidates(bands)
    let found = try frames(of: candidates, bands).filter { !isMasked($0) }
    let sights = bands.flatMap(\.sights)
    var classified = try found.compactMap { try classify($0, sights) }
    let lost = results(classified, expecting: expected).insets.filter { $0.verdict == .missing }.map(\.box)
    classified += try expected.compactMap(\.near).filter(lost.contains).compactMap {
      try framed(near: $0).flatMap { isMasked($0) ? nil : try classify($0, sights) }
    }
    return results(classified, expecting: expected)
  }

  private typealias InsetStride = (rows: Range<Int>, spacing: Int)

  /// The candidates through which the chart's own graticule does not continue.
  private func candidates(_ bands: [InsetBand]) -> [InsetCandidate] {
    let sights = bands.flatMap(\.sights)
    return InsetCandidate.all(bands, map).filter { candidate in
      // The bands that show both borders; the upper and lower sides are not known yet.
      let (first, last) = (bands[candidate.bands.lowerBound].rows, bands[candidate.bands.upperBound].rows)
      return !sights.graticule(rows: first.lowerBound..<last.upperBound) { candidate.columns(atRow: $0, map) }
        .surelyContinues
    }
  }

  /// Thin bands of rows, from north to south.
  private func sample(_ strides: [InsetStride], besides known: [InsetBand]) throws -> [InsetBand] {
    try sampledRows(strides, besides: known.map(\.rows)).map { rows in
      // The columns where all of the band is map.
      let spans = zip(map.spans(atRow: rows.lowerBound), map.spans(atRow: rows.upperBound - 1)).map {
        $0.clamped(to: $1)
      }
      return InsetBand(
        try image.rows(rows), spans: spans.filter { !$0.isEmpty }, kinds: kinds, lights: lights,
        graticule: graticule)
    }
  }

  /// Whole blocks of the image if these are thin, since a block is decoded as a whole.
  private func sampledRows(_ strides: [InsetStride], besides known: [Range<Int>]) -> [Range<Int>] {
    let isThin = InsetSurvey.usualBlock.contains(image.blockRows)
    let (height, grid) = isThin ? (image.blockRows, image.blockRows) : (InsetSurvey.bandHeight, 1)
    let starts = strides.flatMap { stride(from: $0.rows.lowerBound, to: $0.rows.upperBound, by: $0.spacing) }
    let bands = Set(starts.map { $0 / grid * grid }).sorted().map { ($0..<$0 + height).clamped(to: map.rows) }
    return bands.reduce(into: []) { chosen, band in
      let isNew = chosen.last.map { $0.upperBound <= band.lowerBound } ?? true
      guard isNew, band.count >= InsetSurvey.usualBlock.lowerBound, !known.contains(where: band.overlaps)
      else { return }
      chosen.append(band)
    }
  }

  /// The rows that a box on the earth covers, with a margin, since its position is rough.
  private func rows(of box: GeoBox) -> InsetStride? {
    let rows = box.lattice.compactMap { projection.pixel(of: $0)?.row }.filter { abs($0) < 1e7 }
    guard let top = rows.min(), let bottom = rows.max() else { return nil }
    let margin = (bottom - top) / 4 + Double(InsetSurvey.fineSpacing)
    return ((Int(top - margin)..<Int(bottom + margin)).clamped(to: map.rows), InsetSurvey.fineSpacing)
  }

  /// From the last band without a candidate's borders to the next one without them.
  private func rows(of candidate: InsetCandidate, _ bands: [InsetBand]) -> InsetStride {
    let (first, last) = (candidate.bands.lowerBound, candidate.bands.upperBound)
    let top = first == 0 ? map.rows.lowerBound : bands[first - 1].rows.upperBound
    let bottom = last == bands.count - 1 ? map.rows.upperBound : bands[last + 1].rows.lowerBound
    return (min(top, bottom)..<bottom, InsetSurvey.fineSpacing)
  }

  /// The candidates whose upper and lower sides are found. Rows between two sampled bands are decoded once for all candidates.
  private func frames(of candidates: [InsetCandidate], _ bands: [InsetBand]) throws -> [FoundInset] {
    var (uppers, lowers) = ([Int: InsetBorder](), [Int: InsetBorder]())
    for gap in 0...bands.count {
      let above = candidates.indices.filter { candidates[$0].bands.lowerBound == gap }
      let below = candidates.indices.filter {
        candidates[$0].bands.upperBound == gap - 1 && uppers[$0] != nil
      }
      guard !above.isEmpty || !below.isEmpty else { continue }
      let tilt = (above + below).map { (abs(candidates[$0].slope) * image.width) >> 16 }.max() ?? 0
      let first = gap == 0 ? map.rows.lowerBound : bands[gap - 1].rows.lowerBound
      let last = gap == bands.count ? map.rows.upperBound : bands[gap].rows.upperBound
      // The next sampled band may lie in the white band, which shows no border if two insets share it.
      let margin = 128 + tilt
      let rows = try image.rows((first - margin..<last + margin).clamped(to: 0..<image.height))
      func border(_ index: Int, isUpper: Bool, _ band: InsetBand) -> InsetBorder? {
        InsetBorder(
          of: candidates[index], isUpper: isUpper, from: band.middle, in: rows, kinds: kinds, map: map)
      }
      for index in above { uppers[index] = border(index, isUpper: true, bands[gap]) }
      for index in below { lowers[index] = border(index, isUpper: false, bands[gap - 1]) }
    }
    return candidates.indices.compactMap { index in
      guard let upper = uppers[index], let lower = lowers[index] else { return nil }
      return FoundInset(candidates[index], upper: upper, lower: lower, map: map)
    }
  }

  /// Whether the definition masks it already.
  private func isMasked(_ inset: FoundInset) -> Bool {
    let points = neatline.masks.isEmpty ? [] : inset.lattice
    return points.count { !neatline.contains($0) } * 2 > points.count
  }
}

extension FoundInset {
  /// Points spread over the rectangle.
  var lattice: [PixelPoint] {
    (0..<25).map { number in
      PixelPoint(
        column: Double(columns.lowerBound + columns.count * (2 * (number % 5) + 1) / 10),
        row: Double(rows.lowerBound + rows.count * (2 * (number / 5) + 1) / 10))
    }
  }
}

extension InsetCandidate {
  /// All pairs of borders, and of a border with the neatline, with colours of a map between them.
  static func all(_ bands: [InsetBand], _ map: MapSpans) -> [InsetCandidate] {
    let (lefts, rights) = (InsetPost.all(bands, \.lefts), InsetPost.all(bands, \.rights))
    let pairs = lefts.flatMap { left in
      rights.filter { $0.points[0].column > left.points[0].column }.map { (left, $0) }
    }
    let candidates =
      pairs.compactMap { InsetCandidate(left: $0, right: $1) }
      + lefts.compactMap { InsetCandidate(left: $0, right: nil) }
      + rights.compactMap { InsetCandidate(left: nil, right: $0) }
    return candidates.filter { $0.hasTint(bands, map) }
  }

  private func hasTint(_ sampled: [InsetBand], _ map: MapSpans) -> Bool {
    let shares = bands.compactMap { number -> Int? in
      let band = sampled[number]
      return columns(atRow: band.middle, map).map(band.tintHundredths)
    }
    return shares.count == bands.count && shares.reduce(0, +) >= 25 * shares.count
  }
}

/// A rectangle with white bands around it, in sheet pixels.
struct FoundInset {
  let candidate: InsetCandidate
  let upper: InsetBorder
  let lower: InsetBorder
  let map: MapSpans

  var rows: Range<Int> { upper.row..<lower.row }
  /// Its narrowest columns, white bands included.
  let columns: Range<Int>

  init?(_ candidate: InsetCandidate, upper: InsetBorder, lower: InsetBorder, map: MapSpans) {
    guard lower.row - upper.row >= InsetCandidate.leastSide,
      let columns = candidate.columns(atRow: (upper.row + lower.row) / 2, map)
    else { return nil }
    (self.candidate, self.upper, self.lower) = (candidate, upper, lower)
    (self.map, self.columns) = (map, columns)
  }

  var sides: [Product.Cut.Inset.Side] {
    [
      candidate.left == nil ? .neatline : .band, lower.side, candidate.right == nil ? .neatline : .band,
      upper.side,
    ]
  }

  var area: Int { columns.count * rows.count }

  /// The pixels that it shares with another.
  func overlap(with other: FoundInset) -> Int {
    columns.clamped(to: other.columns).count * rows.clamped(to: other.rows).count
  }

  /// How far a mask reaches beyond the neatline if the neatline is the inset's side.
  private static let overhang = 24
  /// The softened rim of the band is masked too.
  private static let rim = 1

  /// Its corners on the sheet with the white band, anticlockwise from the upper left one.
  var corners: [PixelPoint] {
    let (top, bottom) = (
      upper.row - (upper.side == .neatline ? FoundInset.overhang : FoundInset.rim),
      lower.row + (lower.side == .neatline ? FoundInset.overhang : FoundInset.rim)
    )
    let ends = stride(from: rows.lowerBound, through: rows.upperBound - 1, by: 16).compactMap {
      map.span(atRow: $0, around: columns.lowerBound + columns.count / 2)
    }
    func left(_ row: Int) -> Int {
      guard let post = candidate.left else {
        return (ends.map(\.lowerBound).min() ?? 0) - FoundInset.overhang
      }
      return post.column(atRow: row, slope: candidate.slope) - FoundInset.rim
    }
    func right(_ row: Int) -> Int {
      guard let post = candidate.right else {
        return (ends.map(\.upperBound).max() ?? 0) + FoundInset.overhang
      }
      return post.column(atRow: row, slope: candidate.slope) + FoundInset.rim
    }
    let rise = (columns.count * candidate.slope) >> 16
    return [
      (left(top), top), (left(bottom), bottom), (right(bottom - rise), bottom - rise),
      (right(top - rise), top - rise),
    ].map { PixelPoint(column: Double($0.0), row: Double($0.1)) }
  }

  /// The mask as edges of a definition.
  func mask(on projection: SheetProjection) -> [NeatlineDefinition.Edge]? {
    let corners = corners
    guard candidate.slope != 0 else {
      return [
        .column(corners[0].column), .row(corners[1].row), .column(corners[2].column), .row(corners[3].row),
      ]
    }
    let places = corners.compactMap { projection.place(of: $0) }
    guard places.count == 4 else { return nil }
    return places.indices.map { .straight(places[$0], places[($0 + 1) % 4]) }
  }

  /// Its box on the earth, to a ten-thousandth of a degree, which is more than a pixel.
  func box(on projection: SheetProjection) -> GeoBox? {
    func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
    let places = corners.compactMap { projection.place(of: $0) }.map {
      GeoPoint(longitude: rounded($0.longitude), latitude: rounded($0.latitude))
    }
    return GeoBox(around: places)
  }
}
