internal import Core
internal import CryptoIO
public import Foundation
public import HTTPIO
public import Pipeline
internal import Validation

/// Where a site is to be had.
public struct PublishedSite: Sendable {
  let files: any PublishedFiles
  /// Where it lies, of a site in a folder.
  let folder: URL?

  public var name: String { files.name }

  public init(folder: URL) {
    self.folder = folder
    files = FolderFiles(root: folder)
  }

  /// - Parameter address: of the site or of its catalogue. Nil for what is no address of the web; what it has of a password, a
  ///   query or a fragment is no part of a site's address either.
  public init?(address: String, retry: RetryPolicy? = nil) {
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, parts.user == nil, parts.query == nil, parts.fragment == nil
    else { return nil }
    var base = address
    if base.hasSuffix("/\(PublishedCatalogue.path)") { base.removeLast(PublishedCatalogue.path.count) }
    while base.hasSuffix("/") { base.removeLast() }
    folder = nil
    files = HTTPFiles(
      base, clients: Pool.httpClients,
      retry: retry ?? RetryPolicy())
  }

  /// What was published to a target, read with its own keys.
  public init(_ target: PublishTarget) {
    folder = target.folder
    let store = StoreFiles(store: target.store)
    files = target.folder.map { FolderFiles(root: $0) as any PublishedFiles } ?? store
  }
}

extension PublishedSite {
  /// What it offers; nil where nothing is published yet, which is not the same as a site that cannot be reached.
  ///
  /// - Parameter key: the key that must have signed the catalogue; nil for no check of its signature.
  public func catalogue(signedBy key: VerifyingKey? = nil) throws -> Catalog? {
    do {
      let read = try files.data(PublishedCatalogue.path, limit: PublishedCatalogue.limit)
        .map { try PublishedCatalogue($0.data) }
      if let key, let read { try verify(read, by: key) }
      return read?.catalogue
    } catch let trouble as Unreadable {
      throw UserError(
        .badInput, operation: "reading the catalogue of", path: name, reason: trouble.problem,
        suggestion: "Run `chartpipe verify` for details.")
    }
  }
  private func verify(_ catalogue: PublishedCatalogue, by key: VerifyingKey) throws {
    do {
      _ = try CatalogueSignature.find(of: catalogue, in: files, by: key)
    } catch let trouble as Unreadable {
      throw UserError(
        .refused, operation: "verifying the signature of", path: "\(name)/\(PublishedCatalogue.path)",
        reason: trouble.problem,
        suggestion: "Compare --public-key with the publisher's key, or run `chartpipe verify --public-key`.")
    }
  }
}

extension PublishedSite {
  /// Downloads a whole file and verifies it, or takes the one that an earlier call left in the cache.
  ///
  /// - Parameter advance: called with the number of bytes that arrived.
  public func download(
    _ file: Product.File, of product: Product, into cache: URL, _ advance: (Int) throws -> Void
  ) throws -> URL {
    try check(file, of: product)
    let place = cache.appending(path: file.path)
    if place.isRegularFile, try SHA256Hex(ofFile: place) == file.sha256 { return place }
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let scratch = place.appendingPathExtension("new")
    let copied = try words(product, file) {
      try files.copy(file.path, to: scratch, limit: file.bytes, advance)
    }
    guard let copied else { throw PublishedSite.fault(product, file, "it is not there") }
    guard copied.bytes == file.bytes, copied.sha256 == file.sha256 else {
      try? FileManager.default.removeItem(at: scratch)
      throw PublishedSite.fault(
        product, file, "the bytes that arrived are not those that the catalogue names")
    }
    try DurableFile.publish(scratch, as: place)
    return place
  }

  /// Whether parts of files can be read. A server may still answer with the whole file.
  public var servesParts: Bool { files.servesParts }

  /// Some bytes of a file; nil where the server sends whole files only.
  public func bytes(_ range: Range<Int>, of file: Product.File, of product: Product) throws -> Data? {
    try check(file, of: product)
    guard range.upperBound <= file.bytes else {
      throw PublishedSite.fault(product, file, "its directories point beyond its end")
    }
    return try words(product, file) { try files.part(file.path, range) }
  }

  private func check(_ file: Product.File, of product: Product) throws {
    let reference = FileReference(path: file.path, sha256: file.sha256, bytes: file.bytes)
    if let trouble = reference.trouble { throw PublishedSite.fault(product, file, trouble) }
  }

  private func words<Value>(
    _ product: Product, _ file: Product.File, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let trouble as Unreadable {
      throw PublishedSite.fault(product, file, trouble.problem)
    }
  }
}

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
      let found = Set(try ProductScan.descriptions(in: folder).map(\.standardizedFileURL)).sorted {
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
