internal import Core
internal import Foundation
internal import SQLiteIO

/// The inputs of a format.
struct ExportSource {
  let definition: ExportDefinition
  /// The description of the database.
  let base: Product
  let file: URL
  let database: SQLiteConnection
  let world: OurAirports?
  /// Records problems of OurAirports' data, and values that the format cannot express.
  let problems: ProblemLog
  let jobs: Int
  let advanced: (_ done: Int, _ total: Int) -> Void
  let counts = ExportCounts()

  /// The cycle and its dates, which each file contains.
  var metadata: [(String, String)] {
    [
      ("cycle", base.cycle.identifier), ("effective", base.effectiveDate.description),
      ("expires", base.expirationDate.description),
    ]
  }

  /// The airports of both sources.
  func airports() throws -> AirportUnion {
    AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
  }
}

extension ExportSource {
  /// A finished database whose export is compared with it.
  init(comparing database: URL, of base: Product, with format: ExportDefinition.Format) throws {
    self.init(
      definition: ExportDefinition(id: "", format: format, title: ""), base: base, file: database,
      database: try SQLiteConnection(database.path, mode: .readOnly), world: nil, problems: ProblemLog(),
      jobs: 1, advanced: { _, _ in })
  }

  /// Returns a converted row; nil if the format cannot express it, which the problem report lists.
  ///
  /// - Parameter row: The name of the row for display, unique in its table: `KPAO 13/31`.
  func expressible<Record>(
    _ row: @autoclosure () -> String, of table: String, _ convert: () throws -> Record
  ) throws -> Record? {
    do {
      return try convert()
    } catch let omission as Omission {
      problems.recordDropped(
        row(), of: table, column: omission.column, value: omission.value, omission.reason)
      return nil
    }
  }
}

/// Why a format cannot express a row of the database.
struct Omission: Error {
  let column: String
  var value = ""
  let reason: String
}

/// What an export counts besides the rows of its tables.
final class ExportCounts {
  private(set) var all: [String: Int] = [:]

  func add(_ number: Int = 1, to name: String) { all[name, default: 0] += number }
}

@available(*, unavailable)
extension ExportCounts: Sendable {}

/// The files of an export.
struct ExportContents {
  struct File {
    let name: String
    let mediaType: String
    let role: Product.Role

    static func database(_ name: String) -> File {
      File(name: name, mediaType: "application/vnd.sqlite3", role: .database)
    }
  }

  var files: [File]
  var counts: [String: Int]
  /// The box around the contents, where it is not that of the database.
  var box: GeoBox?
  /// Nil for a format without tiles.
  var zooms: ClosedRange<Int>?
  /// The counts that are totals of the problem report. Without any the export has no report.
  var problemTotals: [String: RecordProblem.Kind] = [:]
}
