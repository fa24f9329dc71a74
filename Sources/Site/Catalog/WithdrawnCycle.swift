public import CryptoIO
internal import Pipeline

/// What a rollback took out of a cycle. The catalogue keeps it, so that no later publication brings it back unasked.
public struct WithdrawnCycle: Codable, Equatable, Sendable {
  /// The cycle: `2613`
  public var id: String
  /// When it was withdrawn.
  public var withdrawn: String
  /// The hashes of each product's files for clients, by the product's id.
  public var products: [String: [SHA256Hex]]
}

extension WithdrawnCycle {
  func has(_ product: Product) -> Bool {
    product.cycle == id && products[product.id] == product.clientHashes
  }
}

extension Product {
  /// The hashes of the files that clients use. Evidence is left out: a build with other evidence and the same tiles is the same chart.
  var clientHashes: [SHA256Hex] { files.filter { !Product.evidence.contains($0.role) }.map(\.sha256) }

  private static let evidence: Set<String> = [Control.role, Reference.role, ColumnReference.role]
}
