internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Reads the catalogue of a channel and verifies its signature.
struct CatalogReader {
  /// The signature is the text of the one that verifies; nil without a key.
  typealias Result = (data: Data, version: CatalogVersion, signature: String?)

  /// With a slash at its end.
  let folder: URL
  let channel: Catalog.Channel
  let key: PublicKey?
  let requester: Requester

  /// A signature of minisign has at most 10 kB.
  private static let signatureLimit = 16 << 10

  var address: URL { folder.appendingPathComponent(channel.rawValue) }

  /// Returns what a file has of this channel; nil if it does not exist.
  func saved(in file: URL) throws -> SavedCatalog? {
    guard let saved = try SavedCatalog(at: file) else { return nil }
    guard saved.version.url.hasSuffix("/\(channel.rawValue)") else {
      throw ChartpipeError(
        .invalid, "reading \(file.path)", "it is not the state of \(channel.rawValue)", "Name another file")
    }
    return saved
  }

  func read(_ saved: SavedCatalog?) async throws -> Result {
    let copyHash = try saved.map { try ChartpipeClient.sha256(of: $0.catalog) }
    let request = CatalogRequest(url: address.absoluteString, copy: saved?.version, sha256OfCopy: copyHash)
    let document = try await requester.document(address, limit: Catalog.limit, headers: request.headers)
    if document.response.statusCode == 304 {
      guard let saved, request.isConfirmed(by: document.response.value(forHTTPHeaderField:)) else {
        return try await read(nil)
      }
      return try await signed(saved.catalog, saved.version, saved.signature)
    }
    guard !Requester.missing.contains(document.response.statusCode) else {
      throw ChartpipeError(
        .missing, "reading \(address.absoluteString)", "the server does not have it",
        "Check the address of the site")
    }
    let hash = try ChartpipeClient.sha256(of: document.body)
    let version = request.version(sha256: hash, document.response.value(forHTTPHeaderField:))
    return try await signed(document.body, version, nil)
  }

  /// The copy alone, with its own signature.
  func copy(in saved: SavedCatalog) throws -> Result {
    guard try ChartpipeClient.sha256(of: saved.catalog) == saved.version.sha256 else {
      throw ChartpipeError(
        .integrity, "reading the saved catalogue", "its SHA-256 is wrong", "Open the site with the network")
    }
    guard let key else { return (saved.catalog, saved.version, nil) }
    guard let text = saved.signature else { throw unsigned }
    try verify(text, by: key, saved.catalog)
    return (saved.catalog, saved.version, text)
  }

  /// Accepts a catalogue if one of the files has a signature of the key.
  ///
  /// - Parameter known: A signature that a copy had. It may be of an earlier key.
  private func signed(_ data: Data, _ version: CatalogVersion, _ known: String?) async throws -> Result {
    guard let key else { return (data, version, nil) }
    if let known, (try? verify(known, by: key, data)) != nil {
      return (data, version, known)
    }
    var refusal: ChartpipeError?
    // The one that belongs to this catalogue comes first. Sites that only minisign signs have the other.
    for path in Catalog.signaturePaths(sha256: version.sha256, of: channel).reversed() {
      let document = try await requester.document(
        folder.appendingPathComponent(path), limit: CatalogReader.signatureLimit)
      guard !Requester.missing.contains(document.response.statusCode) else { continue }
      let text = String(decoding: document.body, as: UTF8.self)
      do {
        try verify(text, by: key, data)
        return (data, version, text)
      } catch let error as ChartpipeError where error.code == .signature {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? unsigned
  }

  private func verify(_ text: String, by key: PublicKey, _ data: Data) throws {
    let path = address.absoluteString
    try Signature(text, path: path).verify(data, by: key, path: path)
  }

  private var unsigned: ChartpipeError {
    .unsigned(address.absoluteString, "the site has no signature for it")
  }
}
