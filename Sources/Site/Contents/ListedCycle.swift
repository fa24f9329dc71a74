internal import Core
internal import Foundation

/// A cycle with its entry and its products in a catalogue.
struct ListedCycle: Equatable {
  var cycle: AiracCycle
  var entry: CycleEntry
  var products: CycleProducts
}

extension Catalog {
  /// Lists those of the cycles that have a role at a time.
  ///
  /// - Parameter editions: of other cycles; the previous edition of each product comes from these.
  init(
    serial: Int, listing cycles: [ListedCycle], beside editions: [Product] = [], at now: Instant,
    replaces: FileReference? = nil
  ) {
    let roles = CycleRoles(cycles.map { (cycle: $0.cycle, value: $0) }, at: now)
    let listed = [roles.previous, roles.current, roles.next].compactMap(\.self)
    let kept = Retention.editions(of: editions, beside: listed, at: now)
    self.init(
      serial: serial, previous: roles.previous?.entry, current: roles.current?.entry,
      next: roles.next?.entry,
      products: (listed.map(\.products) + [CycleProducts(own: [], kept: kept)]).listed.map(\.inCatalogue),
      replaces: replaces)
  }

  /// Returns the cycles in order.
  func listedCycles(in place: String) throws -> [ListedCycle] {
    try entries.map { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        throw UserError(
          .badInput, operation: "reading the catalogue of", path: place,
          reason: "\"\(entry.id)\" is not an AIRAC cycle", suggestion: "Replace it with a good copy.")
      }
      return ListedCycle(cycle: cycle, entry: entry, products: products(of: entry))
    }
  }

  /// Returns all files that the catalogue names.
  func namedFiles(in place: String) throws -> [NamedFile] {
    let files = productFiles + ownFiles
    guard let bad = files.first(where: { $0.reference.problem != nil }) else { return files }
    throw UserError(
      .badInput, operation: "reading the catalogue of", path: place,
      reason: "\(bad.reference.path), a file of \(bad.owner): \(bad.reference.problem ?? "")",
      suggestion: "Stage that cycle again.")
  }

  /// Whether two catalogues differ in their serial, their term, their pages and their predecessor at most.
  func listsTheSame(as other: Catalog) -> Bool {
    var twin = self
    (twin.serial, twin.replaces) = (other.serial, other.replaces)
    (twin.term, twin.pages) = (other.term, other.pages)
    return twin == other
  }

  /// The serials of published catalogues. With a publication a second, the largest one is reached after 68 years, and every JSON
  /// parser reads it exactly.
  static let serials = 1...Int(Int32.max)
  /// More than a site is staged between two publications.
  static let longestStep = 1_000_000

  /// - Parameter other: the serial of another known catalogue.
  func serialAfter(_ other: Int, in place: String) throws -> Int {
    let last = max(serial, other)
    let isStep = serial == 0 || last - Catalog.longestStep <= serial
    try Catalog.check(last, (0..<Catalog.serials.upperBound).contains(last) && isStep, in: place)
    return last + 1
  }

  static func check(_ serial: Int, _ makesSense: Bool, in place: String) throws {
    if makesSense { return }
    throw UserError(
      .refused, operation: "continuing the serial of", path: place,
      reason: "the serial \(Counts.grouped(serial)) makes no sense: clients would refuse later catalogues",
      suggestion: "See \"Recover a target\" in OPERATIONS.md.")
  }
}
