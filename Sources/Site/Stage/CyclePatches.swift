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
