internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import TileArchive
internal import Validation

/// Creates the patches from the charts of the previous cycle to those of this cycle.
struct CyclePatches {
  let site: SiteFolder
  /// Where the patches of known archives are kept.
  let results: KeyedResults
  let progress: any ProgressReporter
  private static let step = "patches"

  /// The smallest saving in percent for which a patch is published; less is not worth the work of applying it.
  private static let smallestSaving = 30

  private struct Candidate {
    let product: Int
    let old: Product.File
    let cycle: String
    let new: Product.File
  }

  /// - Parameters:
  ///   - products: with their files in the site.
  ///   - earlier: the latest cycle's first.
  /// - Returns: the products with their patches. An unreadable earlier archive is skipped with a warning.
  func adding(to products: [Product], from earlier: [PlacedProduct]) throws -> [Product] {
    var products = products
    for index in products.indices { products[index].patches = known(of: products[index], in: earlier) }
    let candidates = products.indices.compactMap { candidate(to: products[$0], at: $0, from: earlier) }
    guard !candidates.isEmpty else { return products }
    progress.report(.started(step: CyclePatches.step))
    for (done, candidate) in candidates.enumerated() {
      if let patch = try patch(candidate, of: products[candidate.product].id) {
        products[candidate.product].patches = [patch]
      }
      progress.report(
        .advanced(step: CyclePatches.step, done: done + 1, total: candidates.count, unit: "charts"))
    }
    let published = candidates.count { products[$0.product].patches != nil }
    progress.report(
      .finished(
        step: CyclePatches.step,
        detail: "\(Counts.grouped(published)) of \(Counts.of(candidates.count, "chart")) have a patch"))
    return products
  }

  /// Returns the patches that the latest earlier cycle has to the same file. In the second cycle of an edition, a device that skipped the
  /// first one still has the file that they start from.
  private func known(of product: Product, in earlier: [PlacedProduct]) -> [Product.Patch]? {
    guard let new = tiles(of: product),
      let last = earlier.first(where: { $0.product.id == product.id && tiles(of: $0.product) != nil })?
        .product,
      tiles(of: last)?.sha256 == new.sha256
    else { return nil }
    let patches = last.patches?.filter { blobs.isIntact($0.file) } ?? []
    return patches.isEmpty ? nil : patches
  }

  /// Returns the product's file of the latest earlier cycle; nil where there is none, or where it is the same file.
  private func candidate(to product: Product, at index: Int, from earlier: [PlacedProduct]) -> Candidate? {
    guard let new = tiles(of: product) else { return nil }
    for placed in earlier where placed.product.id == product.id {
      guard let old = tiles(of: placed.product) else { continue }
      return old.sha256 == new.sha256
        ? nil : Candidate(product: index, old: old, cycle: placed.product.cycle, new: new)
    }
    return nil
  }

  private func tiles(of product: Product) -> Product.File? {
    product.files.first { $0.role == "tiles" && $0.path.hasSuffix(".mbtiles") }
  }

  /// Everything that a patch depends on.
  private struct Inputs: Encodable {
    let old: SHA256Hex
    let new: SHA256Hex
    let limit: Int
  }

  private struct Outcome: Codable {
    /// The blob; nil if the patch would save too little.
    var patch: Product.File?
  }

  private func patch(_ candidate: Candidate, of id: String) throws -> Product.Patch? {
    let limit = candidate.new.bytes / 100 * (100 - CyclePatches.smallestSaving)
    let inputs = Inputs(old: candidate.old.sha256, new: candidate.new.sha256, limit: limit)
    if let known: Outcome = try results.stored("patches", of: inputs), known.patch.map(blobs.isIntact) ?? true
    {
      return known.patch.map { Product.Patch(from: candidate.old, of: candidate.cycle, $0) }
    }
    guard let outcome = try make(candidate, of: id, limit) else { return nil }
    try results.store(outcome, "patches", of: inputs)
    return outcome.patch.map { Product.Patch(from: candidate.old, of: candidate.cycle, $0) }
  }

  private var blobs: BlobStore { BlobStore(site: site, hashes: results.hashes) }

  /// - Returns: nil if an archive cannot be read.
  private func make(_ candidate: Candidate, of id: String, _ limit: Int) throws -> Outcome? {
    let scratch = site.scratch.appending(path: "\(candidate.new.sha256).patch")
    defer { try? FileManager.default.removeItem(at: scratch) }
    do {
      _ = try ArchivePatch.make(
        from: site.root.appending(path: candidate.old.path),
        to: site.root.appending(path: candidate.new.path),
        at: scratch,
        limit: limit
      ) { _, _ in try CancellationToken.current.check() }
    } catch is ArchivePatch.TooLarge {
      return Outcome()
    } catch let error as UserError where error.kind == .badInput {
      progress.report(
        .warning(
          step: CyclePatches.step,
          message: "\(id): no patch can be made from cycle \(candidate.cycle): \(error.reason)"))
      return nil
    }
    return Outcome(patch: try publish(scratch, limit))
  }

  private func publish(_ patch: URL, _ limit: Int) throws -> Product.File? {
    let attributes = try FileManager.default.attributesOfItem(atPath: patch.path)
    guard let bytes = attributes[.size] as? Int, bytes <= limit else { return nil }
    let file = Product.File(
      path: patch.lastPathComponent, sha256: try SHA256Hex(ofFile: patch), bytes: bytes,
      mediaType: "application/vnd.sqlite3", role: "patch")
    return try blobs.add(file, from: patch).file
  }
}

/// Adds gzip copies of compressible files: databases, exports and other text. Unlike a web server's own compression, the copy
/// has one hash on every server, and its download can be resumed.
struct SiteCompression {
  let site: SiteFolder
  /// The existing compressed copies, by the hash of the file.
  private let known: [SHA256Hex: Product.Compressed]
  /// Where it is kept which files cannot be compressed.
  private let results: KeyedResults
  private let progress: any ProgressReporter
  private static let step = "compress"

  /// The smallest saving in percent. Archives of PNG tiles save 4.
  private static let smallestSaving = 5
  private static let smallest = 1 << 10
  /// The file and its compressed form are in memory at the same time.
  private static let largest = 1 << 30
  /// The roles that are not compressed, besides evidence: tiles are compressed images.
  private static let excludedRoles: Set<String> = ["tiles", "pmtiles"]

  /// - Parameter manifests: of all cycles of the site. Unchanged files are not compressed again.
  init(
    _ site: SiteFolder, knownFrom manifests: [Manifest], _ results: KeyedResults,
    _ progress: any ProgressReporter
  ) {
    (self.site, self.results, self.progress) = (site, results, progress)
    let files = manifests.flatMap { CycleProducts($0).all }.flatMap(\.files)
    known = Dictionary(files.compactMap { file in file.gzip.map { (file.sha256, $0) } }) { first, _ in first }
  }

  /// - Parameter products: with their files in the site.
  func adding(to products: [Product]) throws -> [Product] {
    let candidates = products.flatMap(\.files).filter(isCompressible)
    guard !candidates.isEmpty else { return products }
    progress.report(.started(step: SiteCompression.step))
    FreedMemory.giveBack()
    var (products, done, saved) = (products, 0, 0)
    for index in products.indices {
      for number in products[index].files.indices where isCompressible(products[index].files[number]) {
        try CancellationToken.current.check()
        let file = products[index].files[number]
        products[index].files[number].gzip = try compressed(file)
        saved += products[index].files[number].gzip.map { file.bytes - $0.bytes } ?? 0
        done += 1
        progress.report(
          .advanced(step: SiteCompression.step, done: done, total: candidates.count, unit: "files"))
      }
    }
    progress.report(
      .finished(
        step: SiteCompression.step,
        detail: "\(Counts.of(candidates.count, "file")), \(Counts.bytes(saved)) saved"))
    return products
  }

  private func isCompressible(_ file: Product.File) -> Bool {
    !SiteCompression.excludedRoles.contains(file.role) && !file.isEvidence
      && (SiteCompression.smallest...SiteCompression.largest).contains(file.bytes)
  }

  /// Everything that decides whether a file is compressed.
  private struct Inputs: Encodable {
    let sha256: SHA256Hex
    let smallestSaving: Int
  }

  private struct Outcome: Codable {
    var isCompressed: Bool
  }

  private func compressed(_ file: Product.File) throws -> Product.Compressed? {
    if let known = known[file.sha256], isIntact(known) { return known }
    let inputs = Inputs(sha256: file.sha256, smallestSaving: SiteCompression.smallestSaving)
    let outcome: Outcome? = try results.stored("gzip", of: inputs)
    if outcome?.isCompressed == false { return nil }
    guard let packed = try pack(file) else {
      try results.store(Outcome(isCompressed: false), "gzip", of: inputs)
      return nil
    }
    let blob = try BlobStore(site: site).add(packed, extension: "gz")
    return Product.Compressed(path: blob.path, sha256: blob.sha256, bytes: blob.bytes)
  }

  private func isIntact(_ file: Product.Compressed) -> Bool {
    BlobStore(site: site, hashes: results.hashes).isIntact(
      Product.File(
        path: file.path, sha256: file.sha256, bytes: file.bytes, mediaType: "application/gzip", role: "gzip"))
  }

  /// The file is no longer in memory when this returns.
  private func compress(_ file: URL, limit: Int) throws -> [UInt8]? {
    try Data(contentsOf: file, options: .alwaysMapped).withUnsafeBytes { try Gzip.compress($0, limit: limit) }
  }

  /// Returns nil where too little would be saved. The copy is decompressed again to verify it.
  private func pack(_ file: Product.File) throws -> Data? {
    let place = site.root.appending(path: file.path)
    do {
      let limit = file.bytes / 100 * (100 - SiteCompression.smallestSaving)
      guard let packed = try compress(place, limit: limit) else { return nil }
      let unpacked = try Gzip.decompress(packed, limit: file.bytes)
      guard try SHA256Hex(of: unpacked) == file.sha256 else { throw GzipError.damaged }
      return Data(packed)
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      throw UserError(
        .failed, operation: "compressing", path: place.path, reason: error.fileErrorReason,
        suggestion: "Check the disk and stage again. The catalogue is unchanged.", causes: [error])
    }
  }
}
