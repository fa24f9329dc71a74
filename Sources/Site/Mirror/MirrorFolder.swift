internal import Core
internal import CryptoIO
internal import Foundation

/// The folder of a mirror: a site, the partial files of its downloads, and the note that says which catalogue of the
/// source it had last.
struct MirrorFolder: Sendable {
  let site: SiteFolder
  var store: FolderStore { FolderStore(root: site.root) }
  private static let noteName = "source.json"
  private var parts: URL { site.root.appending(path: SiteFolder.mirrorParts) }
  var note: CatalogueNote { CatalogueNote(file: parts.appending(path: MirrorFolder.noteName)) }

  func prepare() throws {
    try reaching(parts) { try parts.createFolder() }
  }

  /// Removes what a refused copy leaves empty. Beside files without a catalogue, the folder of the parts stays: it marks a mirror that
  /// the next run continues.
  func removeEmpty(andRoot isNew: Bool) {
    func names(_ folder: URL) -> [String]? {
      try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    guard names(parts) == [], let beside = names(site.root),
      beside == [SiteFolder.mirrorParts] || beside.contains(PublishedCatalogue.path)
    else { return }
    try? FileManager.default.removeItem(at: parts)
    if isNew, names(site.root) == [] { try? FileManager.default.removeItem(at: site.root) }
  }

  func file(_ path: String) -> URL { site.root.appending(path: path) }

  /// The partial file of a blob.
  func part(of file: FileReference) -> URL {
    parts.appending(path: URL(filePath: file.path).lastPathComponent)
  }

  func part(ofPage page: FileReference) -> URL { parts.appending(path: "\(page.sha256).page") }

  func has(_ file: FileReference, rereading: Bool) -> Bool {
    let local = self.file(file.path)
    guard local.byteCount == file.bytes, local.isRegularFile else { return false }
    return !rereading || (try? SHA256Hex(ofFile: local)) == file.sha256
  }

  /// The mirror's catalogue; nil in a new mirror.
  func catalogue() throws -> PublishedCatalogue? {
    try PublishedCatalogue.find(
      in: store,
      suggestion: "Remove catalog.json to start the mirror again; complete files are not copied again.")
  }

  /// The name of the key that signed the mirror's catalogue; nil for an unsigned one.
  func keyName() -> String? {
    let text = try? String(contentsOf: site.signature, encoding: .utf8)
    return text.flatMap(Signature.init(minisign:))?.keyName
  }

  func checkRoom(for bytes: Int) throws {
    guard let free = DiskSpace(site.root).free, free < bytes else { return }
    throw UserError(
      .failed, operation: "mirroring into", path: site.root.path,
      reason: "\(Counts.bytes(bytes)) are missing, and the disk has room for \(Counts.bytes(free))",
      suggestion: "Free some space. The mirror is unchanged.")
  }

  /// Removes partial files that are not needed.
  func clear() throws {
    try reaching(parts) {
      let names = try FileManager.default.contentsOfDirectory(atPath: parts.path)
      for name in names where name != MirrorFolder.noteName {
        try FileManager.default.removeItem(at: parts.appending(path: name))
      }
      if !names.contains(MirrorFolder.noteName) { try FileManager.default.removeItem(at: parts) }
    }
  }

  private func reaching<Value>(_ place: URL, _ body: () throws -> Value) throws -> Value {
    return try UserError.wrapping("mirroring into", place.path) { try body() }
  }
}
