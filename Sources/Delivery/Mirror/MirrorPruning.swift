internal import Airac
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// Removes from a mirror what neither its catalogue names nor the one that this replaced: who still reads by that one finds
/// its files.
struct MirrorPruning {
  private let place: MirrorPlace

  init(_ place: MirrorPlace) {
    self.place = place
  }

  /// - Returns: how many files were removed.
  func prune(after read: PublishedCatalogue) throws -> Int {
    let replaced = read.catalogue.replaces.flatMap { try? Data(contentsOf: place.file($0.path)) }
      .flatMap { try? PublishedCatalogue($0) }
    let kept = [read.catalogue] + (replaced.map { [$0.catalogue] } ?? [])
    var paths = Set(kept.flatMap { $0.productFiles.map(\.reference.path) + $0.entries.map(\.manifest.path) })
    if let file = read.catalogue.replaces { paths.insert(file.path) }
    return try pruneBlobs(keeping: paths)
      + pruneSignatures(keeping: Set([read.sha256, replaced?.sha256].compactMap(\.self)))
      + pruneCycles(keeping: Set(kept.flatMap { $0.entries.map(\.id) }))
  }

  private func pruneBlobs(keeping paths: Set<String>) throws -> Int {
    var removed = 0
    for folder in try place.names(in: "blobs") {
      let names = try place.names(in: "blobs/\(folder)")
      let idle = names.map { "blobs/\(folder)/\($0)" }.filter { !paths.contains($0) }
      for path in idle { try place.remove(path) }
      removed += idle.count
      if idle.count == names.count { try place.remove("blobs/\(folder)") }
    }
    return removed
  }

  private func pruneSignatures(keeping hashes: Set<SHA256Hex>) throws -> Int {
    let kept = Set(hashes.map(PublishedCatalogue.signature))
    let idle = try place.names(in: "signatures").map { "signatures/\($0)" }.filter { !kept.contains($0) }
    for path in idle { try place.remove(path) }
    return idle.count
  }

  private func pruneCycles(keeping cycles: Set<String>) throws -> Int {
    var removed = 0
    for name in try place.names(in: "cycles")
    where !cycles.contains(name) && AiracCycle(identifier: name) != nil {
      removed += try place.names(in: "cycles/\(name)").count
      try place.remove("cycles/\(name)")
    }
    return removed
  }
}
