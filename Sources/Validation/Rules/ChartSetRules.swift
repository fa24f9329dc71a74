internal import Core
internal import Foundation

/// Finds gaps between the charts of a family, in the area that its definition promises to cover.
struct ChartsCover: Rule {
  let name = "charts-cover"
  let protects = "No strip of land is missing where two charts should meet."

  /// Degrees between the places that are checked.
  private static let step = 0.1
  private static let shown = 3
  /// Bounds the work for a wrong definition.
  private static let limit = 500_000

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.families.compactMap { family -> Finding? in
      // Missing charts are reported elsewhere, and explain any gap.
      guard family.isComplete, let covers = family.covers,
        family.charts.contains(where: { chart in cycle.products.contains { $0 === chart } })
      else { return nil }
      let neatlines = family.charts.compactMap(\.embedded.neatline)
      // `readable` reports a file that cannot be read.
      guard neatlines.count == family.charts.count else { return nil }
      let insets = family.charts.flatMap { $0.product.cut?.insets ?? [] }
        .filter { $0.verdict == .masked }
      let holes = covers.flatMap { ChartsCover.places($0) }.filter { place in
        // A masked inset shows another place.
        !insets.contains { $0.box.contains(place) }
          && !neatlines.contains { $0.contains(place.mercator) }
      }
      guard !holes.isEmpty else { return nil }
      let examples = holes.prefix(ChartsCover.shown).map { "\($0.longitude),\($0.latitude)" }
      // No single chart is at fault, so the finding names no product.
      return error(
        "\(family.pipeline) of cycle \(family.charts[0].product.cycle)",
        "the charts of \(family.pipeline) leave \(Counts.of(holes.count, "place")) uncovered of those a tenth of a degree "
          + "apart that `covers` promises, such as \(examples.joined(separator: " and ")); check their neatlines there"
      )
    }
  }

  /// The centres of a grid of squares that fill the box.
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

/// Finds products of the last cycle that this one lacks. A pipeline without any product may be staged later.
struct ChartsVanished: Rule {
  let name = "charts-vanished"
  let protects = "No chart disappears from the app unnoticed."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    let present = Set(cycle.all.map(\.product.id))
    let pipelines = Set(present.map(\.pipelineOfID))
    return cycle.lastCycle.map(\.product).filter {
      !present.contains($0.id) && pipelines.contains($0.id.pipelineOfID)
    }.sorted { $0.id < $1.id }.map { product in
      Finding(
        rule: name, severity: .warning, where: "\(product.id) of cycle \(product.cycle)",
        message: "this cycle does not have it; build it, or inform the users that it was removed",
        product: product.id)
    }
  }
}

/// Compares the archives of charts, and those of each family together, with the limits of the definition. Mosaics have none.
struct ProductSize: Rule {
  let name = "product-size"
  let protects = "Each chart and the whole family fit the download and the storage that an app expects."

  private static let shown = 3

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    let charts = cycle.all.filter { $0.product.build.maxMegabytes != nil }
    let families = Dictionary(grouping: charts, by: \.product.id.pipelineOfID).sorted { $0.key < $1.key }
    let large = cycle.products.compactMap { subject in
      excess([subject], over: "chart").map {
        finding(.error, subject, "", "\($0); give it fewer zooms or `colors`, or raise the limit")
      }
    }
    return large
      + families.compactMap { pipeline, charts in
        let largest = charts.map(\.product).sorted { $0.archiveBytes > $1.archiveBytes }
          .prefix(ProductSize.shown).map { "\($0.id.itemOfID) (\(Counts.bytes($0.archiveBytes)))" }
        let rest = "the largest of \(Counts.of(charts.count, "chart")) are \(largest.joined(separator: ", "))"
        // No single chart is at fault, so the finding names no product.
        return excess(charts, over: "family").map {
          warning("\(pipeline) of cycle \(charts[0].product.cycle)", "\($0); \(rest)")
        }
      }
  }

  /// `it has 263.1 MB, more than the 250 MB of `gates.maxMegabytes.chart``
  private func excess(_ charts: [ProductUnderTest], over key: String) -> String? {
    let bytes = charts.map(\.product.archiveBytes).reduce(0, +)
    guard let limit = charts.compactMap({ $0.product.build.maxMegabytes?[key] }).max(),
      Double(bytes) > Double(limit) * 1e6
    else { return nil }
    return
      "it has \(Counts.bytes(bytes)), more than the \(Counts.grouped(limit)) MB of `gates.maxMegabytes.\(key)`"
  }
}

/// Compares the tiles of each chart with those of its last cycle.
struct TilesChanged: Rule {
  let name = "tiles-changed"
  let protects =
    "No chart loses a part of its map, and none stays the old one when a new edition is published."

  /// The share means little for a zoom with fewer tiles.
  private static let fewTiles = 24
  /// The share of changed tiles up to which an edition may be the old one. A single changed pixel changes a tile of each zoom.
  private static let fewChanged = 0.005

  func check(_ cycle: CycleUnderTest) -> RuleResult {
    var uncompared: [String] = []
    var result = cycle.compared { $0.kind == .chart }.reduce(into: RuleResult()) { result, pair in
      let (subject, before) = pair
      // Other rules report an archive of this cycle that cannot be read.
      guard let old = before.file(role: .tiles), let new = subject.file(role: .tiles), subject.tiles != nil
      else { return }
      guard let difference = try? ArchiveDifference(from: old, to: new) else {
        return uncompared.append(subject.product.id)
      }
      let tiles = ProductFacts.Change.Tiles(
        same: difference.same, changed: difference.changed, added: difference.added,
        removed: difference.removed)
      let facts = ProductFacts(change: .init(cycle: before.product.cycle, tiles: tiles))
      result += RuleResult(
        stale(subject, before.product, difference) + losses(subject, before.product, difference),
        facts: [subject.product.id: facts])
    }
    result.findings += missing(uncompared, cycle)
    return result
  }

  /// Finds tiles that are almost those of the last edition. `source-stale` finds the same sheet.
  private func stale(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    let changed = difference.changed + difference.added + difference.removed
    let all = changed + difference.same
    guard !subject.isOfImage, before.edition != subject.product.edition,
      changed <= max(difference.now.count, Int(TilesChanged.fewChanged * Double(all)))
    else { return [] }
    let (edition, isOld) = ("the edition of \(before.edition)", changed == 0)
    return [
      finding(
        isOld ? .error : .warning, subject, "",
        isOld
          ? "not one tile differs from those of \(edition); download its source again, and if the FAA changed nothing, accept this"
          : "only \(Counts.of(changed, "tile")) of \(Counts.grouped(all)) differ from those of \(edition); check whether its "
            + "source is the new one")
    ]
  }

  private func losses(
    _ subject: ProductUnderTest, _ before: Product, _ difference: ArchiveDifference
  ) -> [Finding] {
    let limit = subject.product.build.tileLoss ?? .init()
    return difference.before.sorted { $0.key < $1.key }.compactMap { zoom, old in
      // A zoom that is missing now was removed on purpose.
      guard old >= TilesChanged.fewTiles, let new = difference.now[zoom] else { return nil }
      let change = Double(new - old) / Double(old)
      guard abs(change) > limit.warn else { return nil }
      return finding(
        -change >= limit.stop ? .error : .warning, subject, "zoom \(zoom)",
        "it has \(Counts.of(new, "tile")), \(Int((abs(change) * 100).rounded())) % \(change < 0 ? "fewer" : "more") "
          + "than the \(Counts.grouped(old)) of cycle \(before.cycle); compare both, and if the source changed so, "
          + "accept it")
    }
  }
}

/// Compares areas of each sheet with its last edition.
struct AreasChanged: Rule {
  let name = "areas-changed"
  let protects =
    "No part of a map is exchanged, lost or another place's, while the rest of the sheet looks right."

  /// Squares that overlap: fewer may be a new note. A share of them that no new edition changes.
  private static let fewest = 3
  private static let limit = 0.1

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    var uncompared: [String] = []
    let found = try cycle.compared(where: { $0.reference != nil }).compactMap { subject, before -> Finding? in
      guard let neatline = subject.embedded.neatline, let now = try subject.reference else { return nil }
      guard let old = try? before.reference else {
        uncompared.append(subject.product.id)
        return nil
      }
      let comparison = EditionComparison(now, old, within: neatline)
      guard comparison.unlike.count >= AreasChanged.fewest, let first = comparison.unlike.first else {
        return nil
      }
      let half = Double(EditionComparison.side) / 2
      let tile = now.tile(at: Double(first.column) + half, Double(first.row) + half)
      let isLarge = Double(comparison.unlike.count) > AreasChanged.limit * Double(comparison.compared)
      return finding(
        isLarge ? .error : .warning, subject, "tile \(tile)",
        "its sheet shows something else than that of cycle \(before.product.cycle) in \(comparison.unlike.count) of "
          + "\(Counts.of(comparison.compared, "square")), the first here; compare both, and if the FAA changed the map so, accept this"
      )
    }
    return found + missing(uncompared, cycle)
  }
}

extension Rule {
  /// Reports the products whose last edition cannot be read. Its own cycle validated it.
  fileprivate func missing(_ products: [String], _ cycle: CycleUnderTest) -> [Finding] {
    guard let first = products.first else { return [] }
    let others = products.count > 1 ? " and \(Counts.of(products.count - 1, "other product"))" : ""
    return [
      warning(
        cycle.place,
        "\(first)\(others) could not be compared with all of the last edition, since files of it are not in the site or are "
          + "damaged there")
    ]
  }
}

/// Compares the products of a cycle with each other: all must have the same dates and the same sources.
struct CycleUnmixed: Rule {
  let name = "cycle-unmixed"
  let protects = "No cycle combines one month's airports with another month's airspace."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    issues(cycle) + bases(cycle) + sources(cycle)
  }

  /// Charts of one pipeline have the same dates, and so have all databases and exports.
  private func issues(_ cycle: CycleUnderTest) -> [Finding] {
    let groups = Dictionary(grouping: cycle.all) { subject in
      subject.product.isOfDatabase ? "the databases and exports" : subject.product.id.pipelineOfID
    }
    return groups.sorted { $0.key < $1.key }.flatMap { group, subjects -> [Finding] in
      let counts = Dictionary(grouping: subjects) { $0.issue }
      let usual = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
      return subjects.filter { $0.issue != usual }.map {
        finding(.error, $0, "", "it is \($0.issue), and the others of \(group) are \(usual ?? "")")
      }
    }
  }

  /// An export lists the sources of its database.
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

  /// Products that were made of the same file name must have used the same file.
  private func sources(_ cycle: CycleUnderTest) -> [Finding] {
    let data = cycle.all.filter(\.product.isOfDatabase)
    let sources = data.flatMap { subject in
      subject.product.sources.map { ($0.url, (subject, $0.sha256.text)) }
    }
    return Dictionary(grouping: sources) { $0.0 }.sorted { $0.key < $1.key }.compactMap { url, uses in
      guard let first = uses.first?.1, let other = uses.first(where: { $0.1.1 != first.1 })?.1 else {
        return nil
      }
      return finding(
        .error, other.0, "",
        "it was made of another \(url) than \(first.0.product.id); build both from the same file")
    }
  }
}

extension ProductUnderTest {
  fileprivate var issue: String { "of \(product.effectiveDate) to \(product.expirationDate)" }
}

/// Compares the source of each product with that of its last edition, and the sheet of each chart with those of all charts of other
/// editions: the FAA never publishes the same edition twice.
struct SourceStale: Rule {
  let name = "source-stale"
  let protects = "No old chart or database is published again under the dates of the new edition."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    let sources = cycle.compared().compactMap { subject, before -> Finding? in
      guard let source = subject.product.sources.first,
        before.product.sources.first?.sha256 == source.sha256
      else { return nil }
      return stale(subject, before, "it was made of the same \(source.url) as")
    }
    let known = Set(sources.compactMap(\.product))
    return sources
      + cycle.products.filter { !known.contains($0.product.id) }.compactMap { subject in
        guard let sheet = subject.product.reference?.sheetSha256 else { return nil }
        let same = cycle.earlier.filter { $0.product.reference?.sheetSha256 == sheet }
        return (same.filter { $0.product.id == subject.product.id } + same).lazy
          .compactMap { stale(subject, $0, "its sheet shows nothing but that of \($0.product.id) in") }.first
      }
  }

  private func stale(_ subject: ProductUnderTest, _ before: ProductUnderTest, _ what: String) -> Finding? {
    // Other images than charts have no editions, and an export has that of its database.
    guard !subject.isOfImage, subject.product.kind != .export,
      before.product.edition != subject.product.edition
    else { return nil }
    return finding(
      .error, subject, "",
      "\(what) the edition of \(before.product.edition); download its source again, and if the FAA changed nothing, accept this"
    )
  }
}
