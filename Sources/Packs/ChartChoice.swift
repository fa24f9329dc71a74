internal import ChartpipeClient
internal import Core
internal import Foundation

/// The choice of the charts for a pack.
struct ChartChoice: Sendable {
  /// One mosaic, or charts that are joined as in a mosaic.
  let charts: [SourceChart]
  /// Notes for the user about the choice.
  let notes: [String]

  /// - Parameter isReadable: whether a mosaic can be read in part. One that must be downloaded whole is not used.
  init(
    _ candidates: [SourceChart], for area: FlightArea, wanted: [String], zooms: ClosedRange<Int>?,
    at time: Instant, allowsExpired: Bool,
    isReadable: (SourceChart) throws -> Bool
  ) throws {
    let editions = candidates.editions(at: time)
    guard !editions.isEmpty else {
      throw ChartChoice.userError("there are no charts", "Name a site, a build folder or an archive.")
    }
    if !wanted.isEmpty, let chosen = try ChartChoice.named(wanted, among: editions) {
      let near = chosen.filter { $0.intersects(area) }
      let others = chosen.filter { !$0.intersects(area) }
      let neighbours =
        near.isEmpty
        ? [] : ChartChoice.neighbours(of: near, among: others, area, lowestZoom: zooms?.lowerBound)
      charts = (near + neighbours).sorted { $0.id < $1.id }
      notes = []
    } else {
      guard let family = wanted.first ?? ChartChoice.family(of: editions, for: area) else {
        throw ChartChoice.noneInArea
      }
      let choice = try ChartChoice.parts(editions.filter { $0.family == family }, area, isReadable)
      let neighbours = try ChartChoice.neighbours(
        of: choice.charts, among: choice.others, area, lowestZoom: zooms?.lowerBound
      ).filter { try (allowsExpired || $0.dates.isInForce(at: time)) && isReadable($0) }
      charts = (choice.charts + neighbours).sorted { $0.id < $1.id }
      let others = Set(editions.filter { $0.intersects(area) }.map(\.family)).subtracting([family]).sorted()
      let more =
        others.isEmpty || !wanted.isEmpty
        ? []
        : [
          "Charts of \(family). Others of the area: \(others.joined(separator: ", ")); choose with --charts."
        ]
      notes = more + choice.notes
    }
    guard !charts.isEmpty else { throw ChartChoice.noneInArea }
  }

  /// Returns the charts named by id; nil when a family was named.
  private static func named(_ wanted: [String], among editions: [SourceChart]) throws -> [SourceChart]? {
    let families = Set(editions.map(\.family))
    if wanted.count == 1, families.contains(wanted[0]) { return nil }
    let charts = try wanted.map { name in
      let found = editions.filter { $0.id == name || $0.item == name }
      guard found.count <= 1 else {
        throw userError(
          "\"\(name)\" is \(found.map(\.id).joined(separator: " and "))", "Write the whole id.", .badCall)
      }
      guard let chart = found.first else {
        let known = families.sorted() + editions.map(\.id) + editions.map(\.item)
        throw userError(
          "there is no chart and no family \"\(name)\"",
          didYouMean(name, among: known, or: "Families: \(families.sorted().joined(separator: ", ")).") ?? "",
          .badCall)
      }
      return chart
    }
    return Dictionary(first: charts.map { ($0.id, $0) }).values.sorted { $0.id < $1.id }
  }

  private static var noneInArea: UserError {
    userError(
      "none of the charts intersects the area",
      "Compare the area with the charts: `chartpipe preview` shows them.")
  }

  /// Returns the family whose charts cover most of the area; nil if none intersects it. Among equals, it prefers the one with the
  /// largest extent, then the one with the larger zooms.
  private static func family(of editions: [SourceChart], for area: FlightArea) -> String? {
    let near = Dictionary(grouping: editions.filter { $0.intersects(area) }, by: \.family)
    let tiles = area.sampleTiles
    let ranked = near.map { family, charts in
      let covered = tiles.filter { tile in charts.contains { $0.boxes.contains(where: tile.overlaps) } }.count
      let whole = editions.filter { $0.family == family }
      // A mosaic covers what its charts cover.
      let all = whole.filter { !$0.isMosaic(of: whole) }.flatMap(\.boxes)
      return (
        covered: covered, extent: all.map { ($0.east - $0.west) * ($0.north - $0.south) }.reduce(0, +),
        zoom: charts.map(\.zooms.upperBound).max() ?? 0, family: family
      )
    }
    return ranked.max {
      ($0.covered, $0.extent, $0.zoom, $1.family) < ($1.covered, $1.extent, $1.zoom, $0.family)
    }?.family
  }

  /// Returns the mosaic of a family if it includes the needed charts, otherwise its charts; and the neighbours that may be joined.
  private static func parts(
    _ family: [SourceChart], _ area: FlightArea, _ isReadable: (SourceChart) throws -> Bool
  ) throws -> (charts: [SourceChart], others: [SourceChart], notes: [String]) {
    let mosaics = family.filter { $0.isMosaic(of: family) }
    let singles = family.filter { chart in !mosaics.contains { $0.id == chart.id } }
    let near = singles.filter { $0.intersects(area) }
    if let mosaic = mosaics.first(where: { $0.intersects(area) }), try near.isEmpty || isReadable(mosaic) {
      let missing = near.filter { !mosaic.includes.contains($0.id) }.map(\.id)
      if missing.count < near.count || near.isEmpty {
        let note =
          "The mosaic \(mosaic.id) does not include \(missing.joined(separator: ", ")); choose with --charts."
        return ([mosaic], [], missing.isEmpty ? [] : [note])
      }
    }
    // A chart inside another one is printed on top of it, in another scale.
    let insets = Set(
      singles.filter { inner in
        singles.contains { $0.id != inner.id && $0.contains(inner) && !inner.contains($0) }
      }.map(\.id))
    let leftOut = near.map(\.id).filter(insets.contains)
    let note =
      "Left out, because another chart surrounds it: \(leftOut.joined(separator: ", ")); choose with --charts."
    return (
      near.filter { !insets.contains($0.id) },
      singles.filter { single in !insets.contains(single.id) && !near.contains { $0.id == single.id } },
      leftOut.isEmpty ? [] : [note]
    )
  }

  /// Returns charts beyond the area that show a part of its tiles, as in a mosaic.
  private static func neighbours(
    of charts: [SourceChart], among others: [SourceChart], _ area: FlightArea, lowestZoom: Int?
  ) -> [SourceChart] {
    guard !others.isEmpty, let zoom = lowestZoom ?? charts.map(\.zooms.lowerBound).min() else { return [] }
    let tiles = area.tiles(zooms: zoom...zoom) { tile in
      let box = tile.box
      return (charts + others).contains { $0.boxes.contains(where: box.overlaps) }
    }.map(\.box)
    return others.filter { other in tiles.contains { other.boxes.contains(where: $0.overlaps) } }
  }

  static func userError(_ problem: String, _ remedy: String, _ kind: UserError.Kind = .badInput) -> UserError
  {
    UserError(kind, operation: "choosing charts", reason: problem, suggestion: remedy)
  }
}

extension FlightArea {
  /// Boxes of similar size that cover the area, a few dozen to a few hundred.
  fileprivate var sampleTiles: [GeoBox] {
    for zoom in 6...14 {
      let tiles = tiles(zooms: zoom...zoom)
      if tiles.count >= 40 || zoom == 14 { return tiles.map(\.box) }
    }
    return []
  }
}

/// An edition of a chart in a pack's source.
struct SourceChart: Sendable {
  let id: String
  let name: String
  /// The edition's date, such as 2026-11-26; nil for an archive without one.
  let edition: String?
  let dates: DatedProduct
  let boxes: [GeoBox]
  let zooms: ClosedRange<Int>
  /// The charts of a mosaic, or the charts that completed its edge tiles.
  let includes: [String]
  /// The index in the catalogue; nil for a single archive.
  let number: Int?
  let product: Product?
  let archive: URL?

  /// Returns nil for a product that is not a chart or has no extent or zooms.
  init?(_ product: Product, number: Int) {
    let boxes = product.boundingBoxes ?? product.boundingBox.map { [$0] } ?? []
    guard product.kind == .chart, !boxes.isEmpty, let least = product.minZoom, let largest = product.maxZoom,
      0 <= least, least <= largest, largest <= 24
    else { return nil }
    (id, name, edition) = (product.id, product.name, product.edition.description)
    dates = product.dates
    self.boxes = boxes
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
        .badInput, operation: "cutting a pack from", path: file.path, reason: "it has no tiles",
        suggestion: "Name another archive.")
    }
    id = file.deletingPathExtension().lastPathComponent
    name = rows["name"] ?? id
    dates = DatedProduct(
      id: id, effective: rows["chartpipe:effective"].flatMap { Instant($0) },
      expires: rows["chartpipe:expires"].flatMap { Instant($0) })
    edition = dates.effective.map { "\($0.day)" }
    let whole =
      GeoBox(adjustedIn: rows)?.windows ?? rows["bounds"].flatMap { GeoBox(metadata: $0) }.map { [$0] }
    boxes = try whole ?? [reader.tileBox()]
    zooms = least...largest
    (includes, number, product, archive) = ([], nil, nil, file)
  }

  /// `vfr-sectional`
  var family: String { id.pipelineOfID }
  var item: String { id.itemOfID }

  func intersects(_ area: FlightArea) -> Bool { boxes.contains(where: area.intersects) }

  /// Whether its boxes contain those of another chart.
  func contains(_ other: SourceChart) -> Bool {
    other.boxes.allSatisfy { inner in boxes.contains { $0.contains(inner) } }
  }

  /// A mosaic's box contains those of its charts; that of a chart never contains its neighbours'.
  func isMosaic(of charts: [SourceChart]) -> Bool {
    let parts = charts.filter { includes.contains($0.id) }
    return parts.isEmpty ? false : parts.allSatisfy(contains)
  }
}

extension GeoBox {
  /// Whether two boxes that do not wrap have more than an edge in common.
  func overlaps(_ other: GeoBox) -> Bool {
    west < other.east && other.west < east && south < other.north && other.south < north
  }
}

extension [SourceChart] {
  /// Of each chart the edition that is in force at a time, of several the latest; without one, the last that has expired or the
  /// first that is still to come.
  func editions(at time: Instant) -> [SourceChart] {
    Dictionary(grouping: self, by: \.id).values.compactMap { entries in
      let sorted = entries.sorted { ($0.order, $0.number ?? 0) < ($1.order, $1.number ?? 0) }
      return sorted.last { $0.dates.isInForce(at: time) }
        ?? sorted.last { $0.dates.expires.map { $0 <= time } ?? false } ?? sorted.first
    }.sorted { $0.id < $1.id }
  }
}

extension SourceChart {
  fileprivate var order: Int { dates.effective?.secondsSince1970 ?? 0 }
}
