internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What is published, as a client gets it: by path.
protocol PublishedFiles {
  /// Nil where there is none.
  func data(_ path: String) throws -> Data?
  /// The size and the hash of a file that may be large; nil where there is none.
  func fingerprint(_ path: String) throws -> (bytes: Int, sha256: SHA256Hex)?
}

/// A site in a folder.
struct FolderFiles: PublishedFiles {
  let root: URL

  func data(_ path: String) throws -> Data? {
    let file = root.appending(path: path)
    guard file.kindOnDisk == .file else { return nil }
    return try Data(contentsOf: file)
  }

  func fingerprint(_ path: String) throws -> (bytes: Int, sha256: SHA256Hex)? {
    let file = root.appending(path: path)
    guard file.kindOnDisk == .file else { return nil }
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    return (size ?? 0, try SHA256Hex(ofFile: file))
  }
}
