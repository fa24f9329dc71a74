public import Core

/// The withdrawn products of a target, and those of them that a site would publish again.
struct Withdrawals {
  let records: [WithdrawnCycle]
  /// The cycles to publish again although they were withdrawn.
  let reinstated: Set<AiracCycle>
  /// What the target lists now.
  private let listed: [Product]

  /// A product is the previous edition for two terms at most, so a record of a year is long enough.
  private static let cyclesKept = 13

  init(_ target: TargetState, reinstating reinstated: Set<AiracCycle> = [], at now: Instant) {
    let oldest = AiracCycle(at: now).advanced(by: -Withdrawals.cyclesKept)
    records = (target.catalogue?.withdrawn ?? []).filter { $0.id >= oldest }
    self.reinstated = reinstated
    listed = target.cycles.flatMap(\.products.own)
  }

  /// Whether a product is withdrawn: the target no longer lists it, and it must not return as an earlier edition.
  func has(_ product: Product) -> Bool {
    !reinstated.contains(product.cycle) && records.contains { $0.has(product) } && !isListed(product)
  }

  private func isListed(_ product: Product) -> Bool {
    listed.contains {
      $0.id == product.id && $0.cycle == product.cycle && $0.clientHashes == product.clientHashes
    }
  }

  /// Returns the withdrawn products of a cycle that a site contains; nil if it contains none.
  func returning(_ cycle: AiracCycle, in manifest: Manifest) -> ReturningCycle? {
    let incoming = manifest.products.filter { !isListed($0) }
    let held = Set((manifest.held ?? []).map(\.id))
    let returns = records.filter { $0.id == cycle }.compactMap { record -> ReturningCycle? in
      let known = incoming.filter { record.products[$0.id] != nil }
      let same = known.filter(record.has).map(\.id)
      guard !same.isEmpty else { return nil }
      let other = Set(known.map(\.id)).subtracting(same).union(held.intersection(record.products.keys))
      return ReturningCycle(
        cycle: record.id, withdrawn: record.withdrawn, same: same, corrected: other.sorted(),
        isReinstated: reinstated.contains(cycle))
    }
    return returns.first { !$0.isAllowed } ?? returns.first
  }

  /// The records beside a catalogue that lists some of the reinstated cycles.
  func remaining(beside listed: [ListedCycle]) -> [WithdrawnCycle] {
    let back = Set(listed.map(\.cycle)).intersection(reinstated)
    return records.filter { !back.contains($0.id) }
  }

  /// The records after a rollback, by cycle and time. Products that are listed again are no longer withdrawn.
  func after(rollingBackTo wanted: [ListedCycle], from present: [ListedCycle], at now: Instant)
    -> [WithdrawnCycle]
  {
    let new = present.map { cycle in
      WithdrawnCycle(
        id: cycle.cycle, withdrawn: now,
        products: Dictionary(first: cycle.products.own.map { ($0.id, $0.clientHashes) }))
    }
    let again = Dictionary(grouping: wanted.flatMap(\.products.own), by: \.cycle)
    return (records + new).compactMap { record in
      var record = record
      for product in again[record.id] ?? [] where record.has(product) { record.products[product.id] = nil }
      return record.products.isEmpty ? nil : record
    }.sorted { ($0.id, $0.withdrawn) < ($1.id, $1.withdrawn) }
  }
}

/// A withdrawn cycle of which a site contains products with the same bytes.
public struct ReturningCycle: Encodable, Equatable, Sendable {
  public var cycle: AiracCycle
  /// When it was withdrawn.
  public var withdrawn: Instant
  /// The products with the bytes that were withdrawn.
  public var same: [String]
  /// The withdrawn products that have other bytes now, or that validation refused.
  public var corrected: [String]
  /// Whether it is published again as it was.
  public var isReinstated: Bool

  /// A cycle may return if one of its withdrawn products was corrected.
  var isAllowed: Bool { isReinstated || !corrected.isEmpty }

  /// A sentence for the user.
  public func message(isDryRun: Bool = false) -> String {
    let change =
      corrected.isEmpty ? "as it was" : "with a correction of \(Counts.some(corrected, atMost: 3))"
    return
      "cycle \(cycle), withdrawn at \(withdrawn), \(isDryRun ? "would be" : "is") published again \(change): "
      + "\(Counts.of(same.count, "product")) with the same bytes."
  }

  private enum CodingKeys: String, CodingKey {
    case cycle, withdrawn, same, corrected
    case isReinstated = "reinstated"
  }
}

/// A cycle of a site that a publication leaves out, and why.
public struct UnsentCycle: Encodable, Equatable, Sendable {
  public enum Reason: String, Encodable, Sendable {
    /// Another cycle takes effect before it, and a catalogue lists one coming cycle.
    case tooEarly = "too-early"
    /// The catalogue lists a later cycle as the previous one.
    case superseded
    /// A rollback withdrew the same products.
    case withdrawn
  }

  public var cycle: AiracCycle
  public var reason: Reason
  /// The coming or the previous cycle that the catalogue lists instead; nil for a withdrawn one.
  public var listed: AiracCycle?
  /// The instant from which it can be published; nil unless it is too early.
  public var from: Instant?
  /// When it was withdrawn; nil for other reasons.
  public var withdrawn: Instant?
  /// The products with the bytes that were withdrawn; nil for other reasons.
  public var products: [String]?

  /// Whether the user has to publish it later, or to decide about it. An old cycle in a site is normal.
  public var needsAttention: Bool { reason != .superseded }

  /// A sentence for the user.
  public func message(isDryRun: Bool = false) -> String {
    let head = "cycle \(cycle) of the site \(isDryRun ? "would not be" : "was not") published: "
    return switch reason {
    case .tooEarly:
      head + "a catalogue lists one coming cycle, and that is \(listed?.identifier ?? "another"). "
        + "Publish it from \(from?.description ?? "") on."
    case .superseded:
      head + "it has expired, and the catalogue has \(listed?.identifier ?? "another") as the previous cycle."
    case .withdrawn:
      head + "it was withdrawn at \(withdrawn?.description ?? ""), and the site has the same bytes of "
        + "\(Counts.some(products ?? [], atMost: 3)). Build it again with the correction, "
        + "or add --reinstate \(cycle) to `chartpipe publish`."
    }
  }

  /// - Parameters:
  ///   - cycles: of the site.
  ///   - listed: by the catalogue.
  static func all(of cycles: [CycleMerge.Merged], listed: [CycleEntry], at now: Instant) -> [UnsentCycle] {
    let current = AiracCycle(at: now)
    let known = listed.map(\.id)
    return cycles.filter { !listed.contains($0.listed.entry) }.map { merged in
      let cycle = merged.listed.cycle
      if let later = known.first(where: { cycle < $0 && $0 < current }) {
        return UnsentCycle(cycle: cycle, reason: .superseded, listed: later)
      }
      if let returning = merged.returning, !returning.isAllowed {
        return UnsentCycle(
          cycle: cycle, reason: .withdrawn, withdrawn: returning.withdrawn, products: returning.same)
      }
      // Earlier cycles of the site itself come first, too.
      let before = (known + cycles.filter { $0.returning?.isAllowed ?? true }.map(\.listed.cycle))
        .filter { current < $0 && $0 < cycle }.max()
      return UnsentCycle(
        cycle: cycle, reason: .tooEarly, listed: known.first { $0 > current }, from: before?.effective)
    }
  }
}
