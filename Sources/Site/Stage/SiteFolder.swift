internal import Core
internal import CryptoIO
internal import Foundation

/// The folders and files of a staged site.
struct SiteFolder {
  let root: URL
  var catalogue: URL { root.appending(path: "catalog.json") }
  var signature: URL { root.appending(path: "catalog.json.minisig") }
  var cycles: URL { root.appending(path: "cycles") }
  /// The folder for temporary files.
  var scratch: URL { root.appending(path: ".staging") }

  func manifest(of cycle: String) -> URL { cycles.appending(path: cycle).appending(path: "manifest.json") }
  func report(of cycle: String) -> URL { cycles.appending(path: cycle).appending(path: "report.html") }

  /// Whether a file in the folder of a cycle has a name that chartpipe gives: `manifest.json`, `report.html`, `changes.html`,
  /// `changes-nasr-aviation.json`.
  static func isPage(_ name: String) -> Bool {
    let (stem, ending) = (name.dropLast(5), name.suffix(5))
    let isOfChanges =
      name.hasPrefix("changes") && [".html", ".json"].contains(ending)
      && stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return isOfChanges || name == "manifest.json" || name == "report.html"
  }

  /// The cycle and the name of a file with the path `cycles/2612/report.html`; nil for a path that chartpipe never gives.
  static func page(at key: String) -> (cycle: String, name: String)? {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "cycles", AiracCycle(identifier: parts[1]) != nil, isPage(parts[2])
    else { return nil }
    return (parts[1], parts[2])
  }

  /// Creates and locks the site's folder, and removes the temporary files of a killed run.
  func withLock<T>(_ body: () throws -> T) throws -> T {
    try using { try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true) }
    let lock = try FolderLock(
      root, operation: "opening the site", suggestion: "Wait for it to end, or name another folder.")
    defer { withExtendedLifetime(lock) {} }
    try using {
      try removeScratch()
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    }
    defer { try? removeScratch() }  // the next run would remove it too
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

  /// Writes a small file durably, unless it has the same bytes already.
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

  /// Reads the manifests of all cycles of the site.
  func readManifests() throws -> [AiracCycle: StoredManifest] {
    guard FileManager.default.fileExists(atPath: cycles.path) else { return [:] }
    var names: [String] = []
    // An unreadable folder must not count as empty: that would drop the other cycles from the catalogue.
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
    var data = Data()
    do {
      data = try Data(contentsOf: file)
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw UserError(
        .badInput, operation: "reading", path: file.path,
        reason: (error as? DecodingError)?.whereAndWhy(in: data) ?? "the file cannot be read",
        suggestion: remedy,
        causes: [error])
    }
  }
}

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

  static func path(_ sha256: SHA256Hex, extension suffix: String) -> String {
    "blobs/\(sha256.text.prefix(2))/\(sha256).\(suffix)"
  }

  /// Whether a key can be the path of a blob.
  static func isPath(_ key: String) -> Bool {
    let name = key.split(separator: "/").last.map(String.init) ?? ""
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, isPlain(parts[1]), let sha256 = SHA256Hex(parts[0]) else { return false }
    return key == path(sha256, extension: parts[1])
  }

  /// Whether a file extension consists of lowercase letters and digits.
  static func isPlain(_ suffix: String) -> Bool {
    !suffix.isEmpty && suffix.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) }
  }

  /// Adds a product's file to the store and verifies its hash.
  func add(_ file: Product.File, from source: URL) throws -> (file: Product.File, outcome: Outcome) {
    var staged = file
    staged.path = BlobStore.path(file.sha256, extension: try suffix(of: file, source))
    let final = site.root.appending(path: staged.path)
    let exists = FileManager.default.fileExists(atPath: final.path)
    if exists, isIntact(staged) { return (staged, .reused) }
    let scratch = site.scratch.appending(path: final.lastPathComponent)
    let check = { (hash: SHA256Hex) in
      guard hash == file.sha256 else {
        throw BuiltProduct.broken(source, "its SHA-256 differs from the one in its description")
      }
    }
    do {
      if try !linksFiles || !hashes.link(source, as: final, scratch: scratch, check: check) {
        try FileManager.default.copyItem(at: source, to: scratch)
        try hashes.publish(scratch, as: final, check: check)
      }
    } catch let error as UserError {
      throw error
    } catch {
      throw UserError(
        .failed, operation: "copying", path: source.path,
        reason: "it cannot be copied into the site: \(error.fileErrorReason)",
        suggestion: "Check the site's permissions and the free space.", causes: [error])
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
  func has(_ file: Product.File) -> Bool {
    site.root.appending(path: file.path).byteCount == file.bytes
  }

  /// Whether the file exists with its content.
  func isIntact(_ file: Product.File) -> Bool {
    has(file) && (try? hashes.sha256(of: site.root.appending(path: file.path))) == file.sha256
  }

  /// Returns the file's extension, from which web servers derive the media type.
  private func suffix(of file: Product.File, _ source: URL) throws -> String {
    let suffix = URL(filePath: file.path).pathExtension
    guard BlobStore.isPlain(suffix) else {
      throw BuiltProduct.broken(source, "its name needs an extension such as .mbtiles")
    }
    return suffix
  }
}
