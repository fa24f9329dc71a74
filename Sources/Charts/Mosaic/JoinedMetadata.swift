internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

extension ArchiveMetadata {
  /// What is said of several charts in one archive, of which this is the first one's.
  func joined(
    _ packs: [JoinedPack], as mosaic: MosaicDefinition, of family: ChartFamily
  ) throws -> ArchiveMetadata {
    var whole = self
    whole.name = mosaic.name
    whole.take(extentOf: try packs.map { try $0.archiveMetadata() })
    whole.minZoom = family.tiles.minZoom
    whole.maxZoom = family.tiles.maxZoom
    whole.description = "\(family.title): \(mosaic.name), edition of \(packs[0].pack.product.edition)"
    whole.extra["chartpipe:source_sha256"] = packs.compactMap { $0.metadata["chartpipe:source_sha256"] }
      .withoutDoubles.joined(separator: ",")
    whole.extra["chartpipe:neatline"] = String(
      decoding: try CanonicalJSON.line(GeoJSONPolygons(packs.flatMap(\.shape.polygons))), as: UTF8.self
    ).trimmingCharacters(in: .newlines)
    return whole
  }

  private mutating func take(extentOf charts: [ArchiveMetadata]) {
    let boxes = charts.map { $0.adjustedBounds ?? $0.bounds }
    let extent = GeoBox(aroundWorld: boxes) ?? bounds
    adjustedBounds = extent.windows.count == 1 ? nil : extent
    bounds = extent.windows.dropFirst().reduce(extent.windows[0]) { $0.union($1) }
    let turned = boxes.map { $0.west < extent.west ? $0.turned : $0 }
    let middle = GeoPoint(
      longitude: (extent.west + extent.east) / 2, latitude: (extent.south + extent.north) / 2)
    opening = turned.contains { $0.contains(middle) } ? nil : GeoBox.middleOne(of: turned)?.center
  }
}

extension GeoBox {
  /// The same place a turn farther east.
  fileprivate var turned: GeoBox { GeoBox(west: west + 360, south: south, east: east + 360, north: north) }

  /// The box that lies amid the others: as many are west of about there as east, and as many south as north.
  fileprivate static func middleOne(of boxes: [GeoBox]) -> GeoBox? {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    guard !boxes.isEmpty else { return nil }
    let x = median(boxes.map { $0.west + $0.east }) / 2
    let y = median(boxes.map { $0.south + $0.north }) / 2
    func distance(_ box: GeoBox) -> Double {
      abs((box.west + box.east) / 2 - x) + abs((box.south + box.north) / 2 - y)
    }
    return boxes.min { distance($0) < distance($1) }
  }
}

extension Array where Element: Equatable {
  /// Each element once, where it stood first.
  var withoutDoubles: [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
