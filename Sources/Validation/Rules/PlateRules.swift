internal import Core
internal import CryptoIO
internal import SQLiteIO

/// Checks the PDFs of a set: their hashes and their days. PDFs that it lacks are warnings.
struct PlateContents: Rule {
  let name = "plate-contents"
  let protects = "A plate in a set is the FAA's file of this cycle, and a missing one is said to be missing."

  /// How many missing PDFs are named.
  private static let shown = 5

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let day = database.metadata["edition"] ?? ""
    var found: [Finding] = []
    var missing: [String] = []
    try database.connection.prepare(
      "SELECT name, problem, sha256, printedFrom, printedTo, content, bytes FROM pdfs ORDER BY name"
    ).rows { row in
      let name = row.text(0) ?? ""
      guard !row.isNull(5) else {
        missing.append("\(name) (\(row.text(1) ?? "without a reason"))")
        return
      }
      let bytes = row.blob(5)
      if try SHA256Hex(of: bytes).text != row.text(2) || bytes.count != row.int(6) {
        found.append(error("\(database.place) \(name)", "its content is not that of its hash and size"))
      }
      if let from = row.text(3), let to = row.text(4), !(from <= day && day < to) {
        found.append(error("\(database.place) \(name)", "it is printed for \(from) to \(to), not for \(day)"))
      }
    }
    let strays = try database.connection.count("charts WHERE pdf NOT IN (SELECT name FROM pdfs)")
    if strays > 0 {
      found.append(error(database.place, "\(Counts.of(strays, "chart")) with a PDF that is not listed"))
    }
    guard !missing.isEmpty else { return found }
    let names = Counts.some(missing, atMost: Self.shown)
    return found + [warning(database.place, "\(Counts.of(missing.count, "PDF")) missing: \(names)")]
  }
}
