internal import Core
internal import Foundation

extension RunSettings {
  /// Cycles that took effect in these days are kept: the current and the previous one, and the previous edition of 56-day charts.
  static let daysKept = 84

  /// Removes old cycles from the work folder, its site and the cache, so they do not accumulate on a machine that builds every cycle.
  /// The cycle of the run stays.
  func removeOldCycles(_ console: Console) throws {
    func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
    let now = SystemClock.now.secondsSince1970
    let oldest = now - RunSettings.daysKept * 86_400
    let cycles = workspace.cycleNames.sorted().filter { name in
      AiracCycle(identifier: name).map { $0 != cycle && $0.effective.secondsSince1970 < oldest } ?? false
    }
    for cycle in cycles { try workspace.forget(cycle: cycle) }
    let staged = try Retention.prune(staged: workspace.site)
    let cached = try SourceCache(named: cache)
      .prune(downloadedBefore: date(oldest), unusedSince: date(now - 86_400))
    let parts = [
      cycles.isEmpty ? nil : "\(cycles.count == 1 ? "cycle" : "cycles") \(cycles.joined(separator: ", "))",
      staged == 0 ? nil : "\(Counts.of(staged, "file")) of the site",
      cached.files == 0
        ? nil : "\(Counts.of(cached.files, "file")) of the cache (\(Counts.bytes(cached.bytes)))",
    ].compactMap(\.self)
    if !parts.isEmpty { console.note("Removed as out of date: \(parts.joined(separator: "; ")).") }
  }
}
