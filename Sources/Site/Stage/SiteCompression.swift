internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

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
