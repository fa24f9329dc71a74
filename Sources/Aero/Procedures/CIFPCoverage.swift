internal import Foundation

/// A line of `IN_CIFP.txt`, the FAA's list of the procedures that it codes.
struct CIFPCoverage {
  let line: Int
  let airport: String
  let type: String
  let procedure: String

  static let file = "IN_CIFP.txt"

  static let table = RecordTable<CIFPCoverage>(
    "coverage",
    "The procedures that the FAA says it codes. Others are published on paper only.",
    [
      .init("line", "INTEGER PRIMARY KEY", "Of IN_CIFP.txt.") { $0.line },
      .init("airport", "TEXT NOT NULL") { $0.airport },
      .init("type", "TEXT NOT NULL", "In the FAA's words.") { $0.type },
      .init("procedure", "TEXT NOT NULL", "As procedures.identifier.") { $0.procedure },
    ], indexes: [["airport", "procedure"]])

  /// Reads the list: a header, and three texts with tabs between them.
  static func list(_ bytes: [UInt8], _ problems: ProblemLog) -> [CIFPCoverage] {
    var found: [CIFPCoverage] = []
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == .lineFeed }
    for (index, line) in lines.enumerated().dropFirst() where line.contains(where: { $0 > 0x20 }) {
      let texts = String(decoding: line, as: UTF8.self).split(
        separator: "\t", omittingEmptySubsequences: false
      )
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      if texts.count == 3, !texts.contains("") {
        found.append(CIFPCoverage(line: index + 1, airport: texts[0], type: texts[1], procedure: texts[2]))
      } else {
        problems.drop(UnusableRow(reason: "it does not have three texts"), file, line: index + 1)
      }
    }
    problems.read(rows: max(0, lines.count - 1), of: file)
    return found
  }
}
