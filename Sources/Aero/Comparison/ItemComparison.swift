internal import SQLiteIO

/// The comparison of the items of a table: how they match and how they are described.
struct ItemComparison: Sendable {
  let selection: TableMergeJoin.Selection
  let rules: [Rule]
  /// Whether a row that remains alone in each file matches the other.
  var pairsLast = false
  let name: @Sendable (NamedRow) -> String
  /// The columns that describe an added or removed item.
  let described: [String]
  /// A column with its own comparison.
  var special: (column: String, difference: @Sendable (NamedRow, NamedRow) -> FieldDifference?)?
  var formatter: @Sendable (NamedRow) -> FieldFormatter = { _ in FieldFormatter() }

  /// Passes on each difference with its new row, or its old one where there is no new one.
  func run(_ table: TableMergeJoin, _ each: (ItemDifference, NamedRow) throws -> Void) throws {
    try table.forEachDifference { old, new in
      let matching = match(old, new, table.columns)
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

  private func fields(_ columns: [String], _ old: NamedRow, _ new: NamedRow) -> [FieldDifference] {
    let plain = columns.filter { $0 != special?.column }
    let fields = formatter(new).differences(plain, old, new)
    guard let special, old[special.column] != new[special.column],
      let difference = special.difference(old, new)
    else { return fields }
    return fields + [difference]
  }

  private func item(_ row: NamedRow, _ change: Change, _ fields: [FieldDifference] = []) -> ItemDifference {
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
      keys: SiteKey.columns, ignored: ["airport", "baseEndID", "reciprocalEndID"],
      context: AirportDifference.columns + ["runways.baseEndID", "runways.reciprocalEndID"]),
    rules: [same("id"), areTurned], name: { $0.text("id") ?? "" },
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
      keys: SiteKey.columns + ["frequencies.type"], ignored: ["airport", "number", "type", "vhf"],
      context: AirportDifference.columns),
    rules: [
      same("frequency", "sector", "use"), same("frequency", "sector"), same("frequency"), mayBeRetuned,
    ],
    pairsLast: true,
    name: { row in
      let megahertz = row.real("frequency").map { "\($0)" }
      return [row.text("frequencies.type"), megahertz].compactMap(\.self).joined(separator: " ")
    },
    described: ["name", "sector", "use"])

  /// Whether the rows can be the same station with another frequency: the same use and sector, and the same kind of radio.
  @Sendable private static func mayBeRetuned(_ old: NamedRow, _ new: NamedRow) -> Bool {
    let isVHF = [old, new].map { (118...137).contains($0.real("frequency") ?? 0) }
    return isVHF[0] == isVHF[1] && ["sector", "use"].allSatisfy { old[$0] == new[$0] }
  }

  static let navaids = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "navaids", keys: ["identifier"], ignored: ["id", "identifier"]),
    rules: [
      same("type", "city", "state", "country"), same("city", "state", "country"), same("type", "name"),
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
    rules: [same("state", "country")], pairsLast: true, name: { $0.text("identifier") ?? "" }, described: [])

  static let airspaces = ItemComparison(
    selection: TableMergeJoin.Selection(
      table: "airspaces", keys: ["kind", "class", "designator", "name", "sector"],
      ignored: [
        "id", "area", "kind", "class", "designator", "name", "sector", "south", "north", "west", "east",
        "floor", "floorDatum", "floorFeet", "ceiling", "ceilingDatum", "ceilingFeet", "times",
      ]),
    rules: [same("geometry"), same("floorText", "ceilingText")], pairsLast: true,
    name: { row in
      ["designator", "name", "sector"].compactMap { row.text($0) }.joined(separator: " ")
    },
    described: ["class", "floorText", "ceilingText"], special: ("geometry", BoundaryShift.difference))

  /// The amendment is a part of a procedure's code, so its name identifies it.
  static let procedures = [
    keyed("departures", by: ["name"], [same("code")], described: ["code", "airports"]),
    keyed("arrivals", by: ["name"], [same("code")], described: ["code", "airports"]),
  ]

  static let holds = keyed(
    "holds", by: ["name", "number"], described: ["inboundCourse", "turn"],
    derived: ["fix", "navaid", "ils", "latitude", "longitude"])

  static let routes = [
    keyed(
      "preferredRoutes", by: ["originID", "destinationID", "type", "number"], described: ["route"],
      derived: ["origin", "destination"]),
    keyed("codedRoutes", by: ["code"], described: ["route"], derived: ["origin", "destination"]),
  ]

  /// Rows that the columns of their key identify and name.
  private static func keyed(
    _ table: String, by keys: [String], _ rules: [Rule] = [], described: [String], derived: [String] = []
  ) -> ItemComparison {
    ItemComparison(
      selection: TableMergeJoin.Selection(table: table, keys: keys, ignored: Set(["id"] + keys + derived)),
      rules: rules, pairsLast: true,
      name: { row in keys.compactMap { FieldFormatter().value($0, row[$0]) }.joined(separator: " ") },
      described: described)
  }
}

/// The tables of coded procedures.
extension ItemComparison {
  static let codedProcedures = [
    table("procedures", "section", "airport", "identifier"),
    table("legs", "section", "airport", "procedure", "routeType", "transition", "sequence"),
    table("airports", "icao"), table("heliports", "icao", "pad"), table("runways", "airport", "identifier"),
    table("localizers", "airport", "identifier"),
    table("waypoints", "section", "airport", "identifier", "region"),
    table("navaids", "section", "airport", "identifier", "region"),
    table("airways", "area", "route", "sequence"),
    table("msas", "section", "airport", "center", "multipleCode", "sector"),
    table("gridMoras", "latitude", "longitude"),
    table("pathPoints", "airport", "procedure"),
    table("airspaces", "section", "region", "designation", "multipleCode"),
  ]

  private static func table(_ table: String, _ keys: String...) -> ItemComparison {
    let derived = [
      "recordNumber", "changed", "levelsNumber", "levelsChanged", "continuationNumber",
      "continuationChanged", "agencyNumber", "agencyChanged", "south", "north", "west", "east",
    ]
    var comparison = keyed(table, by: keys, described: [], derived: derived)
    comparison.special = ("geometry", BoundaryShift.difference)
    return comparison
  }
}

extension SiteKey {
  /// The columns of an airport's key in the comparisons of its runways and frequencies.
  static let columns = ["airports.siteNumber", "airports.siteType"]

  init(_ row: NamedRow) {
    self.init(number: row.text(Self.columns[0]) ?? "", type: row.text(Self.columns[1]) ?? "")
  }
}

extension AirportDifference {
  /// The other columns of an airport in these comparisons.
  static let columns = [
    "icao", "name", "city", "state", "country", "type", "use", "isTowered", "longestRunway",
  ].map { "airports." + $0 }

  /// - Parameter old: The old row. An airport that loses its tower has the rank of one with a tower.
  init(_ row: NamedRow, _ change: Change, before old: NamedRow? = nil) {
    func rank(_ row: NamedRow) -> Rank {
      if row["airports.isTowered"] == .integer(1) { return .towered }
      return row.text("airports.use") == "public" ? .public : .private
    }
    let ranks = [row, old].compactMap(\.self).map(rank)
    let site = SiteKey(row)
    self.init(
      siteNumber: site.number, siteType: site.type, icao: row.text("airports.icao") ?? "",
      name: row.text("airports.name") ?? "", city: row.text("airports.city"),
      state: row.text("airports.state"), country: row.text("airports.country"),
      type: row.text("airports.type") ?? "", rank: Rank.allCases.first(where: ranks.contains) ?? .private,
      change: change)
  }
}

extension ItemComparison {
  /// Whether the rows can be the same runway with a new number, which changes with the magnetic variation. If its side changes too,
  /// because a parallel runway was built or closed, its size must be the same.
  @Sendable private static func areTurned(_ old: NamedRow, _ new: NamedRow) -> Bool {
    let (before, after) = (ends(old), ends(new))
    guard before.count == after.count, !before.isEmpty else { return false }
    let isSameSize = old["length"] == new["length"] && old["width"] == new["width"]
    return zip(before, after).allSatisfy { old, new in
      let turn = abs(old.number - new.number)
      return (old.side == new.side || isSameSize) && (turn <= 1 || turn == 35)
    }
  }

  private static func ends(_ row: NamedRow) -> [(number: Int, side: Substring)] {
    let ends = (row.text("id") ?? "").split(separator: "/")
    let numbers = ends.compactMap { end in Int(end.prefix(2)).map { ($0, end.dropFirst(2)) } }
    return numbers.count == ends.count ? numbers : []
  }
}

extension ItemComparison {
  typealias Pair = (old: NamedRow, new: NamedRow)

  /// A rule by which rows match.
  typealias Rule = @Sendable (_ old: NamedRow, _ new: NamedRow) -> Bool

  /// These columns are equal.
  private static func same(_ columns: String...) -> Rule { equal(columns) }

  private static func equal(_ columns: [String]) -> Rule {
    { old, new in columns.allSatisfy { old[$0] == new[$0] } }
  }

  /// Matches the rows with the same key in both files: applies the rules one after another to the remaining rows.
  fileprivate func match(_ old: [NamedRow], _ new: [NamedRow], _ columns: [String]) -> (
    pairs: [Pair], removed: [NamedRow], added: [NamedRow]
  ) {
    var (removed, added) = (old, new)
    func pairs(_ fits: (NamedRow, NamedRow) -> Bool) -> [Pair] {
      var pairs: [Pair] = []
      removed = removed.filter { old in
        guard let index = added.firstIndex(where: { fits(old, $0) }) else { return true }
        pairs.append((old, added.remove(at: index)))
        return false
      }
      return pairs
    }
    // Rows without a difference.
    _ = pairs(ItemComparison.equal(columns))
    var matched = rules.flatMap(pairs)
    if pairsLast, removed.count == 1, added.count == 1 { matched += pairs { _, _ in true } }
    return (matched, removed, added)
  }
}
