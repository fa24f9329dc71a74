internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Synchronization

/// Sends objects, several at a time, and reads each back: what is then named is there, whole.
struct Shipping: Sendable {
  let store: any ObjectStore
  let lease: PublishLease
  /// Nil for the caller's own thread.
  let jobs: Int?
  /// Whether what is there already is read too.
  let checks: Bool
  let progress: any ProgressReporter

  static let step = "publish"
  private static let tries = 2

  func send(_ shipments: [Shipment]) throws {
    let due = shipments.filter { checks || $0.standing != .there }
    let tally = Tally(total: due.map(\.bytes).reduce(0, +), progress)
    try each(due) { shipment in
      try bring(shipment)
      tally.add(shipment.bytes)
    }
  }

  func each<Item: Sendable>(_ items: [Item], _ work: @escaping @Sendable (Item) throws -> Void) throws {
    if let jobs { return try processEach(items, width: jobs, work) }
    for item in items {
      try CancellationToken.current.check()
      try work(item)
    }
  }

  private func bring(_ shipment: Shipment) throws {
    try lease.assure()
    if shipment.standing == .there, try isWhole(shipment) { return }
    guard let body = shipment.body else { throw damaged(shipment, "it is not what its name says") }
    for _ in 0..<Shipping.tries {
      try CancellationToken.current.check()
      try store.put(body, at: shipment.key, shipment.headers, if: .always)
      if try isWhole(shipment) { return }
    }
    throw damaged(shipment, "it was sent twice, and came back as something else")
  }

  private func isWhole(_ shipment: Shipment) throws -> Bool {
    let digest = try Digest(.sha256)
    let isThere = try store.read(shipment.key) {
      try CancellationToken.current.check()
      try digest.update($0)
    }
    return try isThere && SHA256Hex(finishing: digest) == shipment.sha256
  }

  private func damaged(_ shipment: Shipment, _ problem: String) -> UserError {
    UserError(
      .failed, operation: "publishing to", path: store.name, reason: "\(shipment.key): \(problem)",
      suggestion: "Look whether the store is sound, and publish again. The catalogue was left as it was.")
  }
}

/// How much is done, by whichever thread.
private final class Tally: Sendable {
  private let done = Mutex(0)
  private let total: Int
  private let progress: any ProgressReporter

  init(total: Int, _ progress: any ProgressReporter) {
    (self.total, self.progress) = (total, progress)
  }

  func add(_ bytes: Int) {
    done.withLock { done in
      done += bytes
      progress.report(.advanced(step: Shipping.step, done: done, total: total, unit: "bytes"))
    }
  }
}
