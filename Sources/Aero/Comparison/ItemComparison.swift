internal import SQLiteIO

/// How the things of one table are found again in another file, and told.
struct ItemComparison: Sendable {
  let selection: TablePair.Selection
  let rules: [Pairing.Rule]
  let name: @Sendable (ComparedRow) -> String
  /// What is said of one that was added or removed.
  let described: [String]
  /// What is looked at in another way than column by column.
  var special: (column: String, difference: @Sendable (ComparedRow, ComparedRow) -> FieldDifference?)?
  var words: @Sendable (ComparedRow) -> FieldWords = { _ in FieldWords() }

  /// Goes through the table and gives out each difference with a row that it is about, the new one where there is one.
  func run(_ table: TablePair, _ each: (ItemDifference, ComparedRow) throws -> Void) throws {
    try table.groups { old, new in
      let pairing = Pairing(old, new, columns: table.columns, by: rules)
      for row in pairing.removed { try each(item(row, .removed), row) }
      for row in pairing.added { try each(item(row, .added), row) }
      for pair in pairing.pairs {
        let fields = fields(table.columns, pair.old, pair.new)
        if !fields.isEmpty { try each(item(pair.new, .changed, fields), pair.new) }
      }
    }
  }

  /// All of the table, in the order in which it is read.
  func items(_ pair: DatabasePair) throws -> [ItemDifference] {
    var items: [ItemDifference] = []
    if let table = try pair.table(selection) { try run(table) { item, _ in items.append(item) } }
    return items
  }

  private func fields(_ columns: [String], _ old: ComparedRow, _ new: ComparedRow) -> [FieldDifference] {
    let plain = columns.filter { $0 != special?.column }
    let fields = RowDifference(words: words(new), columns: plain).fields(old, new)
    guard let special, old[special.column] != new[special.column],
      let difference = special.difference(old, new)
    else { return fields }
    return fields + [difference]
  }

  private func item(
    _ row: ComparedRow, _ change: Change, _ fields: [FieldDifference] = []
  ) -> ItemDifference {
    let parts = described.compactMap { words(row).value($0, row[$0]) }
    return ItemDifference(
      name: name(row), type: row.text("type") ?? row.text(selection.table + ".type"),
      state: row.text("state"), change: change,
      description: fields.isEmpty && !parts.isEmpty ? parts.joined(separator: ", ") : nil, fields: fields)
  }
}

/// The tables that are compared row by row.
extension ItemComparison {
  static let runways = ItemComparison(
    selection: TablePair.Selection(
      table: "runways", from: "airports CROSS JOIN runways ON runways.airport = airports.icao",
      keys: AirportHead.keys, ignored: ["airport", "baseEndID", "reciprocalEndID"],
      context: AirportHead.columns + ["runways.baseEndID", "runways.reciprocalEndID"]),
    rules: [.same(["id"]), .test(RunwayNumbers.areTurned)], name: { $0.text("id") ?? "" },
    described: ["length", "width", "surface", "edgeLights"],
    words: { row in
      FieldWords(ends: [
        "baseEnd": row.text("runways.baseEndID") ?? "",
        "reciprocalEnd": row.text("runways.reciprocalEndID") ?? "",
      ])
    })

  static let frequencies = ItemComparison(
    selection: TablePair.Selection(
      table: "frequencies", from: "airports CROSS JOIN frequencies ON frequencies.airport = airports.icao",
      keys: AirportHead.keys + ["frequencies.type"], ignored: ["airport", "number", "type", "vhf"],
      context: AirportHead.columns),
    rules: [
      .same(["frequency", "sector", "use"]), .same(["frequency", "sector"]), .same(["frequency"]),
      .test(mayBeRetuned), .alone,
    ],
    name: { row in
      let megahertz = row.number("frequency").map { "\($0)" }
      return [row.text("frequencies.type"), megahertz].compactMap(\.self).joined(separator: " ")
    },
    described: ["name", "sector", "use"])

  /// Whether one may be the other on another frequency: for the same use and sector, and for the same kind of radio.
  @Sendable private static func mayBeRetuned(_ old: ComparedRow, _ new: ComparedRow) -> Bool {
    let isVHF = [old, new].map { (118...137).contains($0.number("frequency") ?? 0) }
    return isVHF[0] == isVHF[1] && ["sector", "use"].allSatisfy { old[$0] == new[$0] }
  }

  static let navaids = ItemComparison(
    selection: TablePair.Selection(table: "navaids", keys: ["identifier"], ignored: ["id", "identifier"]),
    rules: [
      .same(["type", "city", "state", "country"]), .same(["city", "state", "country"]),
      .same(["type", "name"]),
    ],
    name: { row in [row.text("identifier"), row.text("name")].compactMap(\.self).joined(separator: " ") },
    described: ["frequency", "status", "city"],
    words: {
      FieldWords(isLowFrequency: ["ndb", "ndbDme", "marineNdb", "marineNdbDme"].contains($0.text("type")))
    })

  static let fixes = ItemComparison(
    selection: TablePair.Selection(
      table: "fixes", keys: ["identifier", "region"], ignored: ["id", "identifier", "region"]),
    rules: [.same(["state", "country"]), .alone], name: { $0.text("identifier") ?? "" }, described: [])

  static let airspaces = ItemComparison(
    selection: TablePair.Selection(
      table: "airspaces", keys: ["kind", "class", "designator", "name", "sector"],
      ignored: [
        "id", "area", "kind", "class", "designator", "name", "sector", "south", "north", "west", "east",
        "floor",
        "floorDatum",
        "floorFeet", "ceiling", "ceilingDatum", "ceilingFeet", "times",
      ]),
    rules: [.same(["geometry"]), .same(["floorText", "ceilingText"]), .alone],
    name: { row in
      ["designator", "name", "sector"].compactMap { row.text($0) }.joined(separator: " ")
    },
    described: ["class", "floorText", "ceilingText"], special: ("geometry", BoundaryShift.difference))
}

/// What the tables of an airport's things tell of the airport.
enum AirportHead {
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

  /// - Parameter old: the row that it had before; an airport that loses its tower is of the same weight as one that has one.
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

/// The numbers that a runway is called by: they turn with the magnetic pole.
enum RunwayNumbers {
  /// Whether one may be the other under a new number. Where its side changes too, since a parallel runway has come or gone,
  /// its size must be the same.
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

/// Finds out which of the rows under one key are about the same thing in both files.
struct Pairing {
  enum Rule: Sendable {
    /// These columns are the same.
    case same([String])
    case test(@Sendable (_ old: ComparedRow, _ new: ComparedRow) -> Bool)
    /// Nothing else is left on either side.
    case alone
  }

  private(set) var pairs: [(old: ComparedRow, new: ComparedRow)] = []
  private(set) var removed: [ComparedRow]
  private(set) var added: [ComparedRow]

  /// The rules are tried one after another on what the ones before have left.
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
