internal import Core
internal import Foundation
internal import SQLiteIO

/// A format of exports.
protocol ExportFormat {
  /// Writes the files and describes them.
  func write(_ scratch: (String) -> URL) throws -> ExportContents
}

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

  /// The cycle and its dates, which each file contains.
  var metadata: [(String, String)] {
    [("cycle", base.cycle), ("effective", base.effectiveDate), ("expires", base.expirationDate)]
  }

  /// The airports of both sources.
  func airports() throws -> AirportUnion {
    AirportUnion(try DatabaseAirport.all(in: database), try world?.airports() ?? [])
  }
}

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
