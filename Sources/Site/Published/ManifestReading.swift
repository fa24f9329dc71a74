internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

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
