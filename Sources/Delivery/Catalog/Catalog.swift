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
  /// Of the three cycles, by cycle and then by id.
  public var products: [Product]
  /// The catalogue that was there before, byte for byte, so that one can go back to it; nil for the first one, and in a site
  /// that is only staged.
  public var replaces: FileReference?

  public init(
    format: Format = .version1, serial: Int, previous: CycleEntry?, current: CycleEntry?,
    next: CycleEntry?, products: [Product], replaces: FileReference? = nil
  ) {
    self.format = format
    self.serial = serial
    self.previous = previous
    self.current = current
    self.next = next
    self.products = products
    self.replaces = replaces
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
  }
}
