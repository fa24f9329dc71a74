public import Core

/// The products that a rollback withdrew from a cycle. The catalogue records them, so no later publication lists them again by
/// accident.
public struct WithdrawnCycle: Codable, Equatable, Sendable {
  /// The cycle: `2613`
  public var id: AiracCycle
  /// When it was withdrawn.
  public var withdrawn: Instant
  /// The hashes of each product's files for clients, by the product's id.
  public var products: [String: [SHA256Hex]]
}

extension WithdrawnCycle {
  func has(_ product: Product) -> Bool {
    product.cycle == id && products[product.id] == product.clientHashes
  }
}

extension Product {
  /// The hashes of the files that clients use, without evidence: a build with other evidence and the same tiles is the same chart.
  var clientHashes: [SHA256Hex] { files.filter { !$0.isEvidence }.map(\.sha256) }
}
