internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// The files of a site under the hashes of their bytes: `blobs/ab/abcdef….mbtiles`.
///
/// What stands there never changes, so a reader of any catalogue, old or new, finds whole what it names.
struct BlobStore {
  let site: SiteFolder

  enum Outcome {
    case added
    case stood
    /// What stood there was not what its name says.
    case mended
  }

  static func path(_ sha256: SHA256Hex, extension suffix: String) -> String {
    "blobs/\(sha256.text.prefix(2))/\(sha256).\(suffix)"
  }

  /// Whether a name may end so: in small letters and digits.
  static func isPlain(_ suffix: String) -> Bool {
    !suffix.isEmpty && suffix.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
  }

  /// Copies a product's file in, and proves that the copy is the file that its description tells of.
  func add(_ file: Product.File, from source: URL) throws -> (file: Product.File, outcome: Outcome) {
    var staged = file
    staged.path = BlobStore.path(file.sha256, extension: try suffix(of: file, source))
    let final = site.root.appending(path: staged.path)
    let stands = FileManager.default.fileExists(atPath: final.path)
    if stands, isWhole(staged) { return (staged, .stood) }
    let copy = site.scratch.appending(path: final.lastPathComponent)
    let hash: SHA256Hex
    do {
      try FileManager.default.copyItem(at: source, to: copy)
      hash = try SHA256Hex(ofFile: copy)
    } catch {
      throw UserError(
        .failed, operation: "copying", path: source.path,
        reason: "it cannot be copied into the site: \(error.fileErrorReason)",
        suggestion: "Check the site's permissions and the free space.", causes: [error])
    }
    guard hash == file.sha256 else {
      throw BuiltProduct.broken(source, "its SHA-256 is not the one that its description gives")
    }
    try DurableFile.publish(copy, as: final)
    return (staged, stands ? .mended : .added)
  }

  /// Puts a small file in.
  func add(_ data: Data, extension suffix: String) throws -> FileReference {
    let sha256 = try SHA256Hex(of: Array(data))
    let path = BlobStore.path(sha256, extension: suffix)
    try site.write(data, to: site.root.appending(path: path))
    return FileReference(path: path, sha256: sha256, bytes: data.count)
  }

  /// Whether a built file is there already, by its size.
  func stands(_ file: Product.File) -> Bool {
    var staged = file
    staged.path = BlobStore.path(file.sha256, extension: URL(filePath: file.path).pathExtension)
    return has(staged)
  }

  /// Whether the file is there at its full size; its hash was proved when it was put in.
  func has(_ file: Product.File) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: site.root.appending(path: file.path).path)
    return attributes?[.size] as? Int == file.bytes
  }

  private func isWhole(_ file: Product.File) -> Bool {
    has(file) && (try? SHA256Hex(ofFile: site.root.appending(path: file.path))) == file.sha256
  }

  /// The end of the name tells web servers and people what it is, so it is kept when it is a plain one.
  private func suffix(of file: Product.File, _ source: URL) throws -> String {
    let suffix = URL(filePath: file.path).pathExtension
    guard BlobStore.isPlain(suffix) else {
      throw BuiltProduct.broken(source, "its name should end in letters, such as .mbtiles")
    }
    return suffix
  }
}
