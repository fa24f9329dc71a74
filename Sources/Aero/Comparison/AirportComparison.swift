/// Compares the airports of two files with their runways and frequencies. It matches airports by the FAA's site number and type, which are
/// permanent.
struct AirportComparison {
  private static let selection = TableMergeJoin.Selection(
    table: "airports", keys: SiteKey.columns,
    // Frequencies and runways are compared in their own tables.
    ignored: [
      "id", "siteNumber", "siteType", "longestRunway", "ctafFrequency", "unicomFrequency", "effectiveDate",
      "searchWords",
    ], context: AirportDifference.columns)
  private static let described = ["type", "use", "elevation", "fuelTypes"]
  /// The fields that are first in the list of an airport's fields.
  private static let important = [
    "status", "icao", "faaID", "name", "isTowered", "use", "position", "elevation",
  ]

  private var found: [SiteKey: AirportDifference] = [:]
  /// The airports in one file only. Their runways and frequencies are not listed.
  private var unmatched: Set<SiteKey> = []
  private(set) var tallies: [ChangeTally] = []

  init(_ pair: DatabasePair) throws {
    if let table = try pair.table(AirportComparison.selection) { try compareAirports(table) }
    let own = found.values.filter { $0.change != .changed || !$0.fields.isEmpty }
    tallies.append(ChangeTally("airports", own.map(\.change), own.flatMap(\.fields)))
    try compare(.runways, pair) { $0.runways.append($1) }
    try compare(.frequencies, pair) { $0.frequencies.append($1) }
  }

  /// The most important first.
  var airports: [AirportDifference] {
    let ranks = AirportDifference.Rank.allCases
    return found.values.map(\.sorted).sorted { left, right in
      let (a, b) = (ranks.firstIndex(of: left.rank) ?? 0, ranks.firstIndex(of: right.rank) ?? 0)
      return (a, left.state ?? "~", left.icao, left.change.rawValue)
        < (b, right.state ?? "~", right.icao, right.change.rawValue)
    }
  }

  private mutating func compareAirports(_ table: TableMergeJoin) throws {
    try table.forEachDifference { old, new in
      // The key is unique, so there is at most one row in either file.
      switch (old.first, new.first) {
      case (let old?, let new?):
        recordChanged(old, new, FieldFormatter().differences(table.columns, old, new))
      case (let row?, nil): recordUnmatched(row, .removed)
      case (nil, let row?): recordUnmatched(row, .added)
      case (nil, nil): break
      }
    }
  }

  private mutating func recordUnmatched(_ row: NamedRow, _ change: Change) {
    let site = SiteKey(row)
    var difference = AirportDifference(row, change)
    let formatter = FieldFormatter()
    var parts = AirportComparison.described.compactMap { formatter.value($0, row[$0]) }
    if let length = formatter.value("length", row["airports.longestRunway"]) {
      parts.append("runway " + length)
    }
    difference.description = parts.joined(separator: ", ")
    found[site] = difference
    unmatched.insert(site)
  }

  private mutating func recordChanged(_ old: NamedRow, _ new: NamedRow, _ fields: [FieldDifference]) {
    var fields = fields
    // Where the FAA's identifier is also the icao, list the change once.
    let identifier = fields.first { $0.field == "icao" }
    fields.removeAll { $0.field == "faaID" && $0.old == identifier?.old && $0.new == identifier?.new }
    guard !fields.isEmpty else { return }
    let (wasClosed, isClosed) = (AirportComparison.isClosed(old), AirportComparison.isClosed(new))
    let change: Change = wasClosed == isClosed ? .changed : isClosed ? .closed : .reopened
    var difference = AirportDifference(new, change, before: old)
    let rank = { (field: FieldDifference) in AirportComparison.important.firstIndex(of: field.field) ?? .max }
    difference.fields = fields.sorted { rank($0) < rank($1) }
    found[SiteKey(new)] = difference
  }

  private static func isClosed(_ row: NamedRow) -> Bool {
    row.text("status")?.hasPrefix("closed") ?? false
  }

  /// Compares items and adds them to their airports.
  private mutating func compare(
    _ items: ItemComparison, _ pair: DatabasePair, _ add: (inout AirportDifference, ItemDifference) -> Void
  ) throws {
    guard let table = try pair.table(items.selection) else { return }
    var (changes, fields): ([Change], [FieldDifference]) = ([], [])
    try items.run(table) { item, row in
      let site = SiteKey(row)
      guard !unmatched.contains(site) else { return }
      add(&found[site, default: AirportDifference(row, .changed)], item)
      changes.append(item.change)
      fields += item.fields
    }
    tallies.append(ChangeTally(items.selection.table, changes, fields))
  }
}

extension AirportDifference {
  /// Sorts runways by name and frequencies by their importance for pilots.
  fileprivate var sorted: AirportDifference {
    func type(_ item: ItemDifference) -> FrequencyType { item.type.flatMap(FrequencyType.init) ?? .other }
    var airport = self
    airport.runways.sort { ($0.name, $0.change.rawValue) < ($1.name, $1.change.rawValue) }
    airport.frequencies.sort { left, right in
      let (a, b) = (type(left), type(right))
      return a == b ? (left.name, left.change.rawValue) < (right.name, right.change.rawValue) : a < b
    }
    return airport
  }
}

extension ChangeTally {
  init(_ table: String, _ changes: [Change], _ fields: [FieldDifference]) {
    self.init(
      table: table, changes: changes.reduce(into: [:]) { $0[$1, default: 0] += 1 },
      fields: fields.reduce(into: [:]) { $0[$1.field, default: 0] += 1 })
  }

  init(_ table: String, _ items: [ItemDifference]) {
    self.init(table, items.map(\.change), items.flatMap(\.fields))
  }

  init(_ obstacles: [ObstacleTally]) {
    let counts: KeyValuePairs<Change, KeyPath<ObstacleTally, Int>> = [
      .added: \.added, .removed: \.removed, .changed: \.changed,
    ]
    let sums = counts.map { ($0, obstacles.map { [count = $1] in $0[keyPath: count] }.reduce(0, +)) }
    self.init(
      table: "obstacles", changes: Dictionary(uniqueKeysWithValues: sums.filter { $0.1 > 0 }), fields: [:])
  }
}

extension DatabaseComparison {
  private static let obstacleTable = TableMergeJoin.Selection(
    table: "obstacles", keys: ["oas"], ignored: ["id", "oas", "date", "study"])

  /// Counts the changed obstacles by state, since there are too many to list: the states of the United States first, then other
  /// countries.
  static func obstacles(_ pair: DatabasePair) throws -> [ObstacleTally] {
    guard let table = try pair.table(obstacleTable) else { return [] }
    var tallies: [String: ObstacleTally] = [:]
    try table.forEachDifference { old, new in
      guard let row = new.first ?? old.first else { return }
      if let before = old.first, let after = new.first,
        FieldFormatter().differences(table.columns, before, after).isEmpty
      {
        return
      }
      let state = row.text("state") ?? row.text("country") ?? ""
      tallies[state, default: ObstacleTally(state: state)].count(old.first, new.first)
    }
    return tallies.values.sorted { $0.state < $1.state }
  }
}

extension ObstacleTally {
  fileprivate mutating func count(_ old: NamedRow?, _ new: NamedRow?) {
    guard let new else {
      removed += 1
      return
    }
    guard old == nil else {
      changed += 1
      return
    }
    added += 1
    if let height = new.real("heightAGL").flatMap({ Int(exactly: $0) }) {
      tallestAdded = max(tallestAdded ?? height, height)
    }
  }
}
