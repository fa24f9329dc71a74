internal import SQLiteIO

/// The comparison of the items of a table: how they match and how they are described.
struct ItemComparison: Sendable {
  let selection: TableMergeJoin.Selection
  let rules: [RowMatching.Rule]
  let name: @Sendable (ComparedRow) -> String
  /// The columns that describe an added or removed item.
  let described: [String]
  /// A column with its own comparison.
  var special: (column: String, difference: @Sendable (ComparedRow, ComparedRow) -> FieldDifference?)?
  var formatter: @Sendable (ComparedRow) -> FieldFormatter = { _ in FieldFormatter() }

  /// Passes on each difference with its new row, or its old one where there is no new one.
  func run(_ table: TableMergeJoin, _ each: (ItemDifference, ComparedRow) throws -> Void) throws {
    try table.forEachDifference { old, new in
      let matching = RowMatching(old, new, columns: table.columns, by: rules)
      for row in matching.removed { try each(item(row, .removed), row) }
      for row in matching.added { try each(item(row, .added), row) }
      for pair in matching.pairs {
        let fields = fields(table.columns, pair.old, pair.new)
        if !fields.isEmpty { try each(item(pair.new, .changed, fields), pair.new) }
      }
    }
  }

  /// Returns all differences in the order of the table.
  func items(_ pair: DatabasePair) throws -> [ItemDifference] {
    var items: [ItemDifference] = []
    if let table = try pair.table(selection) { try run(table) { item, _ in items.append(item) } }
    return items
  }

  private func fields(_ columns: [String], _ old: ComparedRow, _ new: ComparedRow) -> [FieldDifference] {
    let plain = columns.filter { $0 != special?.column }
    let fields = RowDifference(formatter: formatter(new), columns: plain).fields(old, new)
    guard let special, old[special.column] != new[special.column],
      let difference = special.difference(old, new)
    else { return fields }
    return fields + [difference]
  }

  private func item(
    _ row: ComparedRow, _ change: Change, _ fields: [FieldDifference] = []
  ) -> ItemDifference {
    let parts = described.compactMap { formatter(row).value($0, row[$0]) }
    return ItemDifference(
      name: name(row), type: row.text("type") ?? row.text(selection.table + ".type"),
      state: row.text("state"), change: change,
      description: fields.isEmpty && !parts.isEmpty ? parts.joined(separator: ", ") : nil, fields: fields)
  }
}

/// The tables that are compared by rows.
extension ItemComparison {
  static let runways = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "runways", from: "airports CROSS JOIN runways ON runways.airport = airports.icao",
      keys: AirportColumns.keys, ignored: ["airport", "baseEndID", "reciprocalEndID"],
      context: AirportColumns.columns + ["runways.baseEndID", "runways.reciprocalEndID"]),
    rules: [.same(["id"]), .test(RunwayNumbers.areTurned)], name: { $0.text("id") ?? "" },
    described: ["length", "width", "surface", "edgeLights"],
    formatter: { row in
      FieldFormatter(ends: [
        "baseEnd": row.text("runways.baseEndID") ?? "",
        "reciprocalEnd": row.text("runways.reciprocalEndID") ?? "",
      ])
    })

  static let frequencies = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "frequencies", from: "airports CROSS JOIN frequencies ON frequencies.airport = airports.icao",
      keys: AirportColumns.keys + ["frequencies.type"], ignored: ["airport", "number", "type", "vhf"],
      context: AirportColumns.columns),
    rules: [
      .same(["frequency", "sector", "use"]), .same(["frequency", "sector"]), .same(["frequency"]),
      .test(mayBeRetuned), .alone,
    ],
    name: { row in
      let megahertz = row.number("frequency").map { "\($0)" }
      return [row.text("frequencies.type"), megahertz].compactMap(\.self).joined(separator: " ")
    },
    described: ["name", "sector", "use"])

  /// Whether the rows can be the same station with another frequency: the same use and sector, and the same kind of radio.
  @Sendable private static func mayBeRetuned(_ old: ComparedRow, _ new: ComparedRow) -> Bool {
    let isVHF = [old, new].map { (118...137).contains($0.number("frequency") ?? 0) }
    return isVHF[0] == isVHF[1] && ["sector", "use"].allSatisfy { old[$0] == new[$0] }
  }

  static let navaids = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "navaids", keys: ["identifier"], ignored: ["id", "identifier"]),
    rules: [
      .same(["type", "city", "state", "country"]), .same(["city", "state", "country"]),
      .same(["type", "name"]),
    ],
    name: { row in [row.text("identifier"), row.text("name")].compactMap(\.self).joined(separator: " ") },
    described: ["frequency", "status", "city"],
    formatter: {
      FieldFormatter(
        isLowFrequency: ["ndb", "ndbDme", "marineNdb", "marineNdbDme"].contains($0.text("type")))
    })

  static let fixes = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "fixes", keys: ["identifier", "region"], ignored: ["id", "identifier", "region"]),
    rules: [.same(["state", "country"]), .alone], name: { $0.text("identifier") ?? "" }, described: [])

  static let airspaces = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "airspaces", keys: ["kind", "class", "designator", "name", "sector"],
      ignored: [
        "id", "area", "kind", "class", "designator", "name", "sector", "south", "north", "west", "east",
        "floor", "floorDatum", "floorFeet", "ceiling", "ceilingDatum", "ceilingFeet", "times",
      ]),
    rules: [.same(["geometry"]), .same(["floorText", "ceilingText"]), .alone],
    name: { row in
      ["designator", "name", "sector"].compactMap { row.text($0) }.joined(separator: " ")
    },
    described: ["class", "floorText", "ceilingText"], special: ("geometry", BoundaryShift.difference))
}

/// The columns of an airport in the comparisons of its runways and frequencies.
enum AirportColumns {
  static let keys = ["airports.siteNumber", "airports.siteType"]
  static let columns = [
    "icao", "name", "city", "state", "country", "type", "use", "isTowered", "longestRunway",
  ].map { "airports." + $0 }

  static func site(_ row: ComparedRow) -> SiteKey {
    SiteKey(number: row.text(keys[0]) ?? "", type: row.text(keys[1]) ?? "")
  }

  private static func rank(_ row: ComparedRow) -> AirportDifference.Rank {
    if row.isTrue("airports.isTowered") { return .towered }
    return row.text("airports.use") == "public" ? .public : .private
  }

  /// - Parameter old: The old row. An airport that loses its tower has the rank of one with a tower.
  static func difference(
    _ row: ComparedRow, _ change: Change, before old: ComparedRow? = nil
  ) -> AirportDifference {
    let ranks = [rank(row)] + (old.map { [rank($0)] } ?? [])
    let highest = AirportDifference.Rank.allCases.first(where: ranks.contains) ?? .private
    return AirportDifference(
      siteNumber: row.text(keys[0]) ?? "", siteType: row.text(keys[1]) ?? "",
      icao: row.text("airports.icao") ?? "", name: row.text("airports.name") ?? "",
      city: row.text("airports.city"), state: row.text("airports.state"),
      country: row.text("airports.country"),
      type: row.text("airports.type") ?? "", rank: highest, change: change)
  }
}

/// The numbers of runways, which change with the magnetic variation.
enum RunwayNumbers {
  /// Whether the rows can be the same runway with a new number. If its side changes too, because a parallel runway was built or closed, its
  /// size must be the same.
  @Sendable static func areTurned(_ old: ComparedRow, _ new: ComparedRow) -> Bool {
    let (before, after) = (ends(old), ends(new))
    guard before.count == after.count, !before.isEmpty else { return false }
    let isSameSize = old["length"] == new["length"] && old["width"] == new["width"]
    return zip(before, after).allSatisfy { old, new in
      let turn = abs(old.number - new.number)
      return (old.side == new.side || isSameSize) && (turn <= 1 || turn == 35)
    }
  }

  private static func ends(_ row: ComparedRow) -> [(number: Int, side: Substring)] {
    let ends = (row.text("id") ?? "").split(separator: "/")
    let numbers = ends.compactMap { end in Int(end.prefix(2)).map { ($0, end.dropFirst(2)) } }
    return numbers.count == ends.count ? numbers : []
  }
}

/// Matches the rows with the same key in both files.
struct RowMatching {
  enum Rule: Sendable {
    /// These columns are equal.
    case same([String])
    case test(@Sendable (_ old: ComparedRow, _ new: ComparedRow) -> Bool)
    /// Only one row remains in each file.
    case alone
  }

  private(set) var pairs: [(old: ComparedRow, new: ComparedRow)] = []
  private(set) var removed: [ComparedRow]
  private(set) var added: [ComparedRow]

  /// Applies the rules one after another to the remaining rows.
  init(_ old: [ComparedRow], _ new: [ComparedRow], columns: [String], by rules: [Rule]) {
    (removed, added) = (old, new)
    pair { old, new in columns.allSatisfy { old[$0] == new[$0] } }
    pairs = []
    for rule in rules {
      switch rule {
      case .same(let names): pair { old, new in names.allSatisfy { old[$0] == new[$0] } }
      case .test(let fits): pair(fits)
      case .alone: if removed.count == 1, added.count == 1 { pair { _, _ in true } }
      }
    }
  }

  private mutating func pair(_ fits: (ComparedRow, ComparedRow) -> Bool) {
    guard !added.isEmpty else { return }
    var left: [ComparedRow] = []
    for old in removed {
      if let index = added.firstIndex(where: { fits(old, $0) }) {
        pairs.append((old, added.remove(at: index)))
      } else {
        left.append(old)
      }
    }
    removed = left
  }
}
