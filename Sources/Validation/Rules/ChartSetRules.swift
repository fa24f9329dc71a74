internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import TileArchive

/// The charts of a family together, against the ground that its definition says they cover.
struct ChartsCover: CycleRule {
  let name = "charts-cover"
  let protects = "No strip of land is on none of the charts, where two of them were thought to meet."

  /// Degrees from one place that is looked at to the next.
  private static let step = 0.1
  private static let shown = 3
  /// A definition that is nonsense could ask for millions.
  private static let limit = 500_000

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.families.compactMap { family -> Finding? in
      // What is still missing is told otherwise, and explains any hole.
      guard family.isComplete, let covers = family.covers,
        family.charts.contains(where: { chart in cycle.products.contains { $0 === chart } })
      else { return nil }
      let neatlines = family.charts.compactMap(\.ownWords.neatline)
      // A file that cannot be read is another rule's finding.
      guard neatlines.count == family.charts.count else { return nil }
      let insets = family.charts.flatMap { $0.product.cut?.insets ?? [] }
        .filter { $0.verdict == .masked }
      let holes = covers.flatMap { ChartsCover.places($0) }.filter { place in
        let (x, y) = WebMercator.project(place)
        // The paper chart shows another place's map there.
        return !insets.contains { $0.box.contains(place) }
          && !neatlines.contains { $0.contains(PlanePoint(x: x, y: y)) }
      }
      guard !holes.isEmpty else { return nil }
      let examples = holes.prefix(ChartsCover.shown).map { "\($0.longitude),\($0.latitude)" }
      // The fault of no single chart, so it names no product.
      return error(
        "\(family.pipeline) of cycle \(family.charts[0].product.cycle)",
        "the charts of \(family.pipeline) leave \(Counts.of(holes.count, "place")) uncovered of those a tenth of a degree "
          + "apart that `covers` promises, such as \(examples.joined(separator: " and ")); look at their neatlines there"
      )
    }
  }

  /// The middles of squares that share the box out.
  private static func places(_ box: [Double]) -> [GeoPoint] {
    guard box.count == 4, case let (width, height) = (box[2] - box[0], box[3] - box[1]), width > 0,
      height > 0,
      width <= 360, height <= 180, width * height / (step * step) < Double(limit)
    else { return [] }
    let (columns, rows) = (max(1, Int((width / step).rounded())), max(1, Int((height / step).rounded())))
    return (0..<rows * columns).map { number in
      let (row, column) = number.quotientAndRemainder(dividingBy: columns)
      let longitude = box[0] + (Double(column) + 0.5) * width / Double(columns)
      let latitude = box[1] + (Double(row) + 0.5) * height / Double(rows)
      return GeoPoint(
        longitude: (longitude * 1000).rounded() / 1000, latitude: (latitude * 1000).rounded() / 1000)
    }
  }
}

/// What the last cycle had and this one has not. Pipelines of which nothing is there yet may still be staged.
struct ChartsVanished: CycleRule {
  let name = "charts-vanished"
  let protects = "No chart disappears from the app unnoticed."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    let present = Set(cycle.all.map(\.product.id))
    let pipelines = Set(present.map(ChartsVanished.pipeline))
    return cycle.lastCycle.map(\.product).filter {
      !present.contains($0.id) && pipelines.contains(ChartsVanished.pipeline($0.id))
    }.sorted { $0.id < $1.id }.map { product in
      Finding(
        rule: name, severity: .warning, where: "\(product.id) of cycle \(product.cycle)",
        message: "this cycle does not have it; build it, or inform the users that it is gone",
        product: product.id)
    }
  }

  /// `vfr-sectional` of `vfr-sectional/San_Francisco`.
  private static func pipeline(_ id: String) -> Substring { id.prefix { $0 != "/" } }
}

/// The tiles of each chart against those of its last cycle.
struct TilesChanged: CycleRule {
  let name = "tiles-changed"
  let protects =
    "No chart lost a part of its map, or stayed the old one, although a new edition was published."

  /// The share says nothing of a zoom of a few tiles.
  private static let fewTiles = 24

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .chart }.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject), let old = before.file(role: "tiles"),
        let new = subject.file(role: "tiles"), let difference = try compare(old, new)
      else { return [] }
      let tiles = ProductFacts.Change.Tiles(
        same: difference.same, changed: difference.changed, added: difference.added,
        removed: difference.removed)
      cycle.note(subject) { $0.change = .init(cycle: before.product.cycle, tiles: tiles) }
      return stale(subject, before.product, difference) + losses(subject, before.product, difference)
    }
  }

  /// Nil where a file is not there or is no archive, which other rules tell.
  private func compare(_ old: URL, _ new: URL) throws -> ArchiveDifference? {
    guard [old, new].allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else { return nil }
    return try? ArchiveDifference(from: old, to: new)
  }

  private func stale(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    guard before.edition != subject.product.edition,
      difference.changed + difference.added + difference.removed == 0
    else { return [] }
    return [
      finding(
        .warning, subject, "",
        "not one tile differs from those of the edition of \(before.edition); look whether its source is the new one"
      )
    ]
  }

  private func losses(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    let limit = subject.product.build.tileLoss ?? .init()
    return difference.before.sorted { $0.key < $1.key }.compactMap { zoom, old in
      // Another choice of zooms is somebody's will.
      guard old >= TilesChanged.fewTiles, let new = difference.now[zoom] else { return nil }
      let change = Double(new - old) / Double(old)
      guard abs(change) > limit.warn else { return nil }
      return finding(
        -change >= limit.stop ? .error : .warning, subject, "zoom \(zoom)",
        "it has \(Counts.of(new, "tile")), \(Int((abs(change) * 100).rounded())) % \(change < 0 ? "fewer" : "more") "
          + "than the \(Counts.grouped(old)) of cycle \(before.cycle); look at both, and if the FAA did lay the "
          + "chart out anew, accept it")
    }
  }
}

/// The products of a cycle beside each other: of one issue, and of the same sources.
struct CycleUnmixed: CycleRule {
  let name = "cycle-unmixed"
  let protects = "No cycle is put together of one month's airports and another month's airspace."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    issues(cycle) + bases(cycle) + sources(cycle)
  }

  /// Those of one kind and one pipeline are of one issue.
  private func issues(_ cycle: CycleUnderTest) -> [Finding] {
    let groups = Dictionary(grouping: cycle.all) { subject in
      subject.product.kind == .chart ? String(subject.pipeline) : "the databases and what is made of them"
    }
    return groups.sorted { $0.key < $1.key }.flatMap { group, subjects -> [Finding] in
      let counts = Dictionary(grouping: subjects) { $0.issue }
      let usual = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
      return subjects.filter { $0.issue != usual }.map {
        finding(.error, $0, "", "it is \($0.issue), and the others of \(group) are \(usual ?? "")")
      }
    }
  }

  /// An export tells the sources of its database as its own.
  private func bases(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.pairs.compactMap { export, base in
      let own = Set(export.product.sources.map(\.sha256.text))
      guard let missing = base.product.sources.first(where: { !own.contains($0.sha256.text) }) else {
        return nil
      }
      return finding(
        .error, export, "",
        "it was not made of the \(missing.url) that \(base.product.id) was made of; build it again")
    }
  }

  /// A file of one name is the same file, whatever was made of it.
  private func sources(_ cycle: CycleUnderTest) -> [Finding] {
    let data = cycle.all.filter { $0.product.kind != .chart }
    let told = data.flatMap { subject in subject.product.sources.map { ($0.url, (subject, $0.sha256.text)) } }
    return Dictionary(grouping: told) { $0.0 }.sorted { $0.key < $1.key }.compactMap { url, uses in
      guard let first = uses.first?.1, let other = uses.first(where: { $0.1.1 != first.1 })?.1 else {
        return nil
      }
      return finding(
        .error, other.0, "", "it was made of another \(url) than \(first.0.product.id); build both of one")
    }
  }
}

extension ProductUnderTest {
  fileprivate var issue: String { "of \(product.effectiveDate) to \(product.expirationDate)" }
}

/// What each product was made of, against its last edition: the FAA publishes no edition twice.
struct SourceStale: CycleRule {
  let name = "source-stale"
  let protects = "No old chart or database is published once more under the dates of the new edition."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.compactMap { subject -> Finding? in
      guard let before = cycle.before(subject)?.product, before.edition != subject.product.edition,
        let source = subject.product.sources.first,
        before.sources.first?.sha256 == source.sha256
      else { return nil }
      return finding(
        .error, subject, "",
        "it was made of the very \(source.url) that the edition of \(before.edition) was made of; download the new one"
      )
    }
  }
}
