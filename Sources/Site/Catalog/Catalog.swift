internal import Core
public import Pipeline

/// `catalog.json`: what a site offers. The one file of a site that clients ask for by name and that ever changes.
///
/// The roles of the cycles are as of the staging. Time goes on after that, so every cycle and every product carries
/// its dates, and a client decides by its own clock.
public struct Catalog: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case version1 = "chartpipe-catalog-1"
  }

  public var format: Format
  /// Goes up by one whenever the rest changes, so that a client notices an old copy.
  public var serial: Int
  public var previous: CycleEntry?
  public var current: CycleEntry?
  public var next: CycleEntry?
  /// Of the three cycles, the earlier editions that stay in place of what these hold back, and the previous edition of each
  /// product; by cycle and then by id.
  public var products: [Product]
  /// The catalogue that was there before, byte for byte, so that one can go back to it; nil for the first one, and in a site
  /// that is only staged.
  public var replaces: FileReference?
  /// `regions.json` of this catalogue; nil in catalogues of earlier versions.
  public var regions: FileReference?
  /// What rollbacks took out of the catalogue within the last year; nil where there is none, and in a site that is only staged.
  public var withdrawn: [WithdrawnCycle]?

  public init(
    format: Format = .version1, serial: Int, previous: CycleEntry?, current: CycleEntry?,
    next: CycleEntry?, products: [Product], replaces: FileReference? = nil, regions: FileReference? = nil
  ) {
    self.format = format
    self.serial = serial
    self.previous = previous
    self.current = current
    self.next = next
    self.products = products
    self.replaces = replaces
    self.regions = regions
  }

  /// A role without a cycle is written as null, so that it is seen to be empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format, forKey: .format)
    try container.encode(serial, forKey: .serial)
    try container.encode(previous, forKey: .previous)
    try container.encode(current, forKey: .current)
    try container.encode(next, forKey: .next)
    try container.encode(products, forKey: .products)
    try container.encodeIfPresent(replaces, forKey: .replaces)
    try container.encodeIfPresent(regions, forKey: .regions)
    try container.encodeIfPresent(withdrawn, forKey: .withdrawn)
  }
}

/// The products of one cycle in a catalogue: its own, and the earlier editions that stay in place of what it holds back.
struct CycleProducts: Equatable {
  var own: [Product]
  var kept: [Product]

  init(own: [Product], kept: [Product]) {
    (self.own, self.kept) = (own, kept)
  }

  init(_ manifest: Manifest) {
    self.init(own: manifest.products, kept: manifest.kept ?? [])
  }

  var all: [Product] { own + kept }
}

extension [CycleProducts] {
  /// Each edition once, by cycle and then by id. A cycle that is listed knows its own products best.
  var listed: [Product] {
    var seen: Set<[String]> = []
    return (flatMap(\.own) + flatMap(\.kept)).filter { seen.insert([$0.id, $0.cycle]).inserted }
      .map { (AiracCycle(identifier: $0.cycle)?.effective, $0) }
      .sorted { one, two in
        let (first, second) = (one.0?.secondsSince1970 ?? 0, two.0?.secondsSince1970 ?? 0)
        return (first, one.1.id) < (second, two.1.id)
      }.map(\.1)
  }
}

extension Catalog {
  /// What the catalogue lists of a cycle. Clients find the same by the products' ids and dates.
  func products(of entry: CycleEntry) -> CycleProducts {
    let held = entry.held ?? []
    let ids = Set(held.map(\.id))
    let kept = held.compactMap { held in
      products.first { $0.id == held.id && $0.cycle == held.published }
    }
    return CycleProducts(own: products.filter { $0.cycle == entry.id && !ids.contains($0.id) }, kept: kept)
  }
}
