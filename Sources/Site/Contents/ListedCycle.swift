internal import Core

/// A cycle with its entry and its products in a catalogue.
struct ListedCycle: Equatable {
  var entry: CycleEntry
  var products: CycleProducts

  var cycle: AiracCycle { entry.id }
}

extension Catalog {
  /// Lists those of the cycles that have a role at a time.
  ///
  /// - Parameter editions: of other cycles; the previous edition of each product comes from these.
  init(
    serial: Int, listing cycles: [ListedCycle], beside editions: [Product] = [], at now: Instant,
    replaces: FileReference? = nil
  ) {
    let roles = cycles.map(\.cycle).roles(at: now).map { role in cycles.first { $0.cycle == role } }
    let listed = roles.compactMap(\.self)
    let kept = Retention.editions(of: editions, beside: listed, at: now)
    self.init(
      serial: serial, previous: roles[0]?.entry, current: roles[1]?.entry, next: roles[2]?.entry,
      products: (listed.map(\.products) + [CycleProducts(own: [], kept: kept)]).listed.map(\.inCatalogue),
      replaces: replaces)
  }

  /// The cycles in order.
  var listedCycles: [ListedCycle] { entries.map { ListedCycle(entry: $0, products: products(of: $0)) } }

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
