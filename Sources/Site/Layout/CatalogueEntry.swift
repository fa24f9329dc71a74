internal import Core
internal import Foundation

/// A product in the JSON of a catalogue.
///
/// An edition that several cycles have unchanged, as a chart's in both cycles of its 56 days, is one entry: that of the latest cycle, with
/// all of them in `cycles`. Clients choose by the dates, which are the same. In memory, each cycle has its own product.
///
/// Evidence, which only validation reads, has its own key and a short form. In memory, it is among the product's files.
struct CatalogueEntry: Codable {
  private var product: Product
  private var cycles: [AiracCycle]

  /// More than an edition has.
  private static let mostCycles = 13

  private enum CodingKeys: String, CodingKey { case cycles, evidence }

  private init(_ product: Product) { (self.product, cycles) = (product, [product.cycle]) }

  init(from decoder: any Decoder) throws {
    product = try Product(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let evidence = try container.decodeIfPresent([EvidenceEntry].self, forKey: .evidence) ?? []
    product.files += try evidence.map { entry in
      guard let file = entry.file else {
        throw container.fault(.evidence, "\"\(entry.path)\" is not the path of a blob")
      }
      return file
    }
    cycles = try container.decodeIfPresent([AiracCycle].self, forKey: .cycles) ?? [product.cycle]
    guard (1...CatalogueEntry.mostCycles).contains(cycles.count) else {
      throw container.fault(.cycles, "an edition cannot have \(cycles.count) cycles")
    }
  }

  func encode(to encoder: any Encoder) throws {
    let evidence = product.files.compactMap(EvidenceEntry.init)
    var own = product
    own.files.removeAll { EvidenceEntry($0) != nil }
    try own.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !evidence.isEmpty { try container.encode(evidence, forKey: .evidence) }
    if cycles.count > 1 { try container.encode(cycles, forKey: .cycles) }
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

/// A file of evidence in a catalogue. Its path contains its hash, and the end of the path its type.
private struct EvidenceEntry: Codable {
  let path: String
  let bytes: Int
  let role: Product.Role

  private static let mediaTypes = ["png": "image/png", "json": "application/json"]

  /// Nil for any other file, and for one that this form cannot express.
  init?(_ file: Product.File) {
    (path, bytes, role) = (file.path, file.bytes, file.role)
    guard file.isEvidence, self.file == file else { return nil }
  }

  /// Nil if the path is not that of a blob.
  var file: Product.File? {
    let name = URL(filePath: path)
    guard let sha256 = SHA256Hex(name.deletingPathExtension().lastPathComponent),
      let mediaType = EvidenceEntry.mediaTypes[name.pathExtension],
      path == BlobPath.of(sha256, extension: name.pathExtension)
    else { return nil }
    return Product.File(path: path, sha256: sha256, bytes: bytes, mediaType: mediaType, role: role)
  }
}

extension [Product] {
  /// By cycle and then by id.
  var byCycle: [Product] { sorted { ($0.cycle, $0.id) < ($1.cycle, $1.id) } }
}
