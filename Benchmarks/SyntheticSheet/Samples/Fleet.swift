public import ChartpipeKit
internal import Core
public import Foundation
internal import ZipWriting

/// Synthetic charts for all charts of a family: every zip with every tif under the FAA's names, and the family's definition at
/// zooms that suit their size. All charts show the same world.
public struct Fleet {
  public let family: ChartFamily
  private let designs: [SheetDesign]

  /// Charts that are drawn small, without details.
  ///
  /// - Parameters:
  ///   - metresPerPixel: a real sectional has 42.
  ///   - fewestPixels: the least shorter side of a map. A chart that would be smaller is drawn at a larger scale.
  ///   - printed: the outlines, by chart, of maps that are not printed within the definition's outline.
  public init(
    _ family: ChartFamily, metresPerPixel: Double, fewestPixels: Int = 300, edition: Edition,
    printed: [String: [NeatlineDefinition.Edge]] = [:]
  ) throws {
    designs = try family.designs(printed) { chart, outline, shorterSide in
      SheetDesign(
        chart, outline, metresPerPixel: min(metresPerPixel, shorterSide / Double(fewestPixels)),
        collarScale: 1, edition: edition)
    }
    self.family = family.fitted(to: metresPerPixel, designs.map(\.metresPerPixel))
  }

  /// Charts with the details and the pixels of the FAA's, or with pixels that are 2, 4, 8 ... times as large.
  ///
  /// - Parameter reductions: how often the size of the pixels is doubled. Each doubling removes the largest zoom.
  public init(_ family: ChartFamily, reductions: Int, texture: SheetTexture, edition: Edition) throws {
    designs = try family.designs([:]) { chart, outline, _ in
      let metres = ChartFamily.metresPerPixel(of: family.zoom(ofScale: chart))
      var design = SheetDesign(
        chart, outline, metresPerPixel: metres * Double(1 << reductions),
        collarScale: metres / ChartFamily.metresPerPixel(of: 12), edition: edition)
      design?.scenery.texture = texture
      design?.scenery.isDense = true
      return design
    }
    self.family = family.reduced(by: reductions)
  }

  /// Writes the zips and the definition, `NAME.json5`. `made` is called for each file.
  public func write(to folder: URL, scratch: URL, made: (String) -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let zips = Dictionary(grouping: zip(family.charts, designs), by: \.0.zip)
    for (name, charts) in zips.sorted(by: { $0.key < $1.key }) {
      var archive = ZipWriter()
      archive.members = try charts.flatMap { try SheetFiles($0.1, scratch: scratch).members }
      if name == zips.keys.max() { archive.members.append(("Stranger SEC.tif", archive.members[0].bytes)) }
      try archive.write(to: folder.appending(path: name).path)
      made(name)
    }
    let definition = "\(family.name).json5"
    try CanonicalJSON.pretty(FamilyFile(family: family)).write(to: folder.appending(path: definition))
    made(definition)
  }
}

/// A family in the form of a file of `pipelines/`.
private struct FamilyFile: Encodable {
  let family: ChartFamily

  private enum Key: String, CodingKey {
    case kind
  }

  func encode(to encoder: any Encoder) throws {
    try family.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("charts", forKey: .kind)
  }
}

extension ChartFamily {
  /// Designs all charts from their outlines. `design` gets the outline and the length in metres of its shorter side.
  fileprivate func designs(
    _ printed: [String: [NeatlineDefinition.Edge]],
    _ design: (ChartDefinition, [NeatlineDefinition.Edge], Double) -> SheetDesign?
  ) throws -> [SheetDesign] {
    try charts.map { chart in
      let outline = printed[chart.id] ?? chart.neatline?.outline ?? ChartFamily.roughOutlines[chart.id]
      guard let outline, let box = SheetDesign.box(of: outline),
        let sheet = design(chart, outline, box.shorterSide(of: outline))
      else {
        throw UserError(
          .badCall, operation: "drawing the charts of \(name)", path: chart.tif,
          reason: "only charts whose extent is known can be drawn")
      }
      return sheet
    }
  }

  /// The largest zoom that a chart's scale needs at the latitudes of the 48 states. The sectional charts of Alaska have one zoom
  /// less, since Web Mercator enlarges the north, but the same scale as the others.
  fileprivate func zoom(ofScale chart: ChartDefinition) -> Int {
    let own = chart.maxZoom ?? tiles.maxZoom
    return chart.tif.hasSuffix(" SEC.tif") ? max(own, tiles.maxZoom) : own
  }

  /// The size of a pixel on the FAA's charts: a chart of 1:500,000 has pixels of 42 m and needs zoom 12.
  fileprivate static func metresPerPixel(of largestZoom: Int) -> Double {
    42.333 * pow(2, Double(12 - largestZoom))
  }

  /// Lowers all zooms.
  fileprivate func reduced(by zooms: Int) -> ChartFamily {
    func lowered(_ zoom: Int) -> Int { max(0, zoom - zooms) }
    var family = self
    (family.tiles.minZoom, family.tiles.maxZoom) = (lowered(tiles.minZoom), lowered(tiles.maxZoom))
    for index in charts.indices {
      family.charts[index].minZoom = charts[index].minZoom.map(lowered)
      family.charts[index].maxZoom = charts[index].maxZoom.map(lowered)
      family.charts[index].insets = nil  // none are drawn
    }
    return family
  }

  /// Sets four zooms, the largest of which shows about all details of pixels of this size. A chart drawn at a larger scale has
  /// more, unless its edges are completed from neighbours, which would be missing there.
  fileprivate func fitted(to metresPerPixel: Double, _ chartMetres: [Double]) -> ChartFamily {
    let deepest = ChartFamily.zoom(showing: metresPerPixel)
    var family = self
    (family.tiles.minZoom, family.tiles.maxZoom) = (max(0, deepest - 3), deepest)
    for index in family.charts.indices {
      let own = ChartFamily.zoom(showing: chartMetres[index])
      let isDeeper = own > deepest && seam == .clean
      (family.charts[index].minZoom, family.charts[index].maxZoom) = (nil, isDeeper ? own : nil)
      family.charts[index].insets = nil  // none are drawn
    }
    return family
  }

  private static func zoom(showing metresPerPixel: Double) -> Int {
    // Of one tile pixel at zoom 0, at 40 degrees of latitude.
    let metresAtZoomZero = 119_900.0
    return min(18, max(0, Int(log2(metresAtZoomZero / metresPerPixel).rounded())))
  }

  /// The approximate positions of charts whose neatlines the build detects.
  fileprivate static let roughOutlines: [String: [NeatlineDefinition.Edge]] = [
    "Mariana_Islands_Inset": GeoBox(west: 143, south: 12.75, east: 146.54, north: 16.1),
    "Colorado_Springs": GeoBox(west: -105.52, south: 37.8, east: -103.48, north: 39.27),
    "Eastern_Long_Island": GeoBox(west: -73.58, south: 40.47, east: -71.83, north: 41.21),
    "US_Wall": GeoBox(west: -125, south: 24, east: -70, north: 48),
    "AK_Wall": GeoBox(west: -175, south: 52, east: -130, north: 70),
  ].mapValues { box in
    [
      .meridian(box.west), .parallel(box.south),
      .columnThrough(GeoPoint(longitude: box.east, latitude: box.north)),
      .rowThrough(GeoPoint(longitude: box.west, latitude: box.north)),
    ]
  }
}

/// A chart of a definition as a sheet with its own projection. The map is inside the definition's outline. The
/// collar is like the FAA's: broad in the west, narrow in the south, cut off in the east and north.
extension SheetDesign {
  /// Metres on a sectional.
  private static let collar = (west: 90_000.0, south: 25_000.0)
  /// Pixels of paper beyond the cuts in the east and north.
  private static let rim = 4.0

  /// Nil if the outline's edges do not define an extent.
  fileprivate init?(
    _ chart: ChartDefinition, _ outline: [NeatlineDefinition.Edge], metresPerPixel metres: Double,
    collarScale: Double, edition: Edition
  ) {
    guard let box = SheetDesign.box(of: outline) else { return nil }
    let middle = box.center
    let band = (middle.latitude / 8).rounded(.down) * 8
    self.init(
      name: chart.name, series: .sectional,
      projection: LambertConformal(standardParallels: (band + 20.0 / 3, band + 4.0 / 3), origin: middle),
      metresPerPixel: metres, width: 0, height: 0, originX: 0, originY: 0,
      neatline: NeatlineDefinition(outline: outline), edition: edition,
      features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
    givenStem = chart.tif.hasSuffix(".tif") ? String(chart.tif.dropLast(4)) : chart.tif
    scenery.isSmallScale = true
    frame(collarScale)
  }

  /// Fits the image around the map.
  private mutating func frame(_ collarScale: Double) {
    let border = MapBorder(self).rings[0]
    let (xs, ys) = (border.map(\.x), border.map(\.y))
    let left = (xs.min() ?? 0) - (SheetDesign.collar.west * collarScale / metresPerPixel).rounded(.up)
    let top = (ys.min() ?? 0) - SheetDesign.rim
    let right = (xs.max() ?? 0) + SheetDesign.rim
    let bottom = (ys.max() ?? 0) + (SheetDesign.collar.south * collarScale / metresPerPixel).rounded(.up)
    width = Int((right - left).rounded(.up))
    height = Int((bottom - top).rounded(.up))
    originX = (left * metresPerPixel).rounded()
    originY = (-top * metresPerPixel).rounded()
  }

  /// The extent that the edges define. Its east is beyond 180 if it crosses that line.
  fileprivate static func box(of outline: [NeatlineDefinition.Edge]) -> GeoBox? {
    let extent = outline.map(\.extent)
    let latitudes = extent.flatMap(\.latitudes)
    guard let first = extent.flatMap(\.longitudes).first, let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    // Relative to the first one, so that they continue across 180 degrees.
    let longitudes = extent.flatMap(\.longitudes).map { first + ($0 - first).remainder(dividingBy: 360) }
    guard let west = longitudes.min(), let east = longitudes.max(), west < east, south < north else {
      return nil
    }
    return GeoBox(west: west, south: south, east: east, north: north)
  }
}

extension NeatlineDefinition.Edge {
  /// The part of the extent that an edge defines. A cut defines only the line that it cuts.
  fileprivate var extent: (longitudes: [Double], latitudes: [Double]) {
    switch self {
    case .meridian(let degrees): ([degrees], [])
    case .parallel(let degrees): ([], [degrees])
    case .columnThrough(let place): ([place.longitude], [])
    case .rowThrough(let place): ([], [place.latitude])
    case .straight(let a, let b): ([a.longitude, b.longitude], [a.latitude, b.latitude])
    case .column, .row: ([], [])
    }
  }
}

extension GeoBox {
  /// The shorter side of a map in metres, roughly. A map between straight edges is tilted, and narrower than its box.
  fileprivate func shorterSide(of outline: [NeatlineDefinition.Edge]) -> Double {
    let degree = 111_000.0
    let shrink = cos(center.latitude * .pi / 180)
    let straights = outline.compactMap { edge -> Double? in
      guard case .straight(let from, let to) = edge else { return nil }
      return hypot(to.latitude - from.latitude, (to.longitude - from.longitude) * shrink)
    }
    return ([north - south, (east - west) * shrink] + straights).min().map { $0 * degree } ?? 0
  }
}
