import Core
import Foundation
import Synchronization

/// Lets one of several threads run at a time, chosen by a seed at every point where they ask. Its time is its own.
final class SteppedThreads: Sendable {
  private struct Waiting {
    var from: Int
    /// When it has to continue at the latest, since a call lasts no longer. The clock waits for it.
    var until: Int
  }

  private struct State {
    var time: Int
    var dice: Dice
    var waiting: [Int: Waiting] = [:]
    var running = 0
  }

  private let state: Mutex<State>
  private let turns: [DispatchSemaphore]
  private let ended = DispatchSemaphore(value: 0)

  init(seed: UInt64, from start: Instant, count: Int) {
    state = Mutex(State(time: start.secondsSince1970, dice: Dice(seed: seed)))
    turns = (0..<count).map { _ in DispatchSemaphore(value: 0) }
  }

  var now: Instant { Instant(secondsSince1970: state.withLock { $0.time }) }

  func roll(_ range: ClosedRange<Int>) -> Int { state.withLock { $0.dice.roll(range) } }

  /// How long a machine is suspended: some minutes, or up to three days.
  func rollNap() -> Int { roll(1...4) == 1 ? roll(1...72) * 3600 : roll(60...1500) }

  /// Waits for the turn, which does not come for some seconds, and within others in any case.
  func step(_ thread: Int, pause: Int = 0, within limit: Int? = nil) {
    state.withLock { state in
      let from = state.time + pause
      state.waiting[thread] = Waiting(from: from, until: limit.map { state.time + $0 } ?? .max)
    }
    next()
    turns[thread].wait()
  }

  /// Runs the threads to their ends.
  func run(_ work: [@Sendable () -> Void]) {
    state.withLock { state in
      state.running = work.count
      for thread in work.indices { state.waiting[thread] = Waiting(from: state.time, until: .max) }
    }
    for (thread, body) in work.enumerated() {
      Thread.detachNewThread { [self] in
        turns[thread].wait()
        body()
        let isLast = state.withLock { state in
          state.running -= 1
          return state.running == 0
        }
        if isLast { ended.signal() } else { next() }
      }
    }
    next()
    ended.wait()
  }

  private func next() {
    let thread = state.withLock { state -> Int? in
      let limit = state.waiting.values.map(\.until).min() ?? .max
      state.time = min(limit, state.time + state.dice.roll(0...1))
      if !state.waiting.values.contains(where: { $0.from <= state.time }) {
        state.time = state.waiting.values.map(\.from).min() ?? state.time
      }
      let ready = state.waiting.filter { $0.value.from <= state.time }.keys.sorted()
      let due = ready.filter { state.waiting[$0]?.until == state.time }
      let choice = due.isEmpty ? ready : due
      guard !choice.isEmpty else { return nil }
      let chosen = choice[state.dice.roll(0...choice.count - 1)]
      state.waiting[chosen] = nil
      return chosen
    }
    if let thread { turns[thread].signal() }
  }
}

/// Numbers that follow from a seed.
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let bits = (state >> 33) ^ (state >> 51)
    return range.lowerBound + Int(bits % UInt64(range.count))
  }
}
