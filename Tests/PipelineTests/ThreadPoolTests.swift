import Core
import Foundation
import Pipeline
import Synchronization
import Testing

@Suite struct ThreadPoolTests {
  @Test(arguments: [0, 1, 3]) func `results come in the order of the work, at any width`(width: Int) {
    let threads = ThreadPool<Int>(width: width)
    var results: [Int] = []
    for number in 0..<200 {
      threads.add { (0..<(200 - number)).reduce(number * 1000) { sum, _ in sum } }
      while threads.isFull, let result = threads.next() { results.append(result) }
    }
    while let result = threads.next() { results.append(result) }
    #expect(results == (0..<200).map { $0 * 1000 })
    #expect(threads.next() == nil)
  }

  @Test func `it is full before much waits`() {
    let threads = ThreadPool<Int>(width: 2)
    for number in 0..<4 {
      #expect(!threads.isFull)
      threads.add { number }
    }
    #expect(threads.isFull)
    #expect(threads.next() == 0)
    #expect(!threads.isFull)
  }

  @Test func `as many wait at the same time as the width says, however few cores there are`() throws {
    let together = Barrier(16)
    try orderedThreads(Array(0..<16), width: 16) { _, _ in
      together.arrive()
    } consume: { arrivedAll in
      #expect(arrivedAll)
    }
  }

  @Test func `results can be had as they come`() {
    let threads = ThreadPool<Int>(width: 2)
    let gate = Barrier(2)
    threads.add {
      _ = gate.arrive()
      return 1
    }
    threads.add { 2 }
    #expect(threads.nextDone().map { [$0.number, $0.output] } == [1, 2])
    #expect(gate.arrive())
    #expect(threads.nextDone().map { [$0.number, $0.output] } == [0, 1])
    #expect(threads.nextDone() == nil)
  }

  @Test func `after an error nobody is at work any more, and what had not begun does not begin`() {
    struct Bad: Error {}
    let begun = Atomic(0)
    let ended = Atomic(0)
    #expect(throws: Bad.self) {
      try orderedThreads(Array(0..<100), width: 4) { number, sign in
        begun.add(1, ordering: .relaxed)
        defer { ended.add(1, ordering: .relaxed) }
        if number == 3 { throw Bad() }
        while number > 3, !sign.isRaised { Thread.sleep(forTimeInterval: 0.001) }
      } consume: { _ in
      }
    }
    #expect(begun.load(ordering: .relaxed) == ended.load(ordering: .relaxed))
    #expect(begun.load(ordering: .relaxed) < 12)
  }
}

/// Lets nobody go on before all have come, or half a minute has gone by.
private final class Barrier: Sendable {
  private let bell = NSCondition()
  private let missing: Mutex<Int>

  init(_ count: Int) { missing = Mutex(count) }

  /// Whether all came.
  func arrive() -> Bool {
    bell.lock()
    defer { bell.unlock() }
    missing.withLock { $0 -= 1 }
    bell.broadcast()
    let end = Date(timeIntervalSinceNow: 30)
    while missing.withLock({ $0 > 0 }) {
      guard bell.wait(until: end) else { return false }
    }
    return true
  }
}
