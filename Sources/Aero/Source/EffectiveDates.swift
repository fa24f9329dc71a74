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
    "November", "December",
  ]
}
