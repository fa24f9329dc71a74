import Core
import CryptoIO
import Foundation
import Synchronization

import struct ChartpipeClient.ChartRegion

@testable import ChartpipeKit

/// The objects of a simulated store. It verifies that clients may see each of its states.
final class PublishedWorld: Sendable {
  struct State {
    var objects: [String: Data]
    var times: [String: Instant]
    /// The sizes of the files that the catalogue names, by key.
    var named: [String: Int] = [:]
    var serial = 0
    /// The archives of `regions.json`: of the catalogue, or for a while of the one before.
    var regions: Set<String> = []
    var complaints: [String] = []
    var flips = 0
  }

  /// Sites remember what was published from them, and several runs use the same sites.
  let address = UUID().uuidString
  private let state: Mutex<State>

  /// - Parameter start: when all objects were written.
  init(_ objects: [String: Data] = [:], from start: Instant) {
    state = Mutex(State(objects: objects, times: objects.mapValues { _ in start }))
    state.withLock { PublishedWorld.look(&$0) }
  }

  var objects: [String: Data] { state.withLock { $0.objects } }
  var complaints: [String] { state.withLock { $0.complaints } }
  var flips: Int { state.withLock { $0.flips } }

  func complain(_ words: String) { state.withLock { $0.complaints.append(words) } }

  /// The serial of the catalogue, and the files that it names.
  var offer: (serial: Int, named: [String: Int]) { state.withLock { ($0.serial, $0.named) } }

  func read(_ key: String) -> Data? { state.withLock { $0.objects[key] } }

  func list(_ prefix: String) -> [ListedObject] {
    state.withLock { state in
      state.objects.compactMap { key, data in
        guard key.hasPrefix(prefix), let time = state.times[key] else { return nil }
        return ListedObject(key: key, bytes: data.count, modified: time)
      }
    }
  }

  /// False when the condition did not hold.
  func put(_ data: Data, at key: String, _ now: Instant, if condition: PutCondition) -> Bool {
    state.withLock { state in
      let old = state.objects[key]
      switch condition {
      case .always: break
      case .isAbsent: guard old == nil else { return false }
      case .isStill(let tag): guard let old, PublishedWorld.tag(old) == tag else { return false }
      }
      (state.objects[key], state.times[key]) = (data, now)
      if key == PublishedCatalogue.path, old != data { PublishedWorld.look(&state) }
      if key == RegionList.path { PublishedWorld.look(&state, atRegions: data) }
      return true
    }
  }

  func remove(_ key: String) {
    state.withLock { state in
      state.objects[key] = nil
      if state.named[key] != nil { state.complaints.append("\(key) was removed, and is named") }
      if state.regions.contains(key) { state.complaints.append("\(key) was removed, and is a region") }
    }
  }

  /// Not `hashValue`, which depends on the first bytes only.
  static func tag(_ data: Data) -> ObjectTag {
    ObjectTag(text: (try? SHA256Hex(of: Array(data)))?.text ?? "")
  }

  private static func look(_ state: inout State, atRegions data: Data) {
    guard let regions = try? JSONDecoder().decode([ChartRegion].self, from: data) else {
      return state.complaints.append("regions.json cannot be read")
    }
    state.regions = Set(regions.flatMap { [$0.path] + $0.forms.map(\.path) })
    for path in state.regions where state.objects[path] == nil {
      state.complaints.append("\(path) is a region, and is not there")
    }
  }

  /// Verifies a new catalogue: its files and its signature are there, and its serial is higher.
  private static func look(_ state: inout State) {
    guard let data = state.objects[PublishedCatalogue.path],
      let catalogue = try? JSONDecoder().decode(Catalog.self, from: data),
      let named = try? catalogue.namedFiles(in: "")
    else { return }
    state.flips += 1
    if catalogue.serial <= state.serial {
      state.complaints.append("serial \(catalogue.serial) came after \(state.serial)")
    }
    state.serial = catalogue.serial
    state.named = [:]
    for file in named { state.named[file.reference.path] = file.reference.bytes }
    if let path = try? SigningKey.path(of: data) { state.named[path] = state.objects[path]?.count ?? 0 }
    for (path, bytes) in state.named where state.objects[path]?.count != bytes || bytes == 0 {
      state.complaints.append("\(path) is named by serial \(state.serial), and is not there")
    }
  }
}

/// A store in which other threads may continue at each call, with the failures of a network.
struct SteppedStore: WritableObjectStore {
  /// A deliberate defect, which the test has to find.
  enum Weakness: Sendable {
    case flipsUnconditionally
    /// Every object seems to have been there for long.
    case everythingIsOld
  }

  struct Killed: Error {}
  struct Outage: Error {}

  let world: PublishedWorld
  let threads: SteppedThreads
  let thread: Int
  /// How many calls are left before the kill.
  let life: Life
  var weakness: Weakness?
  /// Whether a flip may take longer than any call should.
  var stallsFlips = false

  final class Life: Sendable {
    let left: Mutex<Int>
    private let flip = Mutex(false)

    init(_ calls: Int) { left = Mutex(calls) }

    var hasFlipped: Bool { flip.withLock { $0 } }
    func noteFlip() { flip.withLock { $0 = true } }
  }

  let name = "world"
  var address: String { world.address }
  private static let longestCall = 48

  func read(_ key: String) throws -> TaggedObject? {
    try call()
    let data = world.read(key)
    nap()
    return data.map { ($0, PublishedWorld.tag($0)) }
  }

  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? {
    guard let data = try read(key)?.data else { return nil }
    try data.withUnsafeBytes { try receive($0, 0) }
    return ObjectInfo(bytes: data.count)
  }

  func list(_ prefix: String) throws -> [ListedObject] {
    try call()
    let objects = world.list(prefix)
    guard weakness == .everythingIsOld else { return objects }
    let old = Instant(secondsSince1970: 0)
    return objects.map { ListedObject(key: $0.key, bytes: $0.bytes, modified: old) }
  }

  @discardableResult
  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  {
    let isFlip = key == PublishedCatalogue.path
    let stalls = isFlip && stallsFlips && threads.roll(0...2) == 0
    try call(pause: stalls ? threads.roll(100...2000) : 0, within: stalls ? nil : SteppedStore.longestCall)
    let data =
      switch body {
      case .data(let data): data
      case .file(let url, _, _): try Data(contentsOf: url)
      }
    let condition = weakness == .flipsUnconditionally && isFlip ? .always : condition
    let isPut = world.put(data, at: key, threads.now, if: condition)
    if isPut, isFlip { life.noteFlip() }
    try dieAfterwards()
    if condition != .always, threads.roll(1...25) == 1 {
      // The answer is lost. A retry is refused, since the condition is no longer met.
      if threads.roll(0...1) == 0 { throw Outage() }
      return nil
    }
    nap()
    return isPut ? PublishedWorld.tag(data) : nil
  }

  func remove(_ key: String) throws {
    try call(within: SteppedStore.longestCall)
    world.remove(key)
    try dieAfterwards()
    nap()
  }

  /// The machine may be suspended before it sees the answer.
  private func nap() {
    if threads.roll(1...100) == 1 { threads.step(thread, pause: threads.rollNap()) }
  }

  private func call(pause: Int = 0, within limit: Int? = nil) throws {
    try dieAfterwards()
    threads.step(thread, pause: pause, within: limit)
    try life.left.withLock { left in
      left -= 1
      if left == 0, threads.roll(0...1) == 0 { throw Killed() }
    }
  }

  /// Kills the publisher before it gets the answer.
  private func dieAfterwards() throws {
    if life.left.withLock({ $0 <= 0 }) { throw Killed() }
  }
}
