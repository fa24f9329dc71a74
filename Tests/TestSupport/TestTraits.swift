internal import Foundation
public import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test or suite that takes more than about two seconds. `make test-quick` skips it, by this variable: `swift test`
  /// cannot filter by tag.
  public static var slow: Self {
    .disabled(if: ProcessInfo.processInfo.environment["CHARTPIPE_QUICK_TESTS"] == "1", "a slow test")
  }
}

extension Trait where Self == BlockingTrait {
  /// Marks a suite whose tests wait for processes, servers or clocks. They run on threads of their own, so that the few threads
  /// of Swift's cooperative pool compute meanwhile.
  public static var blocking: Self { BlockingTrait() }
}

public struct BlockingTrait: SuiteTrait, TestScoping {
  /// Once around the suite: its tests inherit the executor.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws { try await withTaskExecutorPreference(BlockingThreads.forTests) { try await function() } }
}

/// A fixed number of threads. They take the newest job first: a test that waited goes on before others start.
final class BlockingThreads: TaskExecutor, @unchecked Sendable {
  static let forTests = BlockingThreads(count: 4)
  /// For what several tests wait for: in the other queue it would be behind all tests that do not need it.
  static let forValues = BlockingThreads(count: 4)

  /// Guards `jobs`.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []

  private init(count: Int) {
    for _ in 0..<count {
      let thread = Thread { self.runJobs() }
      thread.stackSize = 1 << 21
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock { jobs.append(job) }
    condition.signal()
  }

  private func runJobs() -> Never {
    while true { nextJob().runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob {
    condition.withLock {
      while jobs.isEmpty { condition.wait() }
      return jobs.removeLast()
    }
  }
}
