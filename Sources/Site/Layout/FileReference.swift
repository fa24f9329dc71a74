internal import Core
internal import CryptoIO
internal import Foundation

/// A file that a catalogue names.
struct NamedFile: Sendable {
  var reference: FileReference
  /// Nil if the catalogue does not contain it.
  var mediaType: String?
  /// The product or the cycle, for messages: `vfr-sectional/Seattle`, `cycle 2612`.
  var owner: String
  /// The name under which a browser saves it; nil for a file that people do not download.
  var downloadName: String?
}

extension FileReference {
  /// More than any chart or database has, so a wrong number does not fill a disk.
  private static let maxBytes = 1 << 40

  init(_ file: Product.File) {
    self.init(path: file.path, sha256: file.sha256, bytes: file.bytes)
  }

  /// Why a site cannot have such a file; nil if it can. The path becomes part of a file path and of an address, so it must be exactly
  /// the one that follows from the hash.
  var problem: String? {
    guard (0...FileReference.maxBytes).contains(bytes) else { return "its size makes no sense" }
    let ending = path.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard BlobPath.isPlain(ending), BlobPath.all(sha256, extension: ending).contains(path) else {
      return "its path is not that of a file with its SHA-256"
    }
    return nil
  }
}

extension FileReference {
  /// A page, or any other file with a given path.
  init(_ data: Data, at path: String) throws {
    self.init(path: path, sha256: try SHA256Hex(of: Array(data)), bytes: data.count)
  }

  /// A blob, by default of a JSON document.
  init(blob data: Data, extension suffix: String = "json") throws {
    let sha256 = try SHA256Hex(of: Array(data))
    self.init(path: BlobPath.of(sha256, extension: suffix), sha256: sha256, bytes: data.count)
  }
}

/// The path of a file with this hash: `blobs/ab/abcdef….mbtiles`.
enum BlobPath {
  /// The folder of blobs, and that of snapshots, which stay for a short time only.
  static let folders = ["blobs", "live"]

  static func of(_ sha256: SHA256Hex, extension suffix: String, in folder: String = folders[0]) -> String {
    "\(folder)/\(sha256.text.prefix(2))/\(sha256).\(suffix)"
  }

  /// The paths that a file with this hash can have, one in each folder.
  static func all(_ sha256: SHA256Hex, extension suffix: String) -> [String] {
    folders.map { of(sha256, extension: suffix, in: $0) }
  }

  /// Whether a key can be the path of a blob.
  static func isValid(_ key: String) -> Bool {
    let name = key.split(separator: "/").last.map(String.init) ?? ""
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, isPlain(parts[1]), let sha256 = SHA256Hex(parts[0]) else { return false }
    return all(sha256, extension: parts[1]).contains(key)
  }

  /// Whether a file extension consists of lowercase letters and digits.
  static func isPlain(_ suffix: String) -> Bool {
    !suffix.isEmpty && suffix.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
  }
}
