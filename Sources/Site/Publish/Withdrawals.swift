internal import Core
internal import Pipeline

/// What was withdrawn at a target, and what of it a site would bring back.
struct Withdrawals {
  let records: [WithdrawnCycle]
  /// The cycles that are to be published again although they were withdrawn.
  let reinstated: Set<AiracCycle>
  /// What the target offers now.
  private let offered: [Product]

  /// A product is the previous edition for two terms at most, so a record of a year is long enough.
  private static let cyclesKept = 13

  init(_ target: TargetState, reinstating reinstated: Set<AiracCycle> = [], at now: Instant) {
    let oldest = AiracCycle(at: now).advanced(by: -Withdrawals.cyclesKept)
    records = (target.catalogue?.withdrawn ?? []).filter { record in
      AiracCycle(identifier: record.id).map { $0 >= oldest } ?? false
    }
    self.reinstated = reinstated
    offered = target.offered.flatMap(\.products.own)
  }

  /// Whether a product is withdrawn: the target does not offer it any more, and it must not come back as an earlier edition.
  func has(_ product: Product) -> Bool {
    guard AiracCycle(identifier: product.cycle).map({ !reinstated.contains($0) }) ?? true else {
      return false
    }
    return records.contains { $0.has(product) } && !isOffered(product)
  }

  private func isOffered(_ product: Product) -> Bool {
    offered.contains {
      $0.id == product.id && $0.cycle == product.cycle && $0.clientHashes == product.clientHashes
    }
  }

  /// Returns what of the withdrawn products of a cycle a site brings back; nil when it brings back none.
  func comeback(of cycle: AiracCycle, in manifest: Manifest) -> Comeback? {
    let incoming = manifest.products.filter { !isOffered($0) }
    let held = Set((manifest.held ?? []).map(\.id))
    let returns = records.filter { $0.id == cycle.identifier }.compactMap { record -> Comeback? in
      let known = incoming.filter { record.products[$0.id] != nil }
      let same = known.filter(record.has).map(\.id)
      guard !same.isEmpty else { return nil }
      let other = Set(known.map(\.id)).subtracting(same).union(held.intersection(record.products.keys))
      return Comeback(
        cycle: record.id, withdrawn: record.withdrawn, same: same, corrected: other.sorted(),
        isReinstated: reinstated.contains(cycle))
    }
    return returns.first { !$0.isAllowed } ?? returns.first
  }

  /// The records beside a catalogue that lists some of the reinstated cycles.
  func remaining(beside listed: [OfferedCycle]) -> [WithdrawnCycle] {
    let back = Set(listed.map(\.cycle)).intersection(reinstated).map(\.identifier)
    return records.filter { !back.contains($0.id) }
  }

  /// The records after a rollback, by cycle and time. What is offered again is no longer withdrawn.
  func after(rollingBackTo wanted: [OfferedCycle], from present: [OfferedCycle], at now: Instant)
    -> [WithdrawnCycle]
  {
    let new = present.map { cycle in
      WithdrawnCycle(
        id: cycle.cycle.identifier, withdrawn: now.description,
        products: Dictionary(cycle.products.own.map { ($0.id, $0.clientHashes) }) { first, _ in first })
    }
    let again = Dictionary(grouping: wanted.flatMap(\.products.own), by: \.cycle)
    return (records + new).compactMap { record in
      var record = record
      for product in again[record.id] ?? [] where record.has(product) { record.products[product.id] = nil }
      return record.products.isEmpty ? nil : record
    }.sorted { ($0.id, $0.withdrawn) < ($1.id, $1.withdrawn) }
  }
}

/// A withdrawn cycle of which a site holds products with the same bytes.
public struct Comeback: Encodable, Equatable, Sendable {
  public var cycle: String
  /// When it was withdrawn.
  public var withdrawn: String
  /// The products with the bytes that were withdrawn.
  public var same: [String]
  /// The withdrawn products that have other bytes now, or that validation refused.
  public var corrected: [String]
  /// Whether it is published again as it was.
  public var isReinstated: Bool

  /// A cycle may come back when one of its withdrawn products is corrected.
  var isAllowed: Bool { isReinstated || !corrected.isEmpty }

  /// For people.
  public func message(isDryRun: Bool = false) -> String {
    let change =
      corrected.isEmpty ? "as it was" : "with a correction of \(UnsentCycle.text(of: corrected))"
    return
      "cycle \(cycle), withdrawn at \(withdrawn), \(isDryRun ? "would be" : "is") published again \(change): "
      + "\(Counts.of(same.count, "product")) with the same bytes."
  }

  private enum CodingKeys: String, CodingKey {
    case cycle, withdrawn, same, corrected
    case isReinstated = "reinstated"
  }
}
