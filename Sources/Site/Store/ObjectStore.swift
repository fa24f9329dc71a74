internal import CryptoIO
internal import Foundation

/// Where a site is published to: objects by key, each of which is there whole or not at all.
///
/// Its methods may be called from several threads at once. They throw a `UserError` that names the place and the object.
protocol ObjectStore: Sendable {
  /// As people call it: `s3://charts/vfr`, `/srv/charts`.
  var name: String { get }
  /// Of an object of which something is to be made, such as the catalogue; nil where there is none.
  func read(_ key: String) throws -> StoredObject?
  /// Gives an object's bytes away piece by piece; false where there is none.
  func read(_ key: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool
  /// All objects whose keys begin so, by key.
  func list(_ prefix: String) throws -> [ListedObject]
  /// Nil when the condition did not hold, and so nothing was written.
  @discardableResult
  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  /// One that is not there is no fault. It is tried once: whoever asks must be sure each time that it is still right.
  func remove(_ key: String) throws
  /// Whether anything lies there that is half sent, by whomever.
  func hasLeftovers() throws -> Bool
  /// Clears what a publisher that was killed left half sent, where a store has such things. Nobody else is at work then.
  func clearLeftovers() throws
}

extension ObjectStore {
  func hasLeftovers() throws -> Bool { false }
  func clearLeftovers() throws {}
}

/// What changes whenever an object does. Nobody but its store understands it.
struct ObjectTag: Hashable, Sendable {
  let text: String
}

struct StoredObject: Sendable {
  let data: Data
  let tag: ObjectTag
}

struct ListedObject: Equatable, Sendable {
  let key: String
  let bytes: Int
}

enum ObjectBody: Sendable {
  case data(Data)
  /// With its size and its hash, so that a store can refuse what was damaged on the way.
  case file(URL, bytes: Int, sha256: SHA256Hex)
}

struct ObjectHeaders: Equatable, Sendable {
  var contentType: String
  var cacheControl: String
}

enum PutCondition: Equatable, Sendable {
  case always
  case isAbsent
  case isStill(ObjectTag)
}

extension ObjectHeaders {
  private static let forEver = "public, max-age=31536000, immutable"
  private static let short = "public, max-age=60"

  /// What never changes under its name.
  static func blob(_ mediaType: String?) -> ObjectHeaders {
    ObjectHeaders(contentType: plain(mediaType), cacheControl: forEver)
  }

  static let catalogue = ObjectHeaders(contentType: "application/json", cacheControl: short)
  /// Of what repeats the catalogue.
  static let rootCopy = catalogue
  static let feed = ObjectHeaders(contentType: "application/atom+xml", cacheControl: short)
  static let signature = ObjectHeaders(contentType: signatureType, cacheControl: forEver)
  /// Of the catalogue that is there now.
  static let signatureAlias = ObjectHeaders(contentType: signatureType, cacheControl: short)
  static let lease = ObjectHeaders(contentType: "application/json", cacheControl: "no-store")

  /// What is made for people.
  static func page(_ name: String) -> ObjectHeaders {
    ObjectHeaders(
      contentType: name.hasSuffix(".html") ? "text/html; charset=utf-8" : "application/json",
      cacheControl: short)
  }

  private static let signatureType = "text/plain; charset=utf-8"

  /// It comes from a file, and goes into a line of HTTP.
  private static func plain(_ mediaType: String?) -> String {
    let halves = (mediaType ?? "").split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = halves.allSatisfy { half in
      !half.isEmpty && half.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) }
    }
    guard let mediaType, halves.count == 2, isPlain else { return "application/octet-stream" }
    return mediaType
  }
}
