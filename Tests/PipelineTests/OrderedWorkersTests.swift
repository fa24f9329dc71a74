import Pipeline
import Synchronization
import Testing

@Suite struct OrderedWorkersTests {
  @Test(arguments: [1, 2, 3, 8])
  func resultsComeInTheOrderOfTheInputs(width: Int) async throws {
    var consumed: [Int] = []
    try await orderedWorkers(Array(0..<100), width: width) { number in
      busy(number % 7)
      return number * 2
    } consume: {
      consumed.append($0)
    }
    #expect(consumed == (0..<100).map { $0 * 2 })
  }

  @Test func noMoreThanTwiceTheWidthIsAheadOfTheConsumer() async throws {
    let started = Atomic<Int>(0)
    var consumed = 0
    var mostAhead = 0
    try await orderedWorkers(Array(0..<200), width: 3) { number in
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

  @Test func theFirstErrorEndsTheWhole() async throws {
    struct Broken: Error {}
    let started = Atomic<Int>(0)
    await #expect(throws: Broken.self) {
      try await orderedWorkers(Array(0..<1000), width: 2) { number in
        started.add(1, ordering: .relaxed)
        if number == 5 { throw Broken() }
      } consume: { _ in
      }
    }
    #expect(started.load(ordering: .relaxed) < 20)
  }

  @Test func anErrorOfTheConsumerEndsItToo() async throws {
    struct Full: Error {}
    await #expect(throws: Full.self) {
      try await orderedWorkers(Array(0..<50), width: 4) {
        $0
      } consume: {
        if $0 == 10 { throw Full() }
      }
    }
  }
}

/// Takes a little time, without giving up the thread.
private func busy(_ milliseconds: Int) {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  while ContinuousClock.now < end {}
}
