/// How a file that is no CSV, and is turned into one to be read, says that a line is no row: in a column of its own, which is empty
/// in rows that can be used.
enum RowFlaw {
  static let column = "CHARTPIPE ROW FLAW"

  /// - Parameter column: the one at fault, in the words of the file; empty where the line as a whole is.
  static func text(column: String = "", reason: String, value: String) -> String {
    "\(column);\(reason);\(value)"
  }

  static func row(_ text: String) -> UnusableRow {
    let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return UnusableRow(column: nil, value: "", reason: text) }
    return UnusableRow(column: parts[0].isEmpty ? nil : parts[0], value: parts[2], reason: parts[1])
  }
}
