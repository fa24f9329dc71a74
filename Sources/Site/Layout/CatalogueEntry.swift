internal import Core
internal import Pipeline

/// A product in the JSON of a catalogue.
///
/// An edition that several cycles have unchanged, as a chart's in both cycles of its 56 days, is one entry: that of the latest cycle, with
/// all of them in `cycles`. Clients choose by the dates, which are the same. In memory, each cycle has its own product.
struct CatalogueEntry: Codable {
  private var product: Product
  private var cycles: [String]

  /// More than an edition has.
  private static let mostCycles = 13

  private enum CodingKeys: String, CodingKey { case cycles }

  private init(_ product: Product) { (self.product, cycles) = (product, [product.cycle]) }

  init(from decoder: any Decoder) throws {
    product = try Product(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cycles = try container.decodeIfPresent([String].self, forKey: .cycles) ?? [product.cycle]
    guard (1...CatalogueEntry.mostCycles).contains(cycles.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .cycles, in: container, debugDescription: "an edition cannot have \(cycles.count) cycles")
    }
  }

  func encode(to encoder: any Encoder) throws {
    try product.encode(to: encoder)
    guard cycles.count > 1 else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cycles, forKey: .cycles)
  }

  /// - Parameter products: ordered by cycle.
  static func folding(_ products: [Product]) -> [CatalogueEntry] {
    var entries: [CatalogueEntry] = []
    var places: [String: [Int]] = [:]
    for product in products.reversed() {
      let twin = places[product.id]?.first { place in
        var other = entries[place].product
        other.cycle = product.cycle
        return other == product
      }
      if let twin, !entries[twin].cycles.contains(product.cycle) {
        entries[twin].cycles.insert(product.cycle, at: 0)
      } else {
        places[product.id, default: []].append(entries.count)
        entries.append(CatalogueEntry(product))
      }
    }
    return entries.reversed()
  }

  /// Returns the products in the order of a catalogue.
  static func unfolding(_ entries: [CatalogueEntry]) -> [Product] {
    let products = entries.flatMap { entry in
      entry.cycles.map { cycle in
        var product = entry.product
        product.cycle = cycle
        return product
      }
    }
    return products.count == entries.count ? products : products.byCycle
  }
}

extension [Product] {
  /// By cycle and then by id.
  var byCycle: [Product] {
    map { (AiracCycle(identifier: $0.cycle)?.effective, $0) }
      .sorted { one, two in
        let (first, second) = (one.0?.secondsSince1970 ?? 0, two.0?.secondsSince1970 ?? 0)
        return (first, one.1.id) < (second, two.1.id)
      }.map(\.1)
  }
}
