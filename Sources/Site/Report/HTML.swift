internal import Core

/// An HTML page that opens from disk and loads no other file.
///
/// - Parameters:
///   - title: HTML, already escaped, as the body.
///   - style: style sheets.
func htmlPage(title: String, style: [[UInt8]], body: String) -> String {
  """
  <!DOCTYPE html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>\(title)</title>
  <style>
  \(style.map { String(decoding: $0, as: UTF8.self) }.joined())
  </style>
  </head>
  <body>
  \(body)
  </body>
  </html>

  """
}

/// Returns a table of cells that are HTML, already escaped. The first cell of a row is its heading. Each cell repeats its column's
/// heading, which a narrow screen shows in place of the table's head.
///
/// - Parameters:
///   - style: `stacks` for a table whose rows become blocks on a narrow screen.
///   - shortHeadings: the headings that cells repeat, if they differ from the columns'.
///   - skipsEmpty: whether empty cells are left out.
func htmlTable(
  _ headings: [String], _ rows: [[String]], style: String = "stacks", caption: String? = nil,
  shortHeadings: [String]? = nil, skipsEmpty: Bool = false
) -> String {
  let rows = rows.map { cells in
    let named = zip(shortHeadings ?? headings, cells).filter { !skipsEmpty || !$0.1.isEmpty }
    let head = named.prefix(1).map { "<th scope=\"row\" data-heading=\"\($0)\">\($1)</th>" }
    let rest = named.dropFirst().map { "<td data-heading=\"\($0)\">\($1)</td>" }
    return "<tr>\((head + rest).joined())</tr>"
  }
  return """
    <table class="\(style)">\(caption.map { "<caption>\($0)</caption>" } ?? "")
    <thead><tr>\(headings.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined(separator: "\n"))
    </tbody>
    </table>
    """
}

/// Returns a list of terms and their HTML, without empty ones.
func definitionList(_ items: [(term: String, html: String)], style: String = "facts") -> String {
  let items = items.filter { !$0.html.isEmpty }.map { "<div><dt>\($0.term)</dt><dd>\($0.html)</dd></div>" }
  return items.isEmpty ? "" : "<dl class=\"\(style)\">\(items.joined())</dl>"
}

/// Returns HTML that a summary unfolds; empty for no items.
func folded(_ summary: String, _ items: [String], list style: String? = nil) -> String {
  guard !items.isEmpty else { return "" }
  let body = items.joined(separator: "\n")
  return
    "\n<details><summary>\(summary)</summary>\(style.map { "\n<ul class=\"\($0)\">\n\(body)\n</ul>" } ?? body)</details>"
}

/// Escapes text for HTML. Names and messages come from files, so they may contain markup.
func escaped(_ text: String) -> String { text.escapedForXML }

/// Escapes a message and marks the commands and keys between backticks as code.
func prose(_ text: String) -> String {
  let parts = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
  guard !parts.count.isMultiple(of: 2) else { return parts.joined(separator: "`") }
  return parts.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "<code>\($0.element)</code>" }
    .joined()
}

/// Formats numbers for readers, including invalid ones from a product's description.
enum NumberText {
  private static let largest = 1e12

  /// Formats with at most two decimals: `0.03`, `12.5`, `7`.
  static func decimal(_ value: Double, digits: Int = 2) -> String {
    guard value.isFinite, abs(value) < largest else { return "?" }
    let scale = digits == 0 ? 1 : digits == 1 ? 10 : 100
    let whole = Int((value * Double(scale)).rounded())
    var text = Counts.grouped(abs(whole) / scale)
    var fraction = String(abs(whole) % scale + scale).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    if !fraction.isEmpty { text += "." + fraction }
    return whole < 0 ? "-" + text : text
  }

  /// Formats a coordinate of a drawing with at most one decimal and without grouping: `1234.5`.
  static func plain(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let tenths = Int((min(max(value, -largest), largest) * 10).rounded())
    let fraction = abs(tenths) % 10 == 0 ? "" : ".\(abs(tenths) % 10)"
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)\(fraction)"
  }

  /// `0.03 px = 0.6 m`, or only the pixels where their size is not known.
  static func pixels(_ value: Double, metres: Double?) -> String {
    let text = "\(decimal(value)) px"
    guard let metres, value.isFinite else { return text }
    let length = value * metres
    return "\(text) = \(decimal(length, digits: abs(length) < 10 ? 1 : 0)) m"
  }

  /// `+12`, `−3`, `0`
  static func signed(_ number: Int) -> String {
    number > 0 ? "+\(Counts.grouped(number))" : Counts.grouped(number).replacing("-", with: "−")
  }

  /// Returns the relative change: `+0.4 %`; nil where it is too small or not defined.
  static func growth(from before: Int, to now: Int) -> String? {
    guard before > 0, before != now else { return nil }
    let percent = (Double(now) - Double(before)) / Double(before) * 100
    guard abs(percent) >= 0.05 else { return nil }
    return "\(percent > 0 ? "+" : "−")\(decimal(abs(percent), digits: 1))\u{A0}%"
  }

  /// Splits a camel-case key: `distinctTiles` becomes `distinct tiles`.
  static func words(_ key: String) -> String {
    key.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
  }
}
