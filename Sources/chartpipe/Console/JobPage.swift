import Core
import Foundation
import Pipeline
import Validation

/// What a job leaves for people who did not watch it: a summary in Markdown, and in GitHub Actions marks on the job itself.
struct JobPage {
  static let option = OptionSpec(
    "--summary", value: "FILE",
    "append a summary in Markdown to FILE (default in GitHub Actions: the page of the job)")

  private let summary: URL?
  private let isMarked: Bool

  init(
    _ arguments: ParsedArguments, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let place = arguments.value(JobPage.option.name) ?? environment["GITHUB_STEP_SUMMARY"]
    summary = place.flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
    isMarked = environment["GITHUB_ACTIONS"] == "true"
  }

  func append(_ markdown: String) throws {
    guard let summary else { return }
    do {
      if summary.kindOnDisk == nil { try Data().write(to: summary) }
      let handle = try FileHandle(forWritingTo: summary)
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(markdown.utf8))
    } catch {
      throw UserError(
        .failed, operation: "appending the summary to", path: summary.path, reason: error.fileErrorReason,
        suggestion: "Name another file with --summary.", causes: [error])
    }
  }

  func mark(_ finding: Finding) {
    mark(finding.severity, title: finding.rule, "\(finding.where): \(finding.message)")
  }

  func mark(_ severity: Finding.Severity, title: String, _ message: String) {
    if isMarked { Console.complain(JobPage.annotation(severity, title: title, message) + "\n") }
  }

  /// The one line that GitHub Actions reads; what would end it or its title is escaped.
  static func annotation(_ severity: Finding.Severity, title: String, _ message: String) -> String {
    let name = escaped(title, ["%", "\r", "\n", ":", ","])
    return "::\(severity.rawValue) title=\(name)::\(escaped(message, ["%", "\r", "\n"]))"
  }

  /// Scalar by scalar: the two of a line's end in Windows' files are one character.
  private static func escaped(_ text: String, _ special: Set<Unicode.Scalar>) -> String {
    text.unicodeScalars.map { scalar in
      special.contains(scalar)
        ? "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        : String(scalar)
    }.joined()
  }
}

/// Markdown of texts that may hold anything.
enum Markdown {
  /// Text that stays text: no markup, no other line, no other cell.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character.isNewline {
        result += " "
      } else if "\\`*_{}[]<>()#+!|~&".contains(character) {
        result += "&#\(character.unicodeScalars.first?.value ?? 32);"
      } else {
        result.append(character)
      }
    }
  }

  static func table(_ head: [String], _ rows: [[String]]) -> String {
    let line = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |\n" }
    return line(head) + "|" + String(repeating: " --- |", count: head.count) + "\n" + rows.map(line).joined()
  }
}
