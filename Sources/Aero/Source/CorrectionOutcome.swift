internal import SQLiteIO

/// The outcome of a correction in one cycle.
public struct CorrectionOutcome: Codable, Equatable, Sendable {
  public enum Ending: String, Codable, CaseIterable, Sendable {
    /// The FAA still has the wrong value, and the database has the right one.
    case used
    /// The FAA now has a third value, which is kept.
    case overtaken
    /// The FAA has fixed it.
    case alreadyRight
    /// There is no such row.
    case unused
    /// More than one row fits.
    case ambiguous
    /// The correction ended before the cycle.
    case expired
    /// The value of the database is the same with and without it.
    case withoutEffect
    /// The right value is not a value of the column, or that of another row. No database is built.
    case unusable
  }

  public let correction: Correction
  public let ending: Ending
  /// The FAA's new value, if the correction is overtaken.
  public var found: String?
  /// How many rows fit, if the correction is ambiguous.
  public var rows: Int?
  /// Why the right value is unusable.
  public var reason: String?

  /// `APT_BASE with ARPT_ID PAO, SITE_TYPE_CODE A: ELEV corrected from "6.8" to "7.0": the airport's own survey`
  public var text: String {
    let (place, faa, right) = (correction.place, correction.faa, correction.right)
    switch ending {
    case .used: return "\(place) corrected from \"\(faa)\" to \"\(right)\": \(correction.why)"
    case .overtaken:
      return
        "\(place) is not corrected: the FAA has \"\(found ?? "")\" now, neither \"\(faa)\" nor \"\(right)\"; "
        + "look which is right"
    case .alreadyRight: return "\(place) is right in the FAA's file: take the correction out"
    case .unused: return "\(place) is not corrected: the cycle has no such row"
    case .ambiguous: return "\(place) is not corrected: \(rows ?? 0) rows fit; name more columns in `row`"
    case .expired:
      return "\(place) is not corrected: the correction ended with the cycle \(correction.until ?? "")"
    case .withoutEffect:
      return "\(place) changes no value of the database: it reads another column there, or the same value; "
        + "correct the column that it reads, or take the correction out"
    case .unusable: return "\(place) cannot be corrected to \"\(right)\": \(reason ?? "it is unusable")"
    }
  }
}

extension CorrectionOutcome {
  /// The outcome of a search.
  ///
  /// - Parameters:
  ///   - rows: how many rows fit.
  ///   - isWrong: whether the first of them still has the FAA's wrong value.
  ///   - found: its value.
  init(_ correction: Correction, rows: Int, isWrong: Bool, isRight: Bool, found: String) {
    switch rows {
    case 0: self.init(correction: correction, ending: .unused)
    case 1 where isWrong: self.init(correction: correction, ending: .used)
    case 1 where isRight: self.init(correction: correction, ending: .alreadyRight)
    case 1: self.init(correction: correction, ending: .overtaken, found: found)
    default: self.init(correction: correction, ending: .ambiguous, rows: rows)
    }
  }
}

/// The rows of a source that is no table of text, as corrections see them.
struct CorrectableRows {
  /// The name that corrections have for them.
  let name: String
  /// The name of the file in problems.
  let file: String
  let columns: [String]
  /// Copies of a row are one row.
  var rows: [(texts: [String], place: String)] = []
  /// The values in the database that follow from a row.
  let values: (_ texts: [String]) -> [SQLiteValue]
}

/// The rows that corrections change, by the rows that they replace.
typealias RowChanges = [[String]: [String]]
typealias RowCorrector = (CorrectableRows) throws -> RowChanges

extension [CorrectionOutcome] {
  /// How many have each outcome: `correctionsUsed`, `correctionsOvertaken` …, where there are any.
  var counts: [String: Int] {
    Dictionary(grouping: self, by: \.ending).reduce(into: [:]) { counts, group in
      let name = group.key.rawValue
      counts["corrections" + name.prefix(1).uppercased() + name.dropFirst()] = group.value.count
    }
  }
}
