internal import Foundation
internal import SQLiteIO

/// The table of identifiers against the database, and against its other form.
struct IdentifiersAgreement {
  private let pair: DatabasePairing
  private let json: URL?

  init(_ pair: DatabasePairing, json: URL?) {
    self.pair = pair
    self.json = json
  }

  /// Positions here are rounded to a hundred-thousandth of a degree.
  private static let missing = """
    SELECT icao FROM base.airports b WHERE NOT EXISTS (
      SELECT 1 FROM airports a WHERE a.ident = b.faaID AND a.name = b.name AND a.type = b.type
        AND abs(a.lat - b.latitude) <= 0.000006 AND abs(a.lon - b.longitude) <= 0.000006) ORDER BY 1
    """

  func problems() throws -> [Disagreement] {
    let text = "it is not here by its identifier, under its name and where it lies"
    return try pair.disagreements("airports", IdentifiersAgreement.missing, text) + lines()
  }

  /// Row by row: both are in one order.
  private func lines() throws -> [Disagreement] {
    guard let json else { return [] }
    let columns = ["ident", "icao", "name", "lat", "lon", "country", "type"]
    let rows = try pair.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM airports ORDER BY rowid")
    return try LineComparison(columns.map { "$." + $0 }).disagreements(json, with: rows) {
      "\(json.lastPathComponent) \($0.text(0) ?? "")"
    }
  }
}
