internal import Core
internal import Pipeline

/// Whether the rows of a table are of the cycle that is built.
///
/// One row of another cycle condemns the whole file: somebody has put together what does not belong together, and a
/// database that is half of one month and half of another looks right everywhere.
///
/// A class, so that to ask it for each row copies nothing.
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
      throw archive.fault(
        "\(table).csv has no column EFF_DATE", remedy: "Get the subscription again from the FAA.")
    }
    self.position = position
    self.archive = archive
    expected = day
    expectedBytes = Array(day.slashed.utf8)
    file = table + ".csv"
  }

  /// Throws `UnusableRow` where there is no date, and a fault where it is another one.
  func check(_ record: CSVRecord, in bytes: UnsafeBufferPointer<UInt8>) throws {
    let value = CSVValue(record.fields[position], in: bytes)
    guard !value.equals(expectedBytes) else { return }
    guard let day = EffectiveDates.read(value.text) else {
      throw UnusableRow(column: "EFF_DATE", value: value.text, reason: "it is no date such as 2026/02/19")
    }
    guard day != expected else { return }
    throw archive.fault(
      "line \(record.line) of \(file) is effective \(day), in this cycle it must be \(expected)",
      remedy: SubscriptionArchive.otherCycle)
  }
}
