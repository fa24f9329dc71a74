public import Core

/// The date that the rows of a table must have: one subscription holds tables of two cadences.
public enum EffectiveDates {
  /// Groups of tables that change every 56 days only; between changes they have the date of the last one.
  private static let slowGroups: Set<Substring> = ["ARB", "AWY", "DP", "MTR", "PFR", "STAR", "WXL"]
  private static let undatedTables: Set<String> = ["CDR", "PFR_RMT_FMT"]

  /// The day in the EFF_DATE column; nil for a table without the column.
  public static func day(of table: String, in cycle: AiracCycle) -> CalendarDay? {
    guard !undatedTables.contains(table) else { return nil }
    return cycle.edition(cadence(of: table)).effectiveDay
  }

  static func cadence(of table: String) -> Schedule {
    slowGroups.contains(table.prefix { $0 != "_" }) ? .every56Days : .every28Days
  }

  /// Reads `2026/02/19`, and `2026-02-19` too.
  static func read(_ text: String) -> CalendarDay? { CalendarDay(text.replacing("/", with: "-")) }

  /// `February 19, 2026`, the form of the subscription's README.
  static func longForm(_ day: CalendarDay) -> String { "\(months[day.month - 1]) \(day.day), \(day.year)" }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November",
    "December",
  ]
}

/// Checks that the rows of a table belong to the cycle.
///
/// One row of another cycle fails the whole build: a database that mixes two months would look right everywhere.
///
/// A class, so that a call for each row copies nothing.
final class DateCheck {
  private let expected: CalendarDay
  private let expectedBytes: [UInt8]
  private let position: Int
  private let file: String
  private let archive: SubscriptionArchive

  /// Nil for a table without dates.
  init?(
    table: String, cycle: AiracCycle, position: Int?, archive: SubscriptionArchive
  ) throws {
    guard let day = EffectiveDates.day(of: table, in: cycle) else { return nil }
    guard let position else {
      throw archive.userError(
        "\(table).csv has no column EFF_DATE", suggestion: "Get the subscription again from the FAA.")
    }
    self.position = position
    self.archive = archive
    expected = day
    expectedBytes = Array(day.slashed.utf8)
    file = table + ".csv"
  }

  /// Throws `UnusableRow` if there is no date, and `UserError` if it is another date.
  func check(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws {
    let value = CSVValue(record.fields[position], in: bytes)
    guard !value.equals(expectedBytes) else { return }
    guard let day = EffectiveDates.read(value.text) else {
      throw UnusableRow(column: "EFF_DATE", value: value.text, reason: "it is no date such as 2026/02/19")
    }
    guard day != expected else { return }
    throw archive.userError(
      "line \(record.line) of \(file) is effective \(day), in this cycle it must be \(expected)",
      suggestion: SubscriptionArchive.otherCycle)
  }
}

/// The check of a subscription's dates after its download.
public enum SubscriptionDates {
  /// Throws if the README, or the name of the archive of tables, is of another cycle.
  public static func check(_ source: SourceFile, _ cycle: AiracCycle) throws {
    _ = try SubscriptionArchive(source, cycle: cycle)
  }
}
