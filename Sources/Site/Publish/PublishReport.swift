public import Core
internal import Foundation

/// The result of a publication, or of its dry run. Both follow from the plan.
public struct PublishReport: Encodable, Equatable, Sendable {
  public struct Item: Encodable, Equatable, Sendable {
    public var path: String
    public var bytes: Int
    /// `new` or `changed`; nil for a removed file.
    public var state: String?
  }

  public var target: String
  public var dryRun: Bool
  /// Whether the catalogue changes.
  public var changed: Bool
  public var serial: Int
  /// The end of the catalogue's validity; nil for a catalogue without one.
  public var expires: Instant?
  /// The cycles of the catalogue before and after, by their roles.
  public var before: [String: AiracCycle]
  public var after: [String: AiracCycle]
  public var sent: [Item]
  /// How many files were present.
  public var there: Int
  public var removed: [Item]
  /// The cycles of the site that the catalogue does not list, and why.
  public var unsent: [UnsentCycle]
  /// The withdrawn cycles that are published again.
  public var returning: [ReturningCycle]
  /// What an unsigned catalogue listed that is signed for the first time.
  public var adopted: [AdoptedCycle]

  init(_ plan: PublishPlan, in store: any WritableObjectStore, isDryRun: Bool) throws {
    target = store.name
    dryRun = isDryRun
    changed = plan.isChanged
    (serial, expires) = (plan.catalogue.serial, plan.catalogue.term?.expires)
    (before, after) = (plan.target.catalogue?.roles ?? [:], plan.catalogue.roles)
    sent = try plan.uploads.map {
      Item(path: $0.key, bytes: $0.bytes, state: $0.state.rawValue)
    }
    if plan.isChanged {
      let state = plan.target.catalogue == nil ? Upload.State.new : .changed
      sent.append(
        Item(path: PublishedCatalogue.path, bytes: plan.data.count, state: state.rawValue))
    }
    if plan.needsAlias, let signature = plan.signature {
      let state = plan.target.signature == nil ? Upload.State.new : .changed
      sent.append(
        Item(path: PublishedCatalogue.signature, bytes: signature.count, state: state.rawValue))
    }
    sent += plan.pages.filter { $0.state != .present }.map {
      Item(path: $0.key, bytes: $0.bytes, state: $0.state.rawValue)
    }
    there = (plan.blobs + plan.pages).filter { $0.state == .present }.count
    removed = plan.removals.map { Item(path: $0.key, bytes: $0.bytes, state: nil) }
    (unsent, returning, adopted) = (plan.unsent, plan.returning, plan.adopted)
  }

  /// Whether there was nothing to do.
  public var isIdle: Bool { sent.isEmpty && removed.isEmpty }

  /// What needs the user's attention.
  public var warnings: [String] { messages(of: unsent.filter(\.needsAttention)) }

  /// Sentences about cycles that are signed for the first time, not published, or published again.
  private func messages(of unsent: [UnsentCycle]) -> [String] {
    adopted.map(\.text) + unsent.map { $0.message(isDryRun: dryRun) }
      + returning.map { $0.message(isDryRun: dryRun) }
  }

  var summary: String {
    "\(PublishReport.count(sent)) sent, \(PublishReport.count(removed)) removed, serial \(serial)"
  }

  /// For the terminal.
  public var text: String { figures + messages(of: unsent).map { "\($0)\n" }.joined() }

  private var figures: String {
    let (old, new) = (PublishReport.text(before), PublishReport.text(after))
    let lost = Set(before.values).subtracting(after.values).sorted().map { ", without \($0)" }.joined()
    let until = expires.map { ", valid until \($0)" } ?? ""
    let verb = dryRun && before != after ? "would list" : "lists"
    let roles = "It \(verb) \(new)\(lost)\(before == after ? "" : "; before, it listed \(old)")."
    if isIdle {
      let isLeftOut = unsent.contains(where: \.needsAttention)
      let verdict = isLeftOut ? "\(dryRun ? "would stay" : "stays") unchanged" : "has all of it already"
      return "\(target) \(verdict), serial \(serial)\(until). \(roles)\n"
    }
    guard dryRun else {
      return """
        \(target) is at serial \(serial)\(until). \(roles)
          sent     \(PublishReport.count(sent)); \(Counts.of(there, "other")) were there
          removed  \(PublishReport.count(removed))

        """
    }
    let head = """
      \(target) would be at serial \(serial). \(roles)
        to send    \(PublishReport.count(sent)); \(Counts.of(there, "other")) are there
        to remove  \(PublishReport.count(removed))

      """
    let lines =
      sent.map { line($0.state ?? "", $0) } + removed.map { line("remove", $0) }
    return head + lines.joined()
  }

  private func line(_ word: String, _ item: Item) -> String {
    let padded = word.padding(toLength: 8, withPad: " ", startingAt: 0)
    return "  \(padded) \(item.path)  \(Counts.bytes(item.bytes))\n"
  }

  private static func text(_ roles: [String: AiracCycle]) -> String {
    let cycles = ["previous", "current", "next"].compactMap { role in roles[role].map { "\(role) \($0)" } }
    return cycles.isEmpty ? "no cycle" : cycles.joined(separator: ", ")
  }

  private static func count(_ items: [Item]) -> String {
    "\(Counts.of(items.count, "file")), \(Counts.bytes(items.map(\.bytes).reduce(0, +)))"
  }
}
