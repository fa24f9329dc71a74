internal import Core
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
      root, doing: "opening the site", remedy: "Wait for it to end, or name another folder.")
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

  /// Nil when there is none yet. One that cannot be read is a fault: to write over it would forget the serial and the
  /// other cycles.
  func readCatalogue() throws -> Catalog? {
    try read(
      Catalog.self, catalogue,
      remedy: "Put a good copy in its place, such as the published one. Nothing was staged.")
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
