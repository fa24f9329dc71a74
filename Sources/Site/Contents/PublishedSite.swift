public import Core
internal import CryptoIO
public import Foundation
public import HTTPIO

/// A site to read, as clients do: a folder, an address on the web, or a target with the publisher's keys.
public struct PublishedSite: Sendable {
  let store: any ObjectStore
  /// Nil for a site that is not on this machine.
  let folder: URL?

  public var name: String { store.name }

  public init(folder: URL) {
    self.folder = folder
    store = FolderStore(root: folder)
  }

  /// - Parameter address: of the site or of its catalogue. The initializer returns nil for a text that is not an HTTP address, and
  ///   for one with a user name, a query or a fragment.
  public init?(address: String, retry: RetryPolicy = RetryPolicy()) {
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, parts.user == nil, parts.query == nil, parts.fragment == nil
    else { return nil }
    var base = address
    if base.hasSuffix("/\(PublishedCatalogue.path)") { base.removeLast(PublishedCatalogue.path.count) }
    while base.hasSuffix("/") { base.removeLast() }
    folder = nil
    store = HTTPStore(name: base, clients: Pool.httpClients, retry: retry)
  }

  /// Reads the catalogue; returns nil if nothing is published yet. A site that cannot be reached is an error.
  ///
  /// - Parameters:
  ///   - key: the key that must have signed the catalogue; nil for no check of its signature.
  ///   - seen: the catalogue that the caller saw last; nil if it saw none. An older one is an error.
  ///   - file: where the caller remembers it.
  public func catalogue(
    signedBy key: PublicKey? = nil, after seen: SeenCatalogue? = nil, from file: URL? = nil
  ) throws -> (catalogue: Catalog, seen: SeenCatalogue)? {
    try published(signedBy: key, after: seen, from: file).map { ($0.catalogue, $0.seen) }
  }

  fileprivate func published(
    signedBy key: PublicKey?, after seen: SeenCatalogue?, from file: URL?
  ) throws -> PublishedCatalogue? {
    let read = try PublishedCatalogue.reading(in: store.name, "Run `chartpipe verify` for details.") {
      guard let bytes = try CatalogueBytes.find(in: store) else { return nil as PublishedCatalogue? }
      if let key { try verifySignature(of: bytes, by: key) }
      return try PublishedCatalogue(bytes)
    }
    if let read, let objection = seen?.objection(to: read.seen) {
      throw UserError(
        .refused, operation: "reading", path: "\(name)/\(PublishedCatalogue.path)", reason: objection,
        suggestion:
          "Try again later. If the publisher started a new site, delete \(file?.path ?? "its state").")
    }
    return read
  }

  private func verifySignature(of read: CatalogueBytes, by key: PublicKey) throws {
    _ = try Unreadable.explained({ problem in
      UserError(
        .refused, operation: "verifying the signature of", path: "\(name)/\(PublishedCatalogue.path)",
        reason: problem,
        suggestion: "Compare --public-key with the publisher's key, or run `chartpipe verify --public-key`.")
    }) { try CatalogueSignature.find(of: read, in: store, by: key) }
  }

  // MARK: - Files of products

  /// Downloads a file and verifies it. Returns the file of an earlier call if it is in the cache.
  ///
  /// - Parameter advance: called with the number of bytes that arrived.
  public func download(
    _ file: Product.File, of product: Product, into cache: URL, _ advance: (Int) throws -> Void
  ) throws -> URL {
    try check(file, of: product)
    let place = cache.appending(path: file.path)
    if place.isRegularFile, try SHA256Hex(ofFile: place) == file.sha256 { return place }
    try place.deletingLastPathComponent().createFolder()
    let scratch = place.appendingPathExtension("new")
    let copied = try reading(product, file) {
      try store.copy(file.path, to: scratch, limit: file.bytes, advance)
    }
    guard let copied else { throw PublishedSite.error(product, file, "it is not there") }
    guard copied.bytes == file.bytes, copied.sha256 == file.sha256 else {
      try? FileManager.default.removeItem(at: scratch)
      throw PublishedSite.error(
        product, file, "the bytes that arrived are not those that the catalogue names")
    }
    try DurableFile.publish(scratch, as: place)
    return place
  }

  /// Whether parts of files can be read. A server may still answer with the whole file.
  public var servesParts: Bool { store.servesRanges }

  /// Returns some bytes of a file; nil if the server sends whole files only.
  public func bytes(_ range: Range<Int>, of file: Product.File, of product: Product) throws -> Data? {
    try check(file, of: product)
    guard range.upperBound <= file.bytes else {
      throw PublishedSite.error(product, file, "its directories point beyond its end")
    }
    return try reading(product, file) { try store.read(file.path, range: range) }
  }

  private func check(_ file: Product.File, of product: Product) throws {
    if let problem = FileReference(file).problem { throw PublishedSite.error(product, file, problem) }
  }

  private func reading<Value>(
    _ product: Product, _ file: Product.File, _ body: () throws -> Value
  ) throws -> Value {
    try Unreadable.explained({ PublishedSite.error(product, file, $0) }, body)
  }

  fileprivate static func error(_ product: Product, _ file: Product.File, _ problem: String) -> UserError {
    UserError(
      .badInput, operation: "reading a file of \(product.id)", path: file.path, reason: problem,
      suggestion: "Run `chartpipe verify` on the site.")
  }
}

/// The products of a site, or of a build folder that is not staged yet.
public struct PublishedProducts: Sendable {
  public let products: [Product]
  /// Nil for a site that is only staged, and for a build folder.
  public let term: CatalogueTerm?
  /// The folders of the products' paths; nil for a site on the web.
  private let folders: [URL]?

  /// Reads the catalogue of a site. A folder without a catalogue is searched for built products.
  ///
  /// - Parameters:
  ///   - key: the key that must have signed the catalogue; nil for no check of its signature.
  ///   - notes: a folder that remembers the last catalogue of each published site. An older one is an error.
  public init(_ site: PublishedSite, signedBy key: PublicKey? = nil, notes: URL) throws {
    // No catalogue of an unknown signer takes the place of a verified one.
    let id = try SHA256Hex(of: Array("\(site.name)\n\(key?.line ?? "")".utf8))
    let note = CatalogueNote(file: notes.appending(path: "\(id).json.source"))
    if let read = try site.published(signedBy: key, after: note.seen(of: site.store), from: note.file) {
      let catalogue = read.catalogue
      // A site that is only staged may start anew.
      if catalogue.term != nil {
        try? notes.createFolder()
        try note.record(read, of: site.store)
      }
      (products, term) = (catalogue.products, catalogue.term)
      folders = site.folder.map { folder in catalogue.products.map { _ in folder } }
    } else if key != nil {
      throw UserError(
        .badCall, operation: "verifying the signature of", path: site.name,
        reason: "there is no catalogue, so nothing is signed",
        suggestion: "Name a published site, or leave --public-key out.")
    } else if let folder = site.folder {
      let built = try ProductSearch.built(in: [folder])
      (products, term) = (built.map(\.product), nil)
      folders = built.map(\.folder)
    } else {
      (products, term) = ([], nil)
      folders = nil
    }
  }

  /// Compares the bytes of a file on this machine with their hash.
  public func verify(_ local: URL, as file: Product.File, of number: Int) throws {
    guard try SHA256Hex(ofFile: local) == file.sha256 else {
      throw PublishedSite.error(products[number], file, "its SHA-256 is not the one in the catalogue")
    }
  }

  /// Returns the file of a product on this machine; nil for a site on the web.
  public func localFile(_ file: Product.File, of number: Int) throws -> URL? {
    guard let folder = folders?[number] else { return nil }
    let url = folder.appending(path: file.path)
    guard file.path.isPlainPath else {
      throw PublishedSite.error(products[number], file, "its path leads out of the folder")
    }
    guard let size = url.byteCount else {
      throw PublishedSite.error(products[number], file, "it is not there")
    }
    guard size == file.bytes else {
      throw PublishedSite.error(
        products[number], file,
        "it has \(Counts.grouped(size)) bytes and should have \(Counts.grouped(file.bytes))")
    }
    return url
  }
}
