internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import TileArchive
internal import Validation

/// The shorter ways to the charts of a cycle, for devices that have those of the cycle before.
struct CyclePatches {
  let site: SiteFolder
  let progress: any ProgressReporter
  private static let step = "patches"

  /// A patch is offered when it saves this share of the whole file, in hundredths: for less, nobody should take on the work
  /// of applying it.
  private static let worthwhile = 30

  private struct Way {
    let product: Int
    let old: Product.File
    let cycle: String
    let new: Product.File
  }

  /// - Parameters:
  ///   - products: with the files that they have in the site.
  ///   - earlier: the latest cycle's first.
  /// - Returns: the same products, with what is worth offering. An earlier archive that cannot be read stops nothing.
  func adding(to products: [Product], from earlier: [PlacedProduct]) throws -> [Product] {
    var products = products
    for index in products.indices { products[index].patches = nil }
    let ways = products.indices.compactMap { way(to: products[$0], at: $0, from: earlier) }
    guard !ways.isEmpty else { return products }
    progress.report(.started(step: CyclePatches.step))
    for (done, way) in ways.enumerated() {
      if let patch = try patch(way, of: products[way.product].id) { products[way.product].patches = [patch] }
      progress.report(
        .advanced(step: CyclePatches.step, done: done + 1, total: ways.count, unit: "charts"))
    }
    let worthwhile = products.count { $0.patches != nil }
    progress.report(
      .finished(
        step: CyclePatches.step,
        detail: "\(Counts.grouped(worthwhile)) of \(Counts.of(ways.count, "chart")) worth offering"))
    return products
  }

  /// From the product's file of the latest earlier cycle; nil where there is none, and where it is the very file.
  private func way(to product: Product, at index: Int, from earlier: [PlacedProduct]) -> Way? {
    guard let new = tiles(of: product) else { return nil }
    for placed in earlier where placed.product.id == product.id {
      guard let old = tiles(of: placed.product) else { continue }
      return old.sha256 == new.sha256
        ? nil : Way(product: index, old: old, cycle: placed.product.cycle, new: new)
    }
    return nil
  }

  private func tiles(of product: Product) -> Product.File? {
    product.files.first { $0.role == "tiles" && $0.path.hasSuffix(".mbtiles") }
  }

  private func patch(_ way: Way, of id: String) throws -> Product.Patch? {
    let scratch = site.scratch.appending(path: "\(way.new.sha256).patch")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let limit = way.new.bytes / 100 * (100 - CyclePatches.worthwhile)
    do {
      _ = try ArchivePatch.make(
        from: site.root.appending(path: way.old.path), to: site.root.appending(path: way.new.path),
        at: scratch,
        limit: limit
      ) { _, _ in try CancellationToken.current.check() }
    } catch is ArchivePatch.TooLarge {
      return nil
    } catch let fault as UserError where fault.kind == .badInput {
      progress.report(
        .warning(
          step: CyclePatches.step,
          message: "\(id): no patch can be made from cycle \(way.cycle): \(fault.reason)"))
      return nil
    }
    return try publish(scratch, way, limit)
  }

  private func publish(_ patch: URL, _ way: Way, _ limit: Int) throws -> Product.Patch? {
    let attributes = try FileManager.default.attributesOfItem(atPath: patch.path)
    guard let bytes = attributes[.size] as? Int, bytes <= limit else { return nil }
    let file = Product.File(
      path: patch.lastPathComponent, sha256: try SHA256Hex(ofFile: patch), bytes: bytes,
      mediaType: "application/vnd.sqlite3", role: "patch")
    let blob = try BlobStore(site: site).add(file, from: patch).file
    return Product.Patch(from: way.old, of: way.cycle, blob)
  }
}

/// Adds the gzip form of the files that gain by it: databases, exports and other text. It is not the web server's own
/// compression: a file of the site has one hash, whichever server sends it, and a download of it can be resumed.
struct SiteCompression {
  let site: SiteFolder
  /// What is compressed already, by the hash of the file.
  private let known: [SHA256Hex: Product.Compressed]
  private let progress: any ProgressReporter
  private static let step = "compress"

  /// A smaller share, in hundredths, is not worth unpacking. Archives of PNG tiles save 4.
  private static let worthwhile = 5
  private static let smallest = 1 << 10
  /// The file and its compressed form are in memory at the same time.
  private static let largest = 1 << 30
  /// Tiles are compressed images; no app needs the others.
  private static let others: Set<String> = ["tiles", "pmtiles", "control", "reference", "columns"]

  /// - Parameter manifests: of all cycles of the site: a file that did not change is not compressed again.
  init(_ site: SiteFolder, knownFrom manifests: [Manifest], _ progress: any ProgressReporter) {
    (self.site, self.progress) = (site, progress)
    let files = manifests.flatMap { CycleProducts($0).all }.flatMap(\.files)
    known = Dictionary(files.compactMap { file in file.gzip.map { (file.sha256, $0) } }) { first, _ in first }
  }

  /// - Parameter products: with the files that they have in the site.
  func adding(to products: [Product]) throws -> [Product] {
    let due = products.flatMap(\.files).filter(mayGain)
    guard !due.isEmpty else { return products }
    progress.report(.started(step: SiteCompression.step))
    var (products, done, saved) = (products, 0, 0)
    for index in products.indices {
      for number in products[index].files.indices where mayGain(products[index].files[number]) {
        try CancellationToken.current.check()
        let file = products[index].files[number]
        products[index].files[number].gzip = try compressed(file)
        saved += products[index].files[number].gzip.map { file.bytes - $0.bytes } ?? 0
        done += 1
        progress.report(
          .advanced(step: SiteCompression.step, done: done, total: due.count, unit: "files"))
      }
    }
    progress.report(
      .finished(
        step: SiteCompression.step,
        detail: "\(Counts.of(due.count, "file")), \(Counts.bytes(saved)) less to download"))
    return products
  }

  private func mayGain(_ file: Product.File) -> Bool {
    !SiteCompression.others.contains(file.role)
      && (SiteCompression.smallest...SiteCompression.largest).contains(file.bytes)
  }

  private func compressed(_ file: Product.File) throws -> Product.Compressed? {
    if let known = known[file.sha256], isThere(known) { return known }
    guard let packed = try pack(file) else { return nil }
    let blob = try BlobStore(site: site).add(packed, extension: "gz")
    return Product.Compressed(path: blob.path, sha256: blob.sha256, bytes: blob.bytes)
  }

  private func isThere(_ file: Product.Compressed) -> Bool {
    let place = site.root.appending(path: file.path).path
    let size = (try? FileManager.default.attributesOfItem(atPath: place))?[.size] as? Int
    return size == file.bytes
  }

  /// Returns nil where too little would be saved. What is unpacked again must be the file.
  private func pack(_ file: Product.File) throws -> Data? {
    let place = site.root.appending(path: file.path)
    do {
      let data = try Data(contentsOf: place, options: .alwaysMapped)
      let limit = file.bytes / 100 * (100 - SiteCompression.worthwhile)
      guard let packed = try data.withUnsafeBytes({ try Gzip.compress($0, limit: limit) }) else { return nil }
      let unpacked = try Gzip.decompress(packed, limit: file.bytes)
      guard try SHA256Hex(of: unpacked) == file.sha256 else { throw GzipError.damaged }
      return Data(packed)
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      throw UserError(
        .failed, operation: "compressing", path: place.path, reason: "\(error)",
        suggestion: "Check the disk and stage again. The catalogue was left as it was.", causes: [error])
    }
  }
}
