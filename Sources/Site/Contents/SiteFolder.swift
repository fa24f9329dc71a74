internal import Core
internal import Foundation

/// The folders and files of a staged site.
struct SiteFolder {
  let root: URL
  var catalogue: URL { root.appending(path: "catalog.json") }
  var signature: URL { root.appending(path: "catalog.json.minisig") }
  var cycles: URL { root.appending(path: "cycles") }
  /// The folder for temporary files.
  var scratch: URL { root.appending(path: ".staging") }

  /// Stays after a kill, so the next run continues the downloads.
  static let mirrorParts = ".mirror"

  /// Whether it was published to, not only staged.
  var isPublished: Bool {
    (try? PublishedCatalogue(Data(contentsOf: catalogue)))?.catalogue.term != nil
  }

  func folder(of cycle: AiracCycle) -> URL { cycles.appending(path: cycle.identifier) }
  func manifest(of cycle: AiracCycle) -> URL { folder(of: cycle).appending(path: "manifest.json") }
  func report(of cycle: AiracCycle) -> URL { folder(of: cycle).appending(path: "report.html") }

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
  static func page(at key: String) -> (cycle: AiracCycle, name: String)? {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "cycles", let cycle = AiracCycle(parts[1]), isPage(parts[2])
    else { return nil }
    return (cycle, parts[2])
  }

  /// Creates and locks the site's folder, and removes the temporary files of a killed run.
  func withLock<T>(_ body: () throws -> T) throws -> T {
    try using { try root.createFolder() }
    let lock = try FolderLock(
      root, operation: "opening the site", suggestion: "Wait for it to end, or name another folder.")
    defer { withExtendedLifetime(lock) {} }
    try using {
      try removeScratch()
      try scratch.createFolder()
    }
    defer { try? removeScratch() }  // the next run would remove it too
    return try body()
  }

  private func removeScratch() throws {
    guard FileManager.default.fileExists(atPath: scratch.path) else { return }
    try FileManager.default.removeItem(at: scratch)
  }

  private func using(_ body: () throws -> Void) throws {
    try UserError.wrapping(
      "opening the site", root.path,
      suggestion: "Check the folder's permissions and the free space, or name another."
    ) { try body() }
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

  /// Reads the manifests of all cycles of the site. In place of a damaged one it reads the blob that the catalogue names.
  func readManifests() throws -> [AiracCycle: StoredManifest] {
    guard FileManager.default.fileExists(atPath: cycles.path) else { return [:] }
    let entries = try readCatalogue()?.catalogue.entries ?? []
    var names: [String] = []
    // An unreadable folder must not count as empty: that would drop the other cycles from the catalogue.
    try using { names = try FileManager.default.contentsOfDirectory(atPath: cycles.path) }
    var manifests: [AiracCycle: StoredManifest] = [:]
    for name in names.sorted() {
      guard let cycle = AiracCycle(name) else { continue }
      manifests[cycle] = try read(manifest(of: cycle), entries.first { $0.id == cycle }?.manifest)
    }
    return manifests
  }

  /// Returns nil for a manifest that is not there.
  private func read(_ file: URL, _ listed: FileReference?) throws -> StoredManifest? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    var found: Data?
    return try explaining({ error in
      UserError(
        .badInput, operation: "reading", path: file.path,
        reason: (error as? DecodingError)?.whereAndWhy(in: found ?? Data())
          ?? (found == nil ? "the file cannot be read" : "it is damaged, and so is its copy in blobs/"),
        suggestion: "Remove the folder of that cycle and stage its products again. Nothing was staged.",
        causes: [error])
    }) {
      var data = try Data(contentsOf: file)
      found = data
      // Staging writes the blob first, so a newer manifest than the one in the catalogue has its blob, too.
      let blob = try FileReference(blob: data)
      if let listed, blob != listed, root.appending(path: blob.path).byteCount != blob.bytes {
        data = try Data(contentsOf: root.appending(path: listed.path))
        guard try FileReference(blob: data) == listed else { throw CocoaError(.fileReadCorruptFile) }
      }
      found = data
      return StoredManifest(manifest: try JSONDecoder().decode(Manifest.self, from: data), data: data)
    }
  }
}

/// A manifest with its bytes, since encoding it again might change them and so its hash.
struct StoredManifest {
  let manifest: Manifest
  let data: Data
}

extension [AiracCycle: StoredManifest] {
  var latestFirst: [Manifest] { sorted { $0.key > $1.key }.map(\.value.manifest) }
}

extension [Manifest] {
  /// Returns the editions of earlier cycles, the latest first, each once. A cycle also keeps earlier editions of what it lacks.
  ///
  /// - Parameter others: those that are known from elsewhere. The own ones come first.
  func products(before cycle: AiracCycle, and others: [Product] = []) -> [Product] {
    var seen: Set<[String]> = []
    let all = flatMap { CycleProducts($0).all } + others
    // A catalogue has short descriptions, and one of an earlier version lacks the hash of the sheet.
    let isWhole = { (product: Product) in
      !product.sources.isEmpty && (product.kind != .chart || product.reference?.sheetSha256 != nil)
    }
    return (all.filter(isWhole) + all.filter { !isWhole($0) }).filter { product in
      let files = product.allFiles.map { FileReference($0) }
      return product.cycle < cycle && files.allSatisfy { $0.problem == nil }
        && seen.insert([product.id] + files.map(\.path)).inserted
    }.sorted { $0.cycle > $1.cycle }
  }
}
