internal import Core
internal import Foundation
internal import Pipeline

/// A page that opens from disk and asks for nothing from outside.
enum HTMLPage {
  /// What goes in is HTML already.
  static func of(title: String, style: String, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}

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

/// Text on its way into HTML. Names and messages come from files, so nothing of them may be taken for markup.
func escaped(_ text: String) -> String {
  var safe = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": safe += "&amp;"
    case "<": safe += "&lt;"
    case ">": safe += "&gt;"
    case "\"": safe += "&quot;"
    case "'": safe += "&#39;"
    default: safe.unicodeScalars.append(character)
    }
  }
  return safe
}

/// A message in which commands and keys stand between backticks.
func prose(_ text: String) -> String {
  let parts = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
  guard !parts.count.isMultiple(of: 2) else { return parts.joined(separator: "`") }
  return parts.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "<code>\($0.element)</code>" }
    .joined()
}

/// Numbers in words that a person understands, whatever number a description holds.
enum FigureText {
  private static let largest = 1e12

  /// Two digits behind the point at most, and none for nothing: `0.03`, `12.5`, `7`.
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

  /// `0.03 px = 0.6 m`, or the pixels alone where their size is not known.
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

  /// By how much one number differs from another: `+0.4 %`; nil where that says nothing.
  static func growth(from before: Int, to now: Int) -> String? {
    guard before > 0, before != now else { return nil }
    let percent = (Double(now) - Double(before)) / Double(before) * 100
    guard abs(percent) >= 0.05 else { return nil }
    return "\(percent > 0 ? "+" : "−")\(decimal(abs(percent), digits: 1))\u{A0}%"
  }

  /// `distinctTiles` is read as "distinct tiles".
  static func words(_ key: String) -> String {
    key.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
  }
}
