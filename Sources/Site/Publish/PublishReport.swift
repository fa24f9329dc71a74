internal import Core
internal import Foundation
internal import Pipeline

/// What was published, or would be: told from the plan, which is the same for both.
public struct PublishReport: Encodable, Equatable, Sendable {
  public struct Item: Encodable, Equatable, Sendable {
    public var path: String
    public var bytes: Int
    /// `new`, `changed`; nil of what is removed.
    public var standing: String?
  }

  /// The identifiers of the cycles; a role without one is left out.
  public struct Roles: Encodable, Equatable, Sendable {
    public var previous: String?
    public var current: String?
    public var next: String?

    init(_ catalogue: Catalog?) {
      (previous, current) = (catalogue?.previous?.id, catalogue?.current?.id)
      next = catalogue?.next?.id
    }

    var text: String {
      let told = [("previous", previous), ("current", current), ("next", next)].compactMap { role, id in
        id.map { "\(role) \($0)" }
      }
      return told.isEmpty ? "no cycle" : told.joined(separator: ", ")
    }
  }

  public var target: String
  public var dryRun: Bool
  /// Whether the catalogue becomes another one.
  public var changed: Bool
  public var serial: Int
  public var before: Roles
  public var after: Roles
  public var sent: [Item]
  /// How many files were there already.
  public var there: Int
  public var removed: [Item]
  /// The cycles of the site that the catalogue does not list, and why.
  public var unsent: [UnsentCycle]
  /// The withdrawn cycles that are published again.
  public var comebacks: [Comeback]

  init(_ plan: PublishPlan, in store: any ObjectStore, isDryRun: Bool) throws {
    target = store.name
    dryRun = isDryRun
    changed = plan.isChanged
    serial = plan.catalogue.serial
    (before, after) = (Roles(plan.target.catalogue), Roles(plan.catalogue))
    sent = try plan.sendings.map {
      Item(path: $0.key, bytes: $0.bytes, standing: $0.standing.rawValue)
    }
    if plan.isChanged {
      let standing = plan.target.catalogue == nil ? Shipment.Standing.new : .changed
      sent.append(
        Item(path: TargetState.catalogueKey, bytes: plan.data.count, standing: standing.rawValue))
    }
    if plan.aliasIsStale, let signature = plan.signature {
      let standing = plan.target.signature == nil ? Shipment.Standing.new : .changed
      sent.append(
        Item(path: TargetState.signatureKey, bytes: signature.count, standing: standing.rawValue))
    }
    sent += plan.rootPages.filter { $0.standing != .there }.map {
      Item(path: $0.key, bytes: $0.bytes, standing: $0.standing.rawValue)
    }
    there = (plan.blobs + plan.pages).filter { $0.standing == .there }.count
    removed = plan.removals.map { Item(path: $0.key, bytes: $0.bytes, standing: nil) }
    (unsent, comebacks) = (plan.unsent, plan.comebacks)
  }

  /// Whether there was nothing to do.
  public var isIdle: Bool { sent.isEmpty && removed.isEmpty }

  /// What a person must know beyond the figures.
  public var warnings: [String] { messages(of: unsent.filter(\.needsAttention)) }

  /// Sentences on cycles that are not published, and on those that come back.
  private func messages(of unsent: [UnsentCycle]) -> [String] {
    unsent.map { $0.message(isDryRun: dryRun) } + comebacks.map { $0.message(isDryRun: dryRun) }
  }

  var summary: String {
    "\(PublishReport.count(sent)) sent, \(PublishReport.count(removed)) removed, serial \(serial)"
  }

  /// As people read it.
  public var text: String { figures + messages(of: unsent).map { "\($0)\n" }.joined() }

  private var figures: String {
    let roles =
      before == after ? "It offers \(after.text)." : "It offered \(before.text), and now \(after.text)."
    if isIdle {
      let isLeftOut = unsent.contains(where: \.needsAttention)
      let verdict = isLeftOut ? "\(dryRun ? "would be" : "was") left as it is" : "has all of it already"
      return "\(target) \(verdict), serial \(serial). \(roles)\n"
    }
    guard dryRun else {
      return """
        \(target) is at serial \(serial). \(roles)
          sent     \(PublishReport.count(sent)); \(Counts.of(there, "other")) were there
          removed  \(PublishReport.count(removed))

        """
    }
    let head = """
      \(target) would be at serial \(serial). \(roles.replacing("and now", with: "and would offer"))
        to send    \(PublishReport.count(sent)); \(Counts.of(there, "other")) are there
        to remove  \(PublishReport.count(removed))

      """
    let lines =
      sent.map { line($0.standing ?? "", $0) } + removed.map { line("remove", $0) }
    return head + lines.joined()
  }

  private func line(_ word: String, _ item: Item) -> String {
    let padded = word.padding(toLength: 8, withPad: " ", startingAt: 0)
    return "  \(padded) \(item.path)  \(Counts.bytes(item.bytes))\n"
  }

  private static func count(_ items: [Item]) -> String {
    "\(Counts.of(items.count, "file")), \(Counts.bytes(items.map(\.bytes).reduce(0, +)))"
  }
}
