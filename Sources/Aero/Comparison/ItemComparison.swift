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
