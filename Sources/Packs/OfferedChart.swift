internal import ChartpipeClient
internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

/// An edition of a chart that a pack may be cut from.
struct OfferedChart: Sendable {
  let id: String
  let name: String
  /// The edition's day, such as 2026-11-26; nil for an archive that does not have one.
  let edition: String?
  let effective: Instant?
  let expires: Instant?
  let boxes: [BoundingBox]
  let zooms: ClosedRange<Int>
  /// The charts of which it is a mosaic, or from which its edge tiles were completed.
  let includes: [String]
  /// Where the catalogue lists it; nil for an archive of its own.
  let number: Int?
  let product: Product?
  let archive: URL?

  /// Nil for a product that is no chart, or lacks its extent or its zooms.
  init?(_ product: Product, number: Int) {
    let boxes = product.boundingBoxes ?? product.boundingBox.map { [$0] } ?? []
    guard product.kind == .chart, !boxes.isEmpty, let least = product.minZoom, let largest = product.maxZoom,
      0 <= least, least <= largest, largest <= 24
    else { return nil }
    (id, name, edition) = (product.id, product.name, product.edition)
    effective = Instant(product.effectiveDate)
    expires = Instant(product.expirationDate)
    self.boxes = boxes.map(BoundingBox.init)
    zooms = least...largest
    includes = product.includes ?? []
    (self.number, self.product, archive) = (number, product, nil)
  }

  /// A single archive.
  init(_ file: URL) throws {
    let reader = try ArchiveKind.open(file)
    let rows = try reader.metadata()
    let found = try reader.tileIDs().map(\.zoom)
    guard let least = found.min(), let largest = found.max() else {
      throw UserError(
        .badInput, operation: "cutting a pack from", path: file.path, reason: "there is no tile in it",
        suggestion: "Name another archive.")
    }
    id = file.deletingPathExtension().lastPathComponent
    name = rows["name"] ?? id
    effective = rows["chartpipe:effective"].flatMap { Instant($0) }
    expires = rows["chartpipe:expires"].flatMap { Instant($0) }
    edition = effective.map { "\($0.day)" }
    let whole =
      GeoBox(adjustedIn: rows)?.windows ?? rows["bounds"].flatMap { GeoBox(metadata: $0) }.map { [$0] }
    boxes = (whole ?? [GeoBox(west: -180, south: -90, east: 180, north: 90)]).map(BoundingBox.init)
    zooms = least...largest
    (includes, number, product, archive) = ([], nil, nil, file)
  }

  /// `vfr-sectional`
  var family: String { String(id.prefix { $0 != "/" }) }
  var item: String { id.split(separator: "/").last.map(String.init) ?? id }

  func isInForce(at time: Instant) -> Bool {
    (effective.map { $0 <= time } ?? true) && (expires.map { time < $0 } ?? true)
  }

  func intersects(_ area: FlightArea) -> Bool { boxes.contains(where: area.intersects) }

  func covers(_ place: Coordinate) -> Bool { boxes.contains { $0.contains(place) } }

  /// Whether its boxes contain those of another chart.
  func contains(_ other: OfferedChart) -> Bool {
    other.boxes.allSatisfy { inner in
      boxes.contains {
        $0.west <= inner.west && inner.east <= $0.east && $0.south <= inner.south && inner.north <= $0.north
      }
    }
  }

  /// A mosaic's box contains those of its charts; that of a chart never contains its neighbours'.
  func isMosaic(of charts: [OfferedChart]) -> Bool {
    let parts = charts.filter { includes.contains($0.id) }
    return parts.isEmpty ? false : parts.allSatisfy(contains)
  }
}

extension BoundingBox {
  init(_ box: GeoBox) { self.init(west: box.west, south: box.south, east: box.east, north: box.north) }

  func contains(_ place: Coordinate) -> Bool {
    west <= place.longitude && place.longitude <= east && south <= place.latitude && place.latitude <= north
  }

  /// Whether two boxes that do not wrap have more than an edge in common.
  func overlaps(_ other: BoundingBox) -> Bool {
    west < other.east && other.west < east && south < other.north && other.south < north
  }
}

extension [OfferedChart] {
  /// Of each chart the edition that is in force at a time, of several the latest; without one, the last that has expired or the
  /// first that is still to come.
  func editions(at time: Instant) -> [OfferedChart] {
    Dictionary(grouping: self, by: \.id).values.compactMap { entries in
      let sorted = entries.sorted { ($0.order, $0.number ?? 0) < ($1.order, $1.number ?? 0) }
      return sorted.last { $0.isInForce(at: time) } ?? sorted.last { $0.expires.map { $0 <= time } ?? false }
        ?? sorted.first
    }.sorted { $0.id < $1.id }
  }
}

extension OfferedChart {
  fileprivate var order: Int { effective?.secondsSince1970 ?? 0 }
}
