internal import CryptoIO
internal import Foundation
internal import Pipeline

/// An object that is to be at the target, and how it comes there.
struct Shipment: Sendable {
  enum Standing: String, Codable, Sendable {
    case new, changed
    /// It is there already.
    case there
  }

  var key: String
  var bytes: Int
  var sha256: SHA256Hex
  /// Nil of what is there and could not be sent.
  var body: ObjectBody?
  var headers: ObjectHeaders
  var standing: Standing

  /// A small one, whose bytes are at hand.
  init(_ data: Data, at key: String, _ headers: ObjectHeaders, standing: Standing) throws {
    (self.key, self.headers, self.standing) = (key, headers, standing)
    (bytes, sha256, body) = (data.count, try SHA256Hex(of: Array(data)), .data(data))
  }

  init(_ file: NamedFile, _ body: ObjectBody?, standing: Standing) {
    (key, bytes, sha256) = (file.reference.path, file.reference.bytes, file.reference.sha256)
    (self.body, self.standing, headers) = (body, standing, .blob(file.mediaType))
  }
}

/// All that a publication or a rollback will do, decided before it does any of it.
struct PublishPlan {
  /// What stands there now.
  let target: TargetState
  /// What is to stand there; the one that does, when nothing changes.
  let catalogue: Catalog
  let data: Data
  let isChanged: Bool
  /// Everything that the catalogue names.
  let blobs: [Shipment]
  let pages: [Shipment]
  /// Of the catalogue; nil where it is not to be signed.
  let signature: Data?
  /// `regions.json`, `latest.json` and `feed.xml`; written after the catalogue, since they say what is there.
  let rootPages: [Shipment]
  var removals: [ListedObject]
  /// Why nothing is removed; nil when all is well.
  let doubt: String?
  /// The cycles of the site that the catalogue does not list.
  var unsent: [UnsentCycle] = []
  /// The withdrawn cycles that are published again.
  var comebacks: [Comeback] = []

  var signatureShipment: Shipment? {
    get throws {
      guard let signature else { return nil }
      let key = try SigningKey.path(of: data)
      let standing: Shipment.Standing = target.objects[key] == signature.count ? .there : .new
      return try Shipment(signature, at: key, .signature, standing: standing)
    }
  }

  var aliasIsStale: Bool { signature != nil && signature != target.signature }

  var sendings: [Shipment] {
    get throws {
      (blobs + pages + [try signatureShipment].compactMap(\.self)).filter { $0.standing != .there }
    }
  }

  /// Whether all is as it should be.
  var isIdle: Bool {
    get throws {
      try !isChanged && sendings.isEmpty && removals.isEmpty && !aliasIsStale
        && rootPages.allSatisfy { $0.standing == .there }
    }
  }
}
