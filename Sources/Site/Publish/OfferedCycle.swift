internal import Core
internal import Foundation
internal import Pipeline

/// A cycle as a catalogue offers it.
struct OfferedCycle: Equatable {
  var cycle: AiracCycle
  var entry: CycleEntry
  var products: CycleProducts
}

extension Catalog {
  /// Of all cycles that there are, those that have a role at a time.
  ///
  /// - Parameter editions: of other cycles, from which the previous editions come.
  init(
    serial: Int, offering cycles: [OfferedCycle], beside editions: [Product] = [], at now: Instant,
    replaces: FileReference? = nil
  ) {
    let roles = CycleRoles(cycles.map { (cycle: $0.cycle, value: $0) }, at: now)
    let listed = [roles.previous, roles.current, roles.next].compactMap(\.self)
    let kept = EditionRetention(beside: listed, at: now).kept(of: editions)
    self.init(
      serial: serial, previous: roles.previous?.entry, current: roles.current?.entry,
      next: roles.next?.entry,
      products: (listed.map(\.products) + [CycleProducts(own: [], kept: kept)]).listed, replaces: replaces)
  }

  /// By cycle.
  func offered(in place: String) throws -> [OfferedCycle] {
    try entries.map { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        throw UserError(
          .badInput, operation: "reading the catalogue of", path: place,
          reason: "\"\(entry.id)\" is no AIRAC cycle", suggestion: "Put a good copy in its place.")
      }
      return OfferedCycle(
        cycle: cycle, entry: entry, products: products(of: entry))
    }
  }

  /// Everything that must be there for as long as this catalogue is.
  func namedFiles(in place: String) throws -> [NamedFile] {
    let files = productFiles + ownFiles
    guard let bad = files.first(where: { $0.reference.trouble != nil }) else { return files }
    throw UserError(
      .badInput, operation: "reading the catalogue of", path: place,
      reason: "of \(bad.owner) it names \(bad.reference.path): \(bad.reference.trouble ?? "")",
      suggestion: "Stage that cycle again.")
  }

  /// The same catalogue, but for when it was made.
  func offersTheSame(as other: Catalog) -> Bool {
    var twin = self
    (twin.serial, twin.replaces) = (other.serial, other.replaces)
    return twin == other
  }

  func serialAfter(_ other: Int, in place: String) throws -> Int {
    let (next, isTooLarge) = max(serial, other).addingReportingOverflow(1)
    guard !isTooLarge else {
      throw UserError(
        .badInput, operation: "publishing to", path: place, reason: "the catalogue's serial is at its end",
        suggestion: "Put a good catalogue in its place.")
    }
    return next
  }
}
