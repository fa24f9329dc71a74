import Core
import Synchronization
import Testing

@Suite struct ProcessInOrderTests {
  @Test(arguments: [1, 2, 3, 8])
  func resultsComeInTheOrderOfTheInputs(width: Int) throws {
    var consumed: [Int] = []
    try processInOrder(Array(0..<100), width: width) { number in
      busy(number % 7)
      return number * 2
    } consume: {
      consumed.append($0)
    }
    #expect(consumed == (0..<100).map { $0 * 2 })
  }

  @Test func noMoreThanTwiceTheWidthIsAheadOfTheConsumer() throws {
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

  @Test func inputsAreMadeWhenThereIsAWorkerForThem() throws {
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

  @Test func anErrorOfTheInputsEndsItToo() throws {
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

  @Test func aPooledItemIsUsedByOneThreadAtATime() throws {
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

  @Test func theFirstErrorEndsTheWhole() throws {
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

  @Test func anErrorOfTheConsumerEndsItToo() throws {
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

/// Takes a little time, without giving up the thread.
private func busy(_ milliseconds: Int) {
  let end = ContinuousClock.now + .milliseconds(milliseconds)
  while ContinuousClock.now < end {}
}
