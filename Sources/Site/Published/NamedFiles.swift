internal import CryptoIO
internal import Pipeline

/// A file of a site, and who names it.
struct NamedFile: Sendable {
  var reference: FileReference
  /// Nil where the catalogue does not say it.
  var mediaType: String?
  /// For people: `vfr-sectional/Seattle`, `cycle 2612`.
  var owner: String
}

extension Catalog {
  var entries: [CycleEntry] { [previous, current, next].compactMap(\.self) }

  /// What clients download, each file once.
  var productFiles: [NamedFile] {
    var seen: Set<String> = []
    return products.flatMap { product in
      product.allFiles.map { file in
        NamedFile(
          reference: FileReference(path: file.path, sha256: file.sha256, bytes: file.bytes),
          mediaType: file.mediaType, owner: product.id)
      }
    }.filter { seen.insert("\($0.reference.path) \($0.reference.sha256) \($0.reference.bytes)").inserted }
  }

  /// What the site itself needs besides.
  var ownFiles: [NamedFile] {
    entries.map {
      NamedFile(reference: $0.manifest, mediaType: "application/json", owner: "cycle \($0.id)")
    }
      + (regions.map {
        [NamedFile(reference: $0, mediaType: "application/json", owner: "the list of regions")]
      } ?? [])
  }
}

extension FileReference {
  /// More than any chart or database has, so nobody's disk is filled by a number.
  private static let largest = 1 << 40

  /// What makes it no file that a site may have; nil when all is well. The path becomes one of a disk and part of an address,
  /// so it is not looked at for what is bad in it: it must be the one that a file with these bytes has.
  var trouble: String? {
    guard (0...FileReference.largest).contains(bytes) else { return "its size makes no sense" }
    let ending = path.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard BlobStore.isPlain(ending), path == BlobStore.path(sha256, extension: ending) else {
      return "its path is not that of a file with its SHA-256"
    }
    return nil
  }
}
