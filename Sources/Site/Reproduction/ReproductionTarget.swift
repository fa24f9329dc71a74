public import Core
internal import CryptoIO
public import Foundation
public import Pipeline

/// A cycle that somebody wants to rebuild, as its manifest has it.
public struct ReproductionTarget: Sendable {
  public let cycle: AiracCycle
  /// All products of the manifest.
  public let products: [Product]
  /// What is to be rebuilt of them.
  public let wanted: [Product]
  /// A name for this manifest and no other.
  public let name: String
  /// Where the files lie that the manifest names, if it lies in a site.
  private let site: SiteFolder

  /// - Parameter only: ids, or what follows the pipeline in them; nil for all products.
  public init(manifest file: URL, only: [String]? = nil) throws {
    let (manifest, data) = try ReproductionTarget.read(file)
    guard let cycle = AiracCycle(identifier: manifest.cycle) else {
      throw ReproductionTarget.unreadable(file, "\"\(manifest.cycle)\" is no AIRAC cycle")
    }
    self.cycle = cycle
    products = manifest.products
    wanted = try ReproductionTarget.select(only, of: manifest.products, in: file)
    name = "\(cycle.identifier)-\(try SHA256Hex(of: Array(data)).text.prefix(12))"
    // `cycles/2612/manifest.json` and `blobs/36/366a….json` lie equally deep.
    site = SiteFolder(
      root: file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent())
  }

  /// The file as it was staged; nil where the manifest lies in no site that still has it.
  func original(of file: Product.File) -> URL? {
    let path = BlobStore.path(file.sha256, extension: URL(filePath: file.path).pathExtension)
    let blob = site.root.appending(path: path)
    return blob.isRegularFile ? blob : nil
  }

  private static func read(_ file: URL) throws -> (Manifest, Data) {
    guard file.isRegularFile else { throw unreadable(file, "there is no such file") }
    do {
      let data = try Data(contentsOf: file)
      return (try JSONDecoder().decode(Manifest.self, from: data), data)
    } catch {
      throw unreadable(
        file, (error as? DecodingError)?.whereAndWhy() ?? error.fileErrorReason, causes: [error])
    }
  }

  private static func unreadable(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the manifest", path: file.path, reason: problem,
      suggestion: "Name cycles/2612/manifest.json of a site, or the blob that its catalogue names.",
      causes: causes)
  }

  private static func select(_ only: [String]?, of products: [Product], in file: URL) throws -> [Product] {
    guard let only else { return products }
    if let unknown = only.first(where: { name in !products.contains { $0.isCalled(name) } }) {
      throw UserError(
        .badCall, operation: "looking for products in", path: file.path,
        reason: "it has no product \"\(unknown)\"",
        suggestion: "It has: \(products.map(\.id).joined(separator: ", ")).")
    }
    return products.filter { product in only.contains { product.isCalled($0) } }
  }
}

extension Product {
  fileprivate func isCalled(_ name: String) -> Bool { id == name || id.hasSuffix("/" + name) }
}
