internal import Foundation
internal import Pipeline

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
