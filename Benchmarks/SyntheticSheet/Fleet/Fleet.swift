internal import ArchiveIO
internal import Core
public import Foundation
public import Pipeline

/// Stand-ins for all charts of a family: every zip with every tif under the FAA's names, drawn small, with one world over
/// all of them, and the family's definition at zooms that suit their size.
public struct Fleet {
  public let family: ChartFamily
  private let designs: [SheetDesign]

  /// - Parameters:
  ///   - metresPerPixel: a real sectional has 42.
  ///   - fewestPixels: of the shorter side of a map. A chart that would have fewer is drawn at a larger scale.
  ///   - printed: the outlines, by chart, within which the map is printed where that is not the definition's outline.
  public init(
    _ family: ChartFamily, metresPerPixel: Double, fewestPixels: Int = 300, edition: Edition,
    printed: [String: [NeatlineDefinition.Edge]] = [:]
  ) throws {
    let designs = try family.charts.map { chart in
      let outline = printed[chart.id] ?? chart.neatline?.outline ?? ChartFamily.roughOutlines[chart.id]
      guard let outline,
        let design = SheetDesign(
          chart, outline, metresPerPixel: metresPerPixel, fewestPixels: fewestPixels, edition: edition)
      else {
        throw UserError(
          .badCall, operation: "drawing the charts of \(family.name)", path: chart.tif,
          reason: "only charts whose extent is known can be drawn")
      }
      return design
    }
    self.designs = designs
    self.family = family.fitted(to: metresPerPixel, designs.map(\.metresPerPixel))
  }

  /// Writes the zips and the definition, `NAME.json5`; `made` is told of each file.
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

/// A family as a file of `pipelines/` has it.
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
  /// With four zooms, of which the largest shows about all that pixels of this size hold. A chart that is drawn at a larger
  /// scale has more, unless its edges are completed from neighbours, which would be missing there.
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

  /// About where the charts lie whose neatlines the build has to find.
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
