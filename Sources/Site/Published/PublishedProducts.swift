internal import Core
internal import CryptoIO
public import Foundation
public import Pipeline

/// The products of a site, or of a build folder that is not staged yet.
public struct PublishedProducts: Sendable {
  public let products: [Product]
  /// Where the paths of their files begin; nil for a site on the web.
  private let folders: [URL]?

  /// Of a site: what its catalogue lists. Of a folder without a catalogue: what was built below it.
  ///
  /// - Parameter key: the key that must have signed the catalogue; nil for no check of its signature.
  public init(_ site: PublishedSite, signedBy key: VerifyingKey? = nil) throws {
    if let catalogue = try site.catalogue(signedBy: key) {
      products = catalogue.products
      folders = site.folder.map { folder in catalogue.products.map { _ in folder } }
    } else if key != nil {
      throw UserError(
        .badCall, operation: "verifying the signature of", path: site.name,
        reason: "there is no catalogue, so nothing is signed",
        suggestion: "Name a published site, or leave --public-key out.")
    } else if let folder = site.folder {
      let found = Set(try BuildScan.descriptions(folder).map(\.standardizedFileURL)).sorted {
        $0.path < $1.path
      }
      let built = try found.map(BuiltProduct.init(describedBy:))
      products = built.map(\.product)
      folders = built.map { $0.description.deletingLastPathComponent() }
    } else {
      products = []
      folders = nil
    }
  }

  /// Compares the bytes of a file on this machine with their hash.
  public func verify(_ local: URL, as file: Product.File, of number: Int) throws {
    guard try SHA256Hex(ofFile: local) == file.sha256 else {
      throw PublishedSite.fault(products[number], file, "its SHA-256 is not the one in the catalogue")
    }
  }

  /// The file of a product that lies on this machine; nil for one on the web.
  public func localFile(_ file: Product.File, of number: Int) throws -> URL? {
    guard let folder = folders?[number] else { return nil }
    let url = folder.appending(path: file.path)
    let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw PublishedSite.fault(products[number], file, "its path leads out of the folder")
    }
    let size = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size]
    guard let size = size as? Int else {
      throw PublishedSite.fault(products[number], file, "it is not there")
    }
    guard size == file.bytes else {
      throw PublishedSite.fault(
        products[number], file,
        "it has \(Counts.grouped(size)) bytes and should have \(Counts.grouped(file.bytes))")
    }
    return url
  }
}

extension PublishedSite {
  static func fault(_ product: Product, _ file: Product.File, _ problem: String) -> UserError {
    UserError(
      .badInput, operation: "reading a file of \(product.id)", path: file.path, reason: problem,
      suggestion: "Run `chartpipe verify` on the site.")
  }
}
