internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What is published at a target now.
struct TargetState {
  let name: String
  /// Nil where nothing is published yet.
  let catalogue: Catalog?
  let stored: StoredObject?
  /// By their cycles.
  let offered: [OfferedCycle]
  /// What is there under `blobs/`, `cycles/` and `signatures/`, by key.
  let objects: [String: Int]
  let signature: Data?

  static let catalogueKey = "catalog.json"
  static let signatureKey = "catalog.json.minisig"
  /// All that publishing ever removes from lies in these.
  static let folders = ["blobs/", "cycles/", "signatures/"]

  init(_ store: any ObjectStore) throws {
    name = store.name
    stored = try store.read(TargetState.catalogueKey)
    catalogue = try stored.map { try TargetState.catalogue($0.data, in: store.name) }
    offered = try catalogue?.offered(in: store.name) ?? []
    signature = try store.read(TargetState.signatureKey)?.data
    var objects: [String: Int] = [:]
    for folder in TargetState.folders {
      for object in try store.list(folder) { objects[object.key] = object.bytes }
    }
    self.objects = objects
  }

  /// The manifest of a cycle, whose bytes must be those that the catalogue tells; nil when they are not there.
  func manifest(of offer: OfferedCycle, in store: any ObjectStore) throws -> StoredManifest? {
    guard let data = try TargetState.data(of: offer.entry.manifest, in: store),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data), manifest.cycle == offer.entry.id
    else { return nil }
    return StoredManifest(manifest: manifest, data: data)
  }

  /// Nil where there is none, or another one.
  static func data(of file: FileReference, in store: any ObjectStore) throws -> Data? {
    guard file.trouble == nil, let data = try store.read(file.path)?.data,
      try SHA256Hex(of: Array(data)) == file.sha256
    else { return nil }
    return data
  }

  static func catalogue(_ data: Data, in place: String) throws -> Catalog {
    do {
      return try JSONDecoder().decode(Catalog.self, from: data)
    } catch {
      throw UserError(
        .badInput, operation: "reading the catalogue of", path: place,
        reason: (error as? DecodingError)?.whereAndWhy() ?? "it cannot be read",
        suggestion: "Put a good copy in its place. Nothing was changed.", causes: [error])
    }
  }

  /// A new catalogue beside an old signature would be refused by every client.
  func checkKey(_ key: SigningKey?) throws {
    guard key == nil, signature != nil else { return }
    throw UserError(
      .badCall, operation: "publishing to", path: name,
      reason: "its catalogue is signed, and there is no key to sign the new one with",
      suggestion: "Give --key FILE, or remove \(TargetState.signatureKey) there to go on without signatures.")
  }
}
