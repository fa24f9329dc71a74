internal import Core
public import CryptoIO
internal import Foundation
internal import Pipeline

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

extension CycleEntry {
  /// The manifest's bytes, when they are those that the catalogue names and tell of the cycle what it tells.
  func manifest(in files: any PublishedFiles, of catalogue: Catalog) throws -> Data {
    let named = "the manifest of cycle \(id)"
    // The name becomes that of a folder.
    guard AiracCycle(identifier: id) != nil else { throw Unreadable("there is no AIRAC cycle \"\(id)\"") }
    if let trouble = manifest.trouble { throw Unreadable(trouble) }
    guard manifest.bytes <= PublishedCatalogue.limit else {
      throw Unreadable.tooLarge(PublishedCatalogue.limit)
    }
    guard let data = try files.data(manifest.path, limit: PublishedCatalogue.limit)?.data else {
      throw Unreadable.absent(named)
    }
    guard data.count == manifest.bytes, try SHA256Hex(of: Array(data)) == manifest.sha256 else {
      throw Unreadable("\(named) is not the one that the catalogue names")
    }
    guard let read = try? JSONDecoder().decode(Manifest.self, from: data), read.cycle == id else {
      throw Unreadable("this is no manifest of cycle \(id)")
    }
    let listed = catalogue.products(of: self)
    guard read.products == listed.own else {
      throw Unreadable("its products are not those that the catalogue has of cycle \(id)")
    }
    // Catalogues of earlier versions do not list what is missing.
    let isListed = held != nil || read.held != nil || read.kept != nil
    guard !isListed || read.heldInCatalogue == held && (read.kept ?? []).count == listed.kept.count else {
      throw Unreadable("what it holds back is not what the catalogue says of cycle \(id)")
    }
    return data
  }
}

/// The signature of a catalogue, as it lies beside it.
///
/// It has two places: the one that `minisign -V` looks at, and one under the catalogue's hash, which fits at every instant while a
/// publication is under way.
struct CatalogueSignature {
  let data: Data
  let keyName: String
  /// What is the matter with the one that minisign would look at; nil when it fits.
  let aliasTrouble: String?
  /// What is the matter with the one under the hash; nil when it fits, or is not there.
  let ownTrouble: String?

  /// - Parameter verifier: who must have signed; nil when nobody's word is asked for, and then nothing is proved.
  static func find(
    of catalogue: PublishedCatalogue, in files: any PublishedFiles, by verifier: VerifyingKey?
  ) throws -> CatalogueSignature {
    let readings = try [PublishedCatalogue.signature(of: catalogue.sha256), PublishedCatalogue.signature].map
    {
      try Reading(files.data($0, limit: limit)?.data, catalogue, verifier)
    }
    let troubles = readings.map(\.problem)
    for case .good(let data, let keyName) in readings {
      return CatalogueSignature(
        data: data, keyName: keyName, aliasTrouble: troubles[1],
        ownTrouble: troubles[0].flatMap { $0 == unsigned ? nil : $0 })
    }
    throw Unreadable(troubles.compactMap(\.self).last { $0 != unsigned } ?? unsigned)
  }

  private static let limit = 64 << 10
  private static let unsigned = "the catalogue is not signed"

  private enum Reading {
    case good(Data, keyName: String)
    case bad(String)

    init(_ data: Data?, _ catalogue: PublishedCatalogue, _ verifier: VerifyingKey?) throws {
      guard let data else {
        self = .bad(unsigned)
        return
      }
      let text = String(decoding: data, as: UTF8.self)
      guard let signature = MinisignSignature(text), signature.isAll(of: text) else {
        self = .bad("this is no signature in minisign's format, or more than one")
        return
      }
      do {
        if let verifier { try signature.verify([UInt8](catalogue.data), by: verifier) }
        self = .good(data, keyName: signature.keyName)
      } catch let refusal as MinisignSignature.Refusal {
        self = .bad(refusal.words)
      }
    }

    var problem: String? {
      if case .bad(let problem) = self { problem } else { nil }
    }
  }
}

extension MinisignSignature.Refusal {
  fileprivate var words: String {
    switch self {
    case .otherKey(let has, let needs): "it is of key \(has), and should be of \(needs)"
    case .wrong: "it is not the signature of catalog.json as it is: one of the two was changed"
    case .wrongComment: "its comment was changed"
    }
  }
}
