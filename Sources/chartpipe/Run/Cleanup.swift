internal import Core
internal import Foundation

/// Removes old cycles from the work folder, its site and the cache, so they do not accumulate on a machine that builds every cycle.
struct Cleanup {
  let workspace: Workspace
  let cache: SourceCache
  /// Never removed.
  let cycle: AiracCycle
  let now: Instant

  /// Cycles that took effect in these days are kept: the current and the previous one, and the previous edition of 56-day charts.
  static let daysKept = 84

  func run(_ console: Console) throws {
    let oldest = now.secondsSince1970 - Cleanup.daysKept * 86_400
    let cycles = workspace.cycleNames.sorted().filter { name in
      AiracCycle(identifier: name).map { $0 != cycle && $0.effective.secondsSince1970 < oldest } ?? false
    }
    for cycle in cycles { try workspace.forget(cycle: cycle) }
    let staged = try Retention.prune(staged: workspace.site)
    let cached = try cache.prune(
      downloadedBefore: Cleanup.date(oldest), unusedSince: Cleanup.date(now.secondsSince1970 - 86_400))
    let parts = [
      cycles.isEmpty ? nil : "\(cycles.count == 1 ? "cycle" : "cycles") \(cycles.joined(separator: ", "))",
      staged == 0 ? nil : "\(Counts.of(staged, "file")) of the site",
      cached.files == 0
        ? nil : "\(Counts.of(cached.files, "file")) of the cache (\(Counts.bytes(cached.bytes)))",
    ].compactMap(\.self)
    if !parts.isEmpty { console.note("Removed as out of date: \(parts.joined(separator: "; ")).") }
  }

  private static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}
