public import CryptoIO
internal import Foundation

/// A catalogue as it was read: its bytes are what it is known by.
struct PublishedCatalogue: Sendable {
  let catalogue: Catalog
  let data: Data
  let sha256: SHA256Hex
  let headers: ServedHeaders?

  static let path = "catalog.json"
  static let signature = "catalog.json.minisig"
  static func signature(of sha256: SHA256Hex) -> String { "signatures/\(sha256).minisig" }

  /// A catalogue of a hundred thousand files has less.
  static let limit = 64 << 20

  init(_ data: Data, headers: ServedHeaders? = nil) throws {
    guard let catalogue = try? JSONDecoder().decode(Catalog.self, from: data) else {
      throw Unreadable("it is no catalogue that this version can read")
    }
    self.catalogue = catalogue
    self.data = data
    self.headers = headers
    sha256 = try SHA256Hex(of: Array(data))
  }

  static func read(from files: any PublishedFiles) throws -> PublishedCatalogue {
    guard let found = try files.data(path, limit: limit) else {
      throw Unreadable("there is no catalogue, so nothing is published")
    }
    return try PublishedCatalogue(found.data, headers: found.headers)
  }

  /// Whether the site has another one by now; not, where nobody can tell.
  func isOutdated(in files: any PublishedFiles) -> Bool {
    let now = try? PublishedCatalogue.read(from: files)
    return now.map { $0.data != data } ?? false
  }

  var seen: SeenCatalogue { SeenCatalogue(serial: catalogue.serial, sha256: sha256) }
}

/// The catalogue with the highest serial that somebody has seen, by which an older one is known for what it is.
public struct SeenCatalogue: Codable, Equatable, Sendable {
  public var serial: Int
  public var sha256: SHA256Hex

  /// What speaks against another one that comes later; nil when nothing does.
  func objection(to later: SeenCatalogue) -> String? {
    if later.serial < serial {
      return "its serial is \(later.serial), and \(serial) was seen before: it is an old copy"
    }
    if later.serial == serial, later.sha256 != sha256 {
      return "its serial is \(serial), and so was that of another catalogue that was seen before"
    }
    return nil
  }
}
