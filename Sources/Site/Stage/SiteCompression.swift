internal import ArchiveIO
internal import Core
internal import CryptoIO
internal import Foundation

/// Adds gzip copies of compressible files: databases, exports and other text. Unlike a web server's own compression, the copy
/// has one hash on every server, and its download can be resumed.
struct SiteCompression {
  let site: SiteFolder
  /// The existing compressed copies, by the hash of the file.
  private let known: [SHA256Hex: FileReference]
  /// Where it is kept which files cannot be compressed.
  private let journal: Journal
  private let progress: any ProgressReporter
  private static let step = "compress"

  /// The smallest saving in percent. Archives of PNG tiles save 4.
  private static let smallestSaving = 5
  private static let smallest = 1 << 10
  /// The file and its compressed form are in memory at the same time.
  private static let largest = 1 << 30
  /// The roles that are not compressed, besides evidence: tiles are compressed images.
  private static let excludedRoles: Set<Product.Role> = [.tiles, .pmtiles]

  /// - Parameter manifests: of all cycles of the site. Unchanged files are not compressed again.
  init(
    _ site: SiteFolder, knownFrom manifests: [Manifest], _ journal: Journal,
    _ progress: any ProgressReporter
  ) {
    (self.site, self.journal, self.progress) = (site, journal, progress)
    let files = manifests.flatMap { CycleProducts($0).all }.flatMap(\.files)
    known = Dictionary(first: files.compactMap { file in file.gzip.map { (file.sha256, $0) } })
  }

  /// - Parameter products: with their files in the site.
  func adding(to products: [Product]) throws -> [Product] {
    let candidates = products.flatMap(\.files).filter(SiteCompression.isCompressible)
    guard !candidates.isEmpty else { return products }
    progress.report(.started(step: SiteCompression.step))
    FreedMemory.giveBack()
    var (products, done, saved) = (products, 0, 0)
    for index in products.indices {
      for number in products[index].files.indices
      where SiteCompression.isCompressible(products[index].files[number]) {
        try CancellationToken.current.check()
        let file = products[index].files[number]
        products[index].files[number].gzip = try compressed(file)
        saved += products[index].files[number].gzip.map { file.bytes - $0.bytes } ?? 0
        done += 1
        progress.report(
          .advanced(step: SiteCompression.step, done: done, total: candidates.count, unit: "files"))
      }
    }
    progress.finish(
      SiteCompression.step, "\(Counts.of(candidates.count, "file")), \(Counts.bytes(saved)) saved")
    return products
  }

  private static func isCompressible(_ file: Product.File) -> Bool {
    !excludedRoles.contains(file.role) && !file.isEvidence
      && (smallest...largest).contains(file.bytes)
  }

  private func compressed(_ file: Product.File) throws -> FileReference? {
    if let known = known[file.sha256], blobs.isIntact(known) { return known }
    let step = "compress/\(file.sha256)"
    let isCompressed: Bool? = try journal.value(of: step, for: SiteCompression.smallestSaving)
    if isCompressed == false { return nil }
    guard let packed = try SiteCompression.packed(site.root.appending(path: file.path), file) else {
      try journal.keep(false, of: step, for: SiteCompression.smallestSaving)
      return nil
    }
    return try blobs.add(packed, extension: "gz")
  }

  private var blobs: BlobStore { BlobStore(site: site, hashes: journal.hashes) }

  /// Returns nil for a file that is not worth it: tiles are compressed images. The copy is decompressed again to verify it.
  static func packed(_ place: URL, _ file: Product.File) throws -> Data? {
    try UserError.wrapping(
      "compressing", place.path, suggestion: "Check the disk and stage again. The catalogue is unchanged."
    ) {
      guard isCompressible(file) else { return nil }
      let limit = file.bytes / 100 * (100 - smallestSaving)
      guard let packed = try compress(place, limit: limit) else { return nil }
      let unpacked = try Gzip.decompress(packed, limit: file.bytes)
      guard try SHA256Hex(of: unpacked) == file.sha256 else { throw GzipError.damaged }
      return Data(packed)
    }
  }

  /// The file is no longer in memory when this returns.
  private static func compress(_ file: URL, limit: Int) throws -> [UInt8]? {
    try Data(contentsOf: file, options: .alwaysMapped).withUnsafeBytes { try Gzip.compress($0, limit: limit) }
  }
}
