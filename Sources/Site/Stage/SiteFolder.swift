internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// A staged site as folders and files.
struct SiteFolder {
  let root: URL
  var catalogue: URL { root.appending(path: "catalog.json") }
  var signature: URL { root.appending(path: "catalog.json.minisig") }
  var feed: URL { root.appending(path: CycleFeed.path) }
  var regions: URL { root.appending(path: RegionList.path) }
  var latest: URL { root.appending(path: LatestAnswer.path) }
  var cycles: URL { root.appending(path: "cycles") }
  /// Where files are made before they get their names; nothing in it is ever needed again.
  var scratch: URL { root.appending(path: ".staging") }

  func manifest(of cycle: String) -> URL { cycles.appending(path: cycle).appending(path: "manifest.json") }
  func report(of cycle: String) -> URL { cycles.appending(path: cycle).appending(path: "report.html") }

  /// Makes the site's folder, locks it, and removes what a staging that was killed left behind.
  func withLock<T>(_ body: () throws -> T) throws -> T {
    try using { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }
    let lock = try FolderLock(
      root, operation: "opening the site", suggestion: "Wait for it to end, or name another folder.")
    defer { withExtendedLifetime(lock) {} }
    try using {
      try removeScratch()
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    }
    defer { try? removeScratch() }  // the next staging would do it too
    return try body()
  }

  private func removeScratch() throws {
    guard FileManager.default.fileExists(atPath: scratch.path) else { return }
    try FileManager.default.removeItem(at: scratch)
  }

  private func using(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw UserError(
        .failed, operation: "opening the site", path: root.path,
        reason: "it cannot be used: \(error.fileErrorReason)",
        suggestion: "Check the folder's permissions and the free space, or name another.",
        causes: [error])
    }
  }

  /// Publishes a small file; one that already stands as it should is left alone.
  func write(_ data: Data, to file: URL) throws {
    if let old = try? Data(contentsOf: file), old == data { return }
    try DurableFile.write(data, to: file, scratch: scratch.appending(path: file.lastPathComponent))
  }

  /// Returns nil if there is none yet. An unusable one is an error: overwriting it would lose the serial and the other cycles.
  func readCatalogue() throws -> PublishedCatalogue? {
    try PublishedCatalogue.find(
      in: FolderStore(root: root),
      suggestion: "Replace it with a good copy, such as the published one. Nothing was staged.")
  }

  /// The manifests of all cycles that the site holds.
  func readManifests() throws -> [AiracCycle: StoredManifest] {
    guard FileManager.default.fileExists(atPath: cycles.path) else { return [:] }
    var names: [String] = []
    // Taken for an empty one, a folder that cannot be read would drop the other cycles from the catalogue.
    try using { names = try FileManager.default.contentsOfDirectory(atPath: cycles.path) }
    var manifests: [AiracCycle: StoredManifest] = [:]
    for name in names.sorted() {
      guard let cycle = AiracCycle(identifier: name) else { continue }
      let file = manifest(of: name)
      let manifest = try read(
        Manifest.self, file,
        remedy: "Remove the folder of that cycle and stage its products again. Nothing was staged.")
      guard let manifest else { continue }
      manifests[cycle] = StoredManifest(manifest: manifest, data: try Data(contentsOf: file))
    }
    return manifests
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ file: URL, remedy: String) throws -> Value? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      return try JSONDecoder().decode(type, from: try Data(contentsOf: file))
    } catch {
      throw UserError(
        .badInput, operation: "reading", path: file.path,
        reason: (error as? DecodingError)?.whereAndWhy() ?? "the file cannot be read", suggestion: remedy,
        causes: [error])
    }
  }
}

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
