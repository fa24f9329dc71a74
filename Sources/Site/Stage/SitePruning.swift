internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// Removes from a site what neither its catalogue names nor the one that this replaced: who still reads by that one finds its
/// files.
public struct SitePruning {
  private let site: SiteFolder

  init(_ site: SiteFolder) {
    self.site = site
  }

  /// Prunes the site that a work folder stages into.
  ///
  /// - Returns: how many files were removed.
  public static func prune(staged root: URL) throws -> Int {
    let site = SiteFolder(root: root)
    guard site.catalogue.kindOnDisk == .file else { return 0 }
    return try site.withLock {
      guard try site.readCatalogue() != nil else { return 0 }
      return try SitePruning(site).prune(after: PublishedCatalogue(Data(contentsOf: site.catalogue)))
    }
  }

  /// - Returns: how many files were removed.
  func prune(after read: PublishedCatalogue) throws -> Int {
    let replaced = read.catalogue.replaces.flatMap {
      try? Data(contentsOf: site.root.appending(path: $0.path))
    }
    .flatMap { try? PublishedCatalogue($0) }
    let kept = [read.catalogue] + (replaced.map { [$0.catalogue] } ?? [])
    var paths = Set(kept.flatMap { ($0.productFiles + $0.ownFiles).map(\.reference.path) })
    if let file = read.catalogue.replaces { paths.insert(file.path) }
    return try pruneBlobs(keeping: paths)
      + pruneSignatures(keeping: Set([read.sha256, replaced?.sha256].compactMap(\.self)))
      + pruneCycles(keeping: Set(kept.flatMap { $0.entries.map(\.id) }))
  }

  private func pruneBlobs(keeping paths: Set<String>) throws -> Int {
    var removed = 0
    for folder in try names(in: "blobs") {
      let names = try names(in: "blobs/\(folder)")
      let idle = names.map { "blobs/\(folder)/\($0)" }.filter { !paths.contains($0) }
      for path in idle { try remove(path) }
      removed += idle.count
      if idle.count == names.count { try remove("blobs/\(folder)") }
    }
    return removed
  }

  private func pruneSignatures(keeping hashes: Set<SHA256Hex>) throws -> Int {
    let kept = Set(hashes.map(PublishedCatalogue.signature))
    let idle = try names(in: "signatures").map { "signatures/\($0)" }.filter { !kept.contains($0) }
    for path in idle { try remove(path) }
    return idle.count
  }

  private func pruneCycles(keeping cycles: Set<String>) throws -> Int {
    var removed = 0
    for name in try names(in: "cycles") where !cycles.contains(name) && AiracCycle(identifier: name) != nil {
      removed += try names(in: "cycles/\(name)").count
      try remove("cycles/\(name)")
    }
    return removed
  }

  // MARK: - On the disk

  /// What lies in a folder; nothing where there is none.
  private func names(in path: String) throws -> [String] {
    let folder = site.root.appending(path: path)
    guard folder.kindOnDisk == .folder else { return [] }
    return try reaching(folder) { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// Removes a file or a folder, where there is one.
  func remove(_ path: String) throws {
    let place = site.root.appending(path: path)
    try reaching(place) {
      if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
    }
  }

  private func reaching<Value>(_ place: URL, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw UserError(
        .failed, operation: "removing what is out of date", path: place.path, reason: error.fileErrorReason,
        suggestion: "Check the folder's permissions. The files in use are unchanged.", causes: [error])
    }
  }
}
