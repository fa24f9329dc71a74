internal import ChartpipeClient
internal import Core
internal import Pipeline

/// Which charts a pack is cut from.
struct ChartChoice: Sendable {
  /// One mosaic, or charts that are joined as in a mosaic.
  let charts: [OfferedChart]
  /// What the user should know of the choice.
  let notes: [String]

  /// - Parameter isReadable: whether a mosaic can be read in part; one that must be downloaded whole is not taken.
  init(
    _ offered: [OfferedChart], for area: FlightArea, wanted: [String], zooms: ClosedRange<Int>?,
    at time: Instant, allowsExpired: Bool,
    isReadable: (OfferedChart) throws -> Bool
  ) throws {
    let editions = offered.editions(at: time)
    guard !editions.isEmpty else {
      throw ChartChoice.fault("there are no charts", "Name a site, a build folder or an archive.")
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
      let family = try wanted.first ?? ChartChoice.family(of: editions, for: area)
      let choice = try ChartChoice.parts(editions.filter { $0.family == family }, area, isReadable)
      let neighbours = try ChartChoice.neighbours(
        of: choice.charts, among: choice.others, area, lowestZoom: zooms?.lowerBound
      ).filter { try (allowsExpired || $0.isInForce(at: time)) && isReadable($0) }
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
    guard !charts.isEmpty else {
      throw ChartChoice.fault(
        "none of the charts reaches into the area",
        "Compare the area with the charts: `chartpipe preview` shows them.")
    }
  }

  /// Charts that were named by id; nil when a family was named.
  private static func named(_ wanted: [String], among editions: [OfferedChart]) throws -> [OfferedChart]? {
    let families = Set(editions.map(\.family))
    if wanted.count == 1, families.contains(wanted[0]) { return nil }
    let charts = try wanted.map { name in
      let found = editions.filter { $0.id == name || $0.item == name }
      guard found.count <= 1 else {
        throw fault(
          "\"\(name)\" is \(found.map(\.id).joined(separator: " and "))", "Write the whole id.", .badCall)
      }
      guard let chart = found.first else {
        let near = nearest(to: name, among: families.sorted() + editions.map(\.id) + editions.map(\.item))
        throw fault(
          "there is no chart and no family \"\(name)\"",
          (near.map { "Did you mean \($0)? " } ?? "")
            + "Families: \(families.sorted().joined(separator: ", ")).",
          .badCall)
      }
      return chart
    }
    return Dictionary(charts.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
  }

  /// The family whose charts cover most of the area; of several, the one that covers most of the earth, then
  /// the one with the larger zooms.
  private static func family(of editions: [OfferedChart], for area: FlightArea) throws -> String {
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
    guard
      let best = ranked.max(by: {
        ($0.covered, $0.extent, $0.zoom, $1.family) < ($1.covered, $1.extent, $1.zoom, $0.family)
      })
    else {
      throw fault(
        "none of the charts reaches into the area",
        "Compare the area with the charts: `chartpipe preview` shows them.")
    }
    return best.family
  }

  /// The mosaic of a family where it holds what is needed, else its charts; and the charts that may be joined with those.
  private static func parts(
    _ family: [OfferedChart], _ area: FlightArea, _ isReadable: (OfferedChart) throws -> Bool
  ) throws -> (charts: [OfferedChart], others: [OfferedChart], notes: [String]) {
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

  /// Charts beyond the area that show a part of its tiles: in a mosaic they would be there too.
  private static func neighbours(
    of charts: [OfferedChart], among others: [OfferedChart], _ area: FlightArea, lowestZoom: Int?
  ) -> [OfferedChart] {
    guard !others.isEmpty, let zoom = lowestZoom ?? charts.map(\.zooms.lowerBound).min() else { return [] }
    let tiles = area.tiles(zooms: zoom...zoom) { tile in
      let box = tile.box
      return (charts + others).contains { $0.boxes.contains(where: box.overlaps) }
    }.map(\.box)
    return others.filter { other in tiles.contains { other.boxes.contains(where: $0.overlaps) } }
  }

  static func fault(_ problem: String, _ remedy: String, _ kind: UserError.Kind = .badInput) -> UserError {
    UserError(kind, operation: "choosing charts", reason: problem, suggestion: remedy)
  }
}

extension FlightArea {
  /// Boxes of about equal size that cover the area, a few dozen to a few hundred of them.
  fileprivate var sampleTiles: [BoundingBox] {
    for zoom in 6...14 {
      let tiles = tiles(zooms: zoom...zoom)
      if tiles.count >= 40 || zoom == 14 { return tiles.map(\.box) }
    }
    return []
  }
}
