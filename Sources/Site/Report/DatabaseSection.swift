internal import Core

// A card for each database, with its tables, its changes and the problems in the FAA's data, and one for each export, without the facts
// on its database's card.
extension ReportContent {
  var databaseSection: ReportSection? {
    section("Databases", style: "databases", .database) { product, list, problems in
      """
      <div class="facts-column">
      \(list)
      </div>
      <div class="facts-column">
      \(changes[product.id]?.html ?? "")
      \(problems)
      \(files(product))
      </div>
      """
    }
  }

  var exportSection: ReportSection? {
    section("Exports", style: "cards", .export) { product, list, problems in
      """
      <div class="facts-column">
      \(list)
      \(problems)
      \(files(product))
      </div>
      """
    }
  }

  private func section(
    _ title: String, style: String, _ kind: Product.Kind,
    _ body: (_ product: Product, _ list: String, _ problems: String) -> String
  ) -> ReportSection? {
    let cards = products(kind).map(\.product).map { product in
      let list =
        "\(definitionList(definitions(product)))\n\(RowTable(product, facts[product.id]?.change).html)"
      let problems = problems[product.id]?.html(of: kind) ?? ""
      return """
        <article class="card" id="\(ReportContent.anchor(product.id))">
        \(head(product))
        \(body(product, list, problems))
        </article>
        """
    }
    return cards.isEmpty
      ? nil
      : ReportSection(
        title, anchor: title.lowercased(), count: cards.count,
        "<div class=\"\(style)\">\n\(cards.joined(separator: "\n"))\n</div>")
  }

  private func definitions(_ product: Product) -> [(term: String, html: String)] {
    let limits = tally(of: product, "limits")
    guard product.kind == .database else {
      return [("Form", escaped(product.format)), ("Size", sizes(product)), ("Limits above ground", limits)]
    }
    let (facts, rows) = (facts[product.id], product.rowCounts)
    let total = NumberText.decimal(rows.values.map(Double.init).reduce(0, +), digits: 0)
    let moved = facts?.change.map { change in
      let airports = Counts.of(change.movedAirports ?? 0, "airport")
      return change.movedAirports ?? 0 > 0 ? "\(airports) by more than a mile since \(change.cycle)" : ""
    }
    return [
      ("Size", sizes(product)), ("Rows", "\(total) in \(Counts.of(rows.count, "table"))"),
      ("Corrections", tally(of: product, "corrections")),
      ("Audit", facts?.audit.map(\.found) ?? "not compared with its sources"),
      ("Moved", moved ?? ""),
    ]
  }

  /// `2 used, 1 overtaken` of the counts `correctionsUsed` and `correctionsOvertaken`.
  private func tally(of product: Product, _ prefix: String) -> String {
    product.build.counts.filter { $0.key.hasPrefix(prefix) && $0.value > 0 }.sorted { $0.key < $1.key }.map {
      Counts.grouped($0.value) + NumberText.words(String($0.key.dropFirst(prefix.count)))
    }.joined(separator: ", ")
  }
}

/// The rows of each table, compared with the previous cycle. The tables that pilots use most come first; the rest is folded.
struct RowTable {
  private let rows: [(table: String, now: Int)]
  private let change: ProductFacts.Change?

  private static let leading = [
    "airports", "runways", "frequencies", "navaids", "fixes", "airways", "airspaces", "obstacles",
    "weatherStations",
  ]

  init(_ product: Product, _ change: ProductFacts.Change?) {
    let counts = product.rowCounts
    let gone = Set((change?.rows ?? [:]).keys).subtracting(counts.keys).map { ($0, 0) }
    rows = (counts.map { ($0.key, $0.value) } + gone).map { (table: $0.0, now: $0.1) }
      .sorted { (RowTable.place($0.table), $0.table) < (RowTable.place($1.table), $1.table) }
    self.change = change?.rows == nil ? nil : change
  }

  private static func place(_ table: String) -> Int { leading.firstIndex(of: table) ?? leading.count }

  var html: String {
    let first = rows.filter {
      RowTable.place($0.table) < RowTable.leading.count || rows.count <= RowTable.leading.count
    }
    let rest = rows.filter { row in !first.contains { $0.table == row.table } }
    return (first.isEmpty ? "" : table(first))
      + folded(Counts.of(rest.count, "more table"), rest.isEmpty ? [] : ["\n" + table(rest)])
  }

  private func table(_ rows: [(table: String, now: Int)]) -> String {
    guard let change else {
      return htmlTable(
        ["Table", "Rows"], rows.map { [escaped(NumberText.words($0.table)), Counts.grouped($0.now)] },
        style: "plot")
    }
    return htmlTable(
      ["Table", "Against \(change.cycle)", "Rows", "Change", "Share"],
      rows.map { row($0.table, $0.now, change.rows?[$0.table]?.before) }, style: "plot",
      shortHeadings: ["Table", "Against", "Rows", "Change", "Share"])
  }

  private func row(_ table: String, _ now: Int, _ before: Int?) -> [String] {
    [
      escaped(NumberText.words(table)), before.map { bar(now, $0) } ?? "", Counts.grouped(now),
      before.map { $0 == now ? "0" : NumberText.signed(now &- $0) } ?? "new",
      before.flatMap { NumberText.growth(from: $0, to: now) } ?? "",
    ]
  }

  /// A bar filled to the mark when the number of rows is unchanged.
  private func bar(_ now: Int, _ before: Int) -> String {
    guard before > 0 else { return "" }
    let share = Double(now) / Double(before)
    return plotBar(
      filled: share * expectedOnBar, marks: [expectedOnBar], style: share < 0.94 ? "off" : "within")
  }
}

extension ChangeDigest {
  /// The changes of a database since the previous cycle.
  fileprivate var html: String { "<h4>Changes \(escaped(title))</h4>\n\(body)" }

  private var body: String {
    if let failure { return "<p class=\"unseen\">They could not be compared: \(escaped(failure))</p>" }
    guard !groups.isEmpty else {
      return "<p>No airport, airspace, navaid, fix or obstacle has changed.</p>"
    }
    let all = link.map { "\n<p><a href=\"\(escaped($0))\">All changes, with a search</a></p>" } ?? ""
    return groups.map(\.html).joined(separator: "\n") + all
  }
}

extension ChangeDigest.Group {
  fileprivate var html: String {
    let rest = count - lines.count
    let more =
      rest > 0 && title != "Obstacles" ? "<li class=\"soft\">and \(Counts.grouped(rest)) more</li>" : ""
    return folded(
      "\(title) <small>\(Counts.grouped(count))</small>", lines.map { "<li>\($0)</li>" } + [more],
      list: "changes")
  }
}

/// The problems of a database with the FAA's data, or of an export with its database.
extension ProblemDigest {
  private static let kinds = [
    ("tableMissing", "table missing from the cycle", "tables missing from the cycle"),
    ("columnMissing", "column missing from the cycle", "columns missing from the cycle"),
    ("rowDropped", "row dropped", "rows dropped"),
    (
      "rowOrphaned", "row left out: its parent row is missing",
      "rows left out: their parent rows are missing"
    ),
    ("rowRepeated", "duplicate row", "duplicate rows"),
    ("fieldDropped", "field left empty", "fields left empty"),
    ("unknownCode", "unknown code", "unknown codes"),
    ("identifierChanged", "identifier changed", "identifiers changed"),
    ("shapeMended", "boundary repaired", "boundaries repaired"),
    ("valueMapped", "value mapped to the nearest code", "values mapped to the nearest code"),
  ]

  fileprivate func html(of kind: Product.Kind) -> String {
    let (title, none) =
      kind == .export
      ? ("Data of the database that this format cannot express", "The format expresses all data.")
      : ("Problems in the FAA's data", "There are none.")
    let totals = ProblemDigest.kinds.compactMap { kind, one, many in
      self.totals[kind].map { "<li>\(Counts.grouped($0)) \($0 == 1 ? one : many)</li>" }
    }
    let list = totals.isEmpty ? "<p>\(none)</p>" : "<ul>\(totals.joined())</ul>"
    return "<h4>\(title)</h4>\n\(list)\(sortList)\(correctionList)"
  }

  private var sortList: String {
    guard !sorts.isEmpty else { return "" }
    let words = Dictionary(first: ProblemDigest.kinds.map { ($0.0, ($0.1, $0.2)) })
    let items = sorts.map { sort in
      let kind = words[sort.kind].map { sort.count == 1 ? $0.0 : $0.1 } ?? escaped(sort.kind)
      let place = [sort.file, sort.column].compactMap(\.self).map(escaped).joined(separator: " ")
      let example = sort.example.map { "<br><small>for example \(escaped($0))</small>" } ?? ""
      return "<li><code>\(place)</code> \(Counts.grouped(sort.count)) \(kind)\(example)</li>"
    }
    let rest =
      sortsLeftOut > 0 ? "<li>and \(Counts.of(sortsLeftOut, "more kind"))</li>" : ""
    return folded("Locations, with an example of each", items + [rest], list: "changes")
  }

  private var correctionList: String {
    guard !corrections.isEmpty else { return "" }
    let used = corrections.count { $0.ending == "used" }
    let items = corrections.map { correction in
      let isUsed = correction.ending == "used"
      return "<li>\(isUsed ? "" : "<strong>Not used:</strong> ")\(escaped(correction.text))</li>"
    }
    return folded(
      "\(Counts.of(corrections.count, "correction")), \(Counts.grouped(used)) used", items, list: "changes")
  }
}
