internal import Core
internal import Foundation

/// The dates in a subscription, which have been compared with the cycle before.
extension TableReader {
  func statedDates() throws -> [Product.StatedDate] {
    try archive.statedDates(of: cycle) + Schedule.cadences.compactMap { try firstDate(of: $0) }
  }

  /// The date of the first table of a cadence that has a row: all tables of one cadence have the same date.
  private func firstDate(of cadence: Schedule) throws -> Product.StatedDate? {
    let ours = Set(
      DatabaseSchema.sourceTables.map(\.source) + [Airport.table, Runway.table, Frequency.table])
    let names = archive.tableNames.filter { ours.contains($0) && EffectiveDates.cadence(of: $0) == cadence }
    for name in names {
      if let day = try firstDate(in: name) { return Product.StatedDate(in: name + ".csv", from: day) }
    }
    return nil
  }

  private func firstDate(in table: String) throws -> String? {
    struct Found: Error { let day: String? }
    let reader = TableReader(archive: archive, cycle: cycle, problems: ProblemLog())
    do {
      try reader.scan(table, [WantedColumn(name: "EFF_DATE")]) {
        throw Found(day: $0.date(0))
      }
      return nil
    } catch let found as Found {
      return found.day
    }
  }
}

extension SubscriptionArchive {
  /// The dates in the README of a whole subscription, and in the name of its archive of tables.
  fileprivate func statedDates(of cycle: AiracCycle) -> [Product.StatedDate] {
    let day = cycle.effectiveDay
    let names = ["readme.txt", "\(day.dayNameYear)_CSV.zip".lowercased()]
    let dated = container.members.filter { names.contains($0.fileName.lowercased()) }
    return dated.sorted { $0.name < $1.name }.map {
      Product.StatedDate(in: $0.fileName, from: day.description)
    }
  }
}
