import Core
import Foundation
import Synchronization
import Testing

@Suite struct ProcessInOrderTests {
  @Test(arguments: [1, 2, 3, 8])
  func `results have the order of the inputs`(width: Int) throws {
    var consumed: [Int] = []
    try processInOrder(Array(0..<100), width: width) { number in
      busy(number % 7)
      return number * 2
    } consume: {
      consumed.append($0)
    }
    #expect(consumed == (0..<100).map { $0 * 2 })
  }

  @Test func `at most twice the width is ahead of the consumer`() throws {
    let started = Atomic<Int>(0)
    var consumed = 0
    var mostAhead = 0
    try processInOrder(Array(0..<200), width: 3) { number in
      started.add(1, ordering: .relaxed)
      busy(number == 0 ? 60 : 0)
      return number
    } consume: { _ in
      mostAhead = max(mostAhead, started.load(ordering: .relaxed) - consumed)
      consumed += 1
    }
    #expect(consumed == 200)
    #expect(mostAhead <= 6)
  }

  @Test func `inputs are created when a worker is free`() throws {
    var made = 0
    var consumed = 0
    var mostAhead = 0
    try processInOrder(width: 2) {
      made += 1
      mostAhead = max(mostAhead, made - consumed)
      return made <= 50 ? made : nil
    } work: { (number: Int) in
      busy(number % 3)
      return number
    } consume: {
      consumed += 1
      #expect($0 == consumed)
    }
    #expect(consumed == 50)
    #expect(mostAhead <= 5)
  }

  @Test func `an error of the inputs ends the work`() throws {
    struct Unreadable: Error {}
    var made = 0
    #expect(throws: Unreadable.self) {
      try processInOrder(width: 3) { () throws -> Int? in
        made += 1
        if made == 8 { throw Unreadable() }
        return made
      } work: {
        $0
      } consume: { _ in
      }
    }
  }

  @Test func `a pooled item is used by one thread at a time`() throws {
    final class Counter {
      var uses = 0
    }
    let made = Atomic<Int>(0)
    let items = Pool {
      made.add(1, ordering: .relaxed)
      return Counter()
    }
    var most = 0
    try processInOrder(Array(0..<200), width: 3) { _ in
      try items.withItem { item in
        item.uses += 1
        return item.uses
      }
    } consume: {
      most = max(most, $0)
    }
    #expect(made.load(ordering: .relaxed) <= 3)
    #expect(most >= 200 / 3)
  }

  @Test func `the first error ends the work`() throws {
    struct Broken: Error {}
    let started = Atomic<Int>(0)
    #expect(throws: Broken.self) {
      try processInOrder(Array(0..<1000), width: 2) { number in
        started.add(1, ordering: .relaxed)
        if number == 5 { throw Broken() }
      } consume: { _ in
      }
    }
    #expect(started.load(ordering: .relaxed) < 20)
  }

  @Test func `an error of the consumer ends the work`() throws {
    struct Full: Error {}
    #expect(throws: Full.self) {
      try processInOrder(Array(0..<50), width: 4) {
        $0
      } consume: {
        if $0 == 10 { throw Full() }
      }
    }
  }
}

/// Takes a little time without yielding the thread.
private func busy(_ milliseconds: Int) {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  while ContinuousClock.now < end {}
}

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
    try processInOrder(Array(0..<16), width: 16) { _ in
      together.arrive()
    } consume: { arrivedAll in
      #expect(arrivedAll)
    }
  }

  @Test func `cancelling the caller's token cancels the work on all threads`() {
    let token = CancellationToken()
    let started = Atomic(0)
    #expect(throws: CancellationError.self) {
      try token.run {
        try processEach(Array(0..<100), width: 4) { number in
          started.add(1, ordering: .relaxed)
          if number == 3 { token.cancel() }
          while !CancellationToken.current.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
        }
      }
    }
    #expect(started.load(ordering: .relaxed) == 4)
    #expect(!CancellationToken.current.isCancelled)
  }

  @Test func `a cancelled child leaves its parent alone`() {
    let parent = CancellationToken()
    let child = CancellationToken(parent: parent)
    child.cancel()
    #expect(child.isCancelled && !parent.isCancelled)
    parent.run { #expect(CancellationToken.current === parent) }
  }

  @Test func `after an error all threads have ended and no further work starts`() {
    struct Bad: Error {}
    let started = Atomic(0)
    let ended = Atomic(0)
    #expect(throws: Bad.self) {
      try processEach(Array(0..<100), width: 4) { number in
        started.add(1, ordering: .relaxed)
        defer { ended.add(1, ordering: .relaxed) }
        if number == 3 { throw Bad() }
        while number > 3, !CancellationToken.current.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
      }
    }
    #expect(started.load(ordering: .relaxed) == ended.load(ordering: .relaxed))
    #expect(started.load(ordering: .relaxed) < 12)
  }
}

/// Blocks each thread until all have arrived, for at most 30 seconds.
private final class Barrier: Sendable {
  private let bell = NSCondition()
  private let missing: Mutex<Int>

  init(_ count: Int) { missing = Mutex(count) }

  /// Whether all arrived in time.
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
