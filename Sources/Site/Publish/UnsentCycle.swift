internal import Core
internal import Pipeline

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

  public var cycle: String
  public var reason: Reason
  /// The coming or the previous cycle that the catalogue lists instead; nil for a withdrawn one.
  public var listed: String?
  /// From when on it can be published; nil unless it is too early.
  public var from: String?
  /// When it was withdrawn; nil for other reasons.
  public var withdrawn: String?
  /// The products with the bytes that were withdrawn; nil for other reasons.
  public var products: [String]?

  /// Whether someone has to publish it again, or decide about it. An old cycle that stays in a site is normal.
  public var needsAttention: Bool { reason != .superseded }

  /// Sentences for people.
  public func message(isDryRun: Bool = false) -> String {
    let head = "cycle \(cycle) of the site \(isDryRun ? "would not be" : "was not") published: "
    return switch reason {
    case .tooEarly:
      head + "a catalogue lists one coming cycle, and that is \(listed ?? "another"). "
        + "Publish it from \(from ?? "") on."
    case .superseded:
      head + "it is over, and the catalogue has \(listed ?? "another") as the previous cycle."
    case .withdrawn:
      head + "it was withdrawn at \(withdrawn ?? ""), and the site has the same bytes of "
        + "\(UnsentCycle.text(of: products ?? [])). Build it again with the correction, "
        + "or add --reinstate \(cycle) to `chartpipe publish`."
    }
  }

  /// `paper/a, paper/b, paper/c and 57 more`
  static func text(of ids: [String]) -> String {
    let (shown, rest) = (ids.prefix(3).joined(separator: ", "), ids.count - 3)
    return rest > 0 ? "\(shown) and \(Counts.grouped(rest)) more" : shown
  }

  /// - Parameters:
  ///   - cycles: of the site.
  ///   - listed: by the catalogue.
  static func all(of cycles: [CycleMerge.Merged], listed: [CycleEntry], at now: Instant) -> [UnsentCycle] {
    let current = AiracCycle(at: now)
    let known = listed.compactMap { AiracCycle(identifier: $0.id) }
    return cycles.filter { !listed.contains($0.offer.entry) }.map { merged in
      let cycle = merged.offer.cycle
      if let later = known.first(where: { cycle < $0 && $0 < current }) {
        return UnsentCycle(cycle: cycle.identifier, reason: .superseded, listed: later.identifier)
      }
      if let comeback = merged.comeback, !comeback.isAllowed {
        return UnsentCycle(
          cycle: cycle.identifier, reason: .withdrawn, withdrawn: comeback.withdrawn, products: comeback.same)
      }
      // Those of the site itself come first too.
      let before = (known + cycles.filter { $0.comeback?.isAllowed ?? true }.map(\.offer.cycle))
        .filter { current < $0 && $0 < cycle }.max()
      return UnsentCycle(
        cycle: cycle.identifier, reason: .tooEarly, listed: known.first { $0 > current }?.identifier,
        from: before?.effective.description)
    }
  }
}
