/// Tables of the report. What goes in is HTML already.
enum HTMLTable {
  /// Each cell repeats its heading, which a narrow screen shows in place of the table's head.
  static func row(_ cells: [(heading: String, html: String)]) -> String {
    "<tr>" + cells.map { "<td data-heading=\"\($0.heading)\">\($0.html)</td>" }.joined() + "</tr>"
  }

  static func of(_ rows: [String], _ headings: [String]) -> String {
    """
    <table>
    <thead><tr>\(headings.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined(separator: "\n"))
    </tbody>
    </table>
    """
  }
}
