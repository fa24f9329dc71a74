/// Rows of another table of the NASR that become one text in a row of this one, a line for each.
struct Gathering: Sendable {
  /// The FAA's name of the other table.
  let source: String
  /// To which row they belong: the first key of the table that gathers, under the same names in both.
  let key: RowKey
  /// The column by whose numbers the lines are put in order.
  let order: String
  /// The columns whose values make a line, with a blank between them.
  let line: [String]
}
