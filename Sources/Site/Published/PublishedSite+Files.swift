internal import Core
internal import CryptoIO
public import Foundation
public import Pipeline

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
