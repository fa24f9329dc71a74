internal import Core
internal import Foundation

/// The content-addressed files of a site: `blobs/ab/abcdef….mbtiles`.
///
/// A blob never changes, so readers of an old catalogue still find its files.
struct BlobStore {
  let site: SiteFolder
  /// The remembered hashes of the blobs.
  var hashes = FileHashes()
  /// Whether a product's file gets a second name in the store where the disk allows it, in place of a copy.
  var linksFiles = false

  enum Outcome {
    case added
    case reused
    /// A damaged file was replaced.
    case repaired
  }

  /// Adds a product's file to the store and verifies its hash.
  func add(_ file: Product.File, from source: URL) throws -> (file: Product.File, outcome: Outcome) {
    var staged = file
    staged.path = BlobPath.of(file.sha256, extension: try suffix(of: file, source))
    let final = site.root.appending(path: staged.path)
    let exists = FileManager.default.fileExists(atPath: final.path)
    if exists, isIntact(FileReference(staged)) { return (staged, .reused) }
    let scratch = site.scratch.appending(path: final.lastPathComponent)
    let check = { (hash: SHA256Hex) in
      guard hash == file.sha256 else {
        throw PlacedProduct.broken(source, "its SHA-256 differs from the one in its description")
      }
    }
    try UserError.wrapping(
      "copying", source.path, suggestion: "Check the site's permissions and the free space."
    ) {
      if try !linksFiles || !hashes.link(source, as: final, scratch: scratch, check: check) {
        try FileManager.default.copyItem(at: source, to: scratch)
        try hashes.publish(scratch, as: final, check: check)
      }
    }
    return (staged, exists ? .repaired : .added)
  }

  /// Adds a small file.
  func add(_ data: Data, extension suffix: String) throws -> FileReference {
    let file = try FileReference(blob: data, extension: suffix)
    try site.write(data, to: site.root.appending(path: file.path))
    return file
  }

  /// Whether the file exists with its full size. Its hash was verified when it was added.
  func has(_ file: FileReference) -> Bool {
    site.root.appending(path: file.path).byteCount == file.bytes
  }

  /// Whether the file exists with its content.
  func isIntact(_ file: FileReference) -> Bool {
    has(file) && (try? hashes.sha256(of: site.root.appending(path: file.path))) == file.sha256
  }

  /// Returns the file's extension, from which web servers derive the media type.
  private func suffix(of file: Product.File, _ source: URL) throws -> String {
    let suffix = URL(filePath: file.path).pathExtension
    guard BlobPath.isPlain(suffix) else {
      throw PlacedProduct.broken(source, "its name needs an extension such as .mbtiles")
    }
    return suffix
  }
}
