import Core
import Pipeline

/// How much memory a run takes at most, as it was measured on sheets of all sizes and on databases of a whole cycle.
struct MemoryNeed: Sendable {
  /// Whatever the number of workers.
  private let base: Int
  private static let program = 95_000_000
  private static let worker = 30_000_000
  private static let database = 30_000_000

  init(_ plan: BuildPlan, _ sizes: SourceSizes) {
    let needs = plan.items.map { item in
      switch item.content {
      // The packed image is in memory as a whole, and bands of it unpacked.
      case .chart(let chart, let family): sizes.bytes(of: chart, in: family) / 10 * 22
      case .nasr, .obstacles, .export: MemoryNeed.database
      case .mosaic: 0
      }
    }
    base = MemoryNeed.program + (needs.max() ?? 0)
  }

  func bytes(workers: Int) -> Int { base + workers * MemoryNeed.worker }

  /// As many workers as fit, and no more than were asked for.
  func workers(_ wanted: Int, within limit: Int, for subject: String) throws -> Int {
    guard bytes(workers: 1) <= limit else {
      throw UserError(
        .failed, operation: "making room for", path: subject,
        reason: "it needs about \(Counts.bytes(bytes(workers: 1))) of memory with one worker, "
          + "and --max-memory allows \(Counts.bytes(limit))",
        suggestion: "Allow more; the largest chart decides, and --only builds others.")
    }
    return min(wanted, (limit - base) / MemoryNeed.worker)
  }
}
