/// Tables and lists of the report. What goes in is HTML already.
enum HTMLTable {
  /// The first cell is the row's heading. Each repeats its column's, which a narrow screen shows in place of the table's head.
  static func row(_ cells: [(heading: String, html: String)]) -> String {
    let head = cells.prefix(1).map { "<th scope=\"row\" data-heading=\"\($0.heading)\">\($0.html)</th>" }
    let rest = cells.dropFirst().map { "<td data-heading=\"\($0.heading)\">\($0.html)</td>" }
    return "<tr>\((head + rest).joined())</tr>"
  }

  /// - Parameter style: `stacks` for a table whose rows become blocks on a narrow screen.
  static func of(
    _ rows: [String], _ headings: [String], style: String = "stacks", caption: String? = nil
  ) -> String {
    """
    <table class="\(style)">\(caption.map { "<caption>\($0)</caption>" } ?? "")
    <thead><tr>\(headings.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined(separator: "\n"))
    </tbody>
    </table>
    """
  }

  static func definitions(_ items: [(term: String, html: String)]) -> String {
    guard !items.isEmpty else { return "" }
    return
      "<dl class=\"facts\">\(items.map { "<div><dt>\($0.term)</dt><dd>\($0.html)</dd></div>" }.joined())</dl>"
  }
}
