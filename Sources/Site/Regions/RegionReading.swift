internal import CryptoIO
internal import Foundation
internal import Pipeline

extension FileReference {
  /// Returns the bytes of a list of regions when they are those that the catalogue names.
  func regions(in files: any PublishedFiles) throws -> Data {
    if let trouble { throw Unreadable(trouble) }
    guard bytes <= PublishedCatalogue.limit else { throw Unreadable.tooLarge(PublishedCatalogue.limit) }
    guard let data = try files.data(path, limit: PublishedCatalogue.limit)?.data else {
      throw Unreadable.absent("the list of regions")
    }
    guard data.count == bytes, try SHA256Hex(of: Array(data)) == sha256 else {
      throw Unreadable("the list of regions is not the one that the catalogue names")
    }
    return data
  }
}
