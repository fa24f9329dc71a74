internal import Core
internal import Foundation

/// A chart on the map of its family.
struct MappedChart {
  enum State: String, CaseIterable {
    case fresh, same, held, missing

    /// The mark beside the name shows the state where the colour does not.
    var words: (title: String, mark: String) {
      switch self {
      case .fresh: ("new or changed", "●")
      case .same: ("unchanged", "")
      case .held: ("held back", "!")
      case .missing: ("missing", "✕")
      }
    }
  }

  let id: String
  let name: String
  let state: State
  /// What a pointer shows: the name, the state and more.
  let detail: String
  let link: String
  /// Nil if the ground is not known.
  let rings: [[GeoPoint]]?
  var isCovered: Bool { state == .same || state == .fresh }
}

/// The charts of one family.
struct MappedFamily {
  /// `vfr-sectional`
  let name: String
  /// By id.
  var charts: [MappedChart]
  private static let fewest = 2

  /// The families with at least two charts, the largest first, since the report opens the first map.
  static func all(_ content: ReportContent) -> [MappedFamily] {
    let charts = Dictionary(grouping: content.mappedCharts, by: \.id.pipelineOfID)
    return charts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.compactMap { name, charts in
      guard charts.count >= fewest, charts.contains(where: { $0.rings != nil }) else { return nil }
      return MappedFamily(name: name, charts: charts.sorted { $0.id < $1.id })
    }
  }

  func count(_ state: MappedChart.State) -> Int { charts.count { $0.state == state } }
}

/// Finds the outlines of charts: in their archives, in those of earlier editions, or in the definitions.
extension ReportContent {
  fileprivate var mappedCharts: [MappedChart] { stagedCharts + heldCharts + missingCharts }

  private var stagedCharts: [MappedChart] {
    products(.chart).filter(\.product.isOnMap).map { placed in
      let product = placed.product
      let isRefused = errors.contains { $0.product == product.id }
      let state: MappedChart.State = isRefused ? .held : isUnchanged(product) ? .same : .fresh
      return MappedChart(
        id: product.id, name: product.name, state: state,
        detail: "\(product.name): \(isRefused ? "refused" : change(product)), edition \(product.edition)",
        link: ReportContent.fragment(product.id), rings: ReportContent.rings(of: placed))
    }
  }

  private var heldCharts: [MappedChart] {
    held.filter { $0.kind == .chart && $0.because == nil }.compactMap { held -> MappedChart? in
      guard held.outline != nil || kept(held.id) != nil else { return nil }
      let stays = held.published.map { ", the edition of \($0.edition) stays published" } ?? ""
      return MappedChart(
        id: held.id, name: held.name, state: .held, detail: "\(held.name): held back\(stays)", link: "held",
        rings: kept(held.id).flatMap(ReportContent.rings) ?? ReportContent.ring(held.outline))
    }
  }

  private var missingCharts: [MappedChart] {
    let failures = Dictionary(failures.map { ($0.id, $0) }) { _, last in last }
    return missing.compactMap { id -> MappedChart? in
      let outline = failures[id]?.outline
      let placed = kept(id)
      // An earlier edition shows whether it is a mosaic.
      guard outline != nil || placed?.product.isOnMap != false else { return nil }
      let name = placed?.product.name ?? id.itemOfID.replacing("_", with: " ")
      let stays = placed.map { ", the edition of \($0.product.edition) stays published" } ?? ""
      return MappedChart(
        id: id, name: name, state: .missing, detail: "\(name): missing\(stays)", link: "missing",
        rings: placed.flatMap(ReportContent.rings) ?? ReportContent.ring(outline))
    }
  }

  private func kept(_ id: String) -> PlacedProduct? { kept.first { $0.product.id == id } }

  private func isUnchanged(_ product: Product) -> Bool {
    guard let tiles = facts[product.id]?.change?.tiles else { return false }
    return tiles.differing == 0
  }

  private func change(_ product: Product) -> String {
    guard let change = facts[product.id]?.change, let tiles = change.tiles else { return "new" }
    return tiles.differing == 0
      ? "unchanged since \(change.cycle)"
      : "\(Counts.of(tiles.differing, "tile")) changed since \(change.cycle)"
  }

  /// The neatline in the archive, or else the box of the product. An unreadable archive does not stop the report.
  private static func rings(of placed: PlacedProduct) -> [[GeoPoint]]? {
    let product = placed.product
    let text = product.archive.flatMap { archive in
      try? ArchiveKind.open(placed.folder.appending(path: archive.path)).metadata()["chartpipe:neatline"]
    }
    if let shape = text.flatMap({ GeoJSONPolygons(text: $0) }) {
      return shape.polygons.compactMap { ring($0[0]) }.flatMap(\.self)
    }
    let boxes = product.boundingBoxes ?? product.boundingBox.map { [$0] }
    return boxes.map { $0.map(frame) }
  }

  private static func ring(_ positions: [[Double]]?) -> [[GeoPoint]]? {
    guard let positions, positions.count >= 3,
      positions.allSatisfy({ $0.count >= 2 && abs($0[0]) <= 360 && abs($0[1]) < 90 })
    else { return nil }
    return [positions.map { GeoPoint(longitude: $0[0], latitude: $0[1]) }]
  }

  private static func frame(_ box: GeoBox) -> [GeoPoint] {
    [(box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north)]
      .map { GeoPoint(longitude: $0.0, latitude: $0.1) }
  }
}

extension Product {
  /// Whether it is a single chart in its standard form. A mosaic would cover all others.
  fileprivate var isOnMap: Bool { kind == .chart && variantOf == nil && (cut != nil || region != nil) }
}
