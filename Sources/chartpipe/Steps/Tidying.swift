import Core
import Fetch
import Foundation
import Pipeline
import Site

/// Takes away what a machine that makes every cycle would otherwise gather: cycles that nobody needs any more in the work folder,
/// in its site and in the cache.
struct Tidying {
  let workspace: Workspace
  let cache: SourceCache
  /// Stays, however old it is.
  let cycle: AiracCycle
  let now: Instant

  /// The cycle in force, the one before, and what charts of 56 days are compared with: all that took effect in these days.
  static let daysKept = 84

  func run(_ console: Console) throws {
    let oldest = now.secondsSince1970 - Tidying.daysKept * 86_400
    let cycles = workspace.cycleNames.sorted().filter { name in
      AiracCycle(identifier: name).map { $0 != cycle && $0.effective.secondsSince1970 < oldest } ?? false
    }
    for cycle in cycles { try workspace.forget(cycle: cycle) }
    let staged = try SitePruning.prune(staged: workspace.site)
    let cached = try cache.prune(
      noted: Tidying.date(oldest), settled: Tidying.date(now.secondsSince1970 - 86_400))
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
