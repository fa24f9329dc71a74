internal import Core
internal import Foundation

/// The charts and databases of a pack's source.
struct SourceContents {
  /// An aviation database, on this machine.
  typealias Database = (file: URL, chart: DatedProduct)

  let charts: [SourceChart]
  /// Nil for a single archive.
  let files: PackFiles?
  private let products: [Product]
  private let term: CatalogueTerm?

  init(_ request: PackRequest, scratch: URL, progress: any ProgressReporter) throws {
    switch request.source {
    case .archive(let file):
      charts = [try SourceChart(file)]
      (files, products, term) = (nil, [], nil)
    case .site(let site):
      let published = try PublishedProducts(
        site, signedBy: request.publicKey, notes: request.cache.appending(path: "catalogues"))
      term = published.term
      products = published.products
      charts = products.enumerated().compactMap { SourceChart($0.element, number: $0.offset) }
      files = PackFiles(
        published, of: site, cache: request.cache, scratch: scratch, verifiesHashes: request.publicKey != nil,
        progress: progress)
    }
  }

  /// The database that is in force; nil where none is published, or where neither points nor airports are looked up.
  func database(_ request: PackRequest) throws -> Database? {
    let needsIt = request.wantsAirports || request.area.points.contains { RoutePoint(coordinates: $0) == nil }
    let entries = products.enumerated().filter { $0.element.isAviationDatabase }
    let chosen = entries.last { $0.element.dates.isInForce(at: request.time) } ?? entries.last
    guard needsIt, let (number, product) = chosen, let files,
      let file = product.files.first(where: { $0.role == .database })
    else { return nil }
    return (try files.whole(file, of: number), product.dates)
  }

  /// Explains why a pack has no airports although they were requested, and that the catalogue has expired.
  func notes(_ request: PackRequest, _ database: Database?) -> [String] {
    let note = "No aviation database is published beside the charts, so the pack has no airports."
    return [request.wantsAirports && database == nil ? note : nil, expiry(at: request.now)].compactMap(\.self)
  }

  /// - Throws: where the catalogue has expired and that is not allowed.
  func checkTerm(_ request: PackRequest) throws {
    guard let expiry = expiry(at: request.now), !request.allowsExpired else { return }
    throw UserError(
      .refused, operation: "reading the catalogue", reason: expiry,
      suggestion: "Ask the publisher to renew it, or add --allow-expired to pack its charts anyway.")
  }

  private func expiry(at now: Instant) -> String? {
    guard let term, term.isExpired(at: now) else { return nil }
    return "the catalogue expired at \(term.expires), so it may be an old copy"
  }
}

extension Product {
  var dates: DatedProduct {
    DatedProduct(id: id, effective: effectiveDate, expires: expirationDate)
  }

  /// Whether it has airports, navaids and fixes; other databases hold obstacles alone, for example.
  fileprivate var isAviationDatabase: Bool {
    kind == .database && ["airports", "navaids", "fixes"].allSatisfy { build.counts[$0] != nil }
  }
}

/// A product and its dates.
struct DatedProduct: Sendable {
  let id: String
  let effective: Instant?
  let expires: Instant?

  func isInForce(at time: Instant) -> Bool {
    (effective.map { $0 <= time } ?? true) && (expires.map { time < $0 } ?? true)
  }
}

extension [DatedProduct] {
  /// Notes what is not in force at the time at which a pack will be used.
  ///
  /// - Throws: where something is not in force and that is not allowed.
  func notes(at time: Instant, _ allowsExpired: Bool) throws -> [String] {
    let outdated = compactMap { product -> String? in
      if let expires = product.expires, expires <= time { return "\(product.id) expired on \(expires)" }
      return product.effective.flatMap { $0 > time ? "\(product.id) takes effect on \($0)" : nil }
    }
    guard !outdated.isEmpty else { return [] }
    guard allowsExpired else {
      throw UserError(
        .refused, operation: "choosing editions",
        reason: "not in force at \(time): \(outdated.joined(separator: "; "))",
        suggestion: "Give the day of the flight with --at, or add --allow-expired to pack them anyway.")
    }
    return ["Not in force at \(time): \(outdated.joined(separator: "; ")). Do not navigate by it."]
  }
}

/// Provides the files of a site that a pack needs, on this machine.
///
/// - Files of a folder are read in place. Their hashes are verified if the catalogue's signature was.
/// - Of a PMTiles archive on the web, range requests download the header, the directories and the tiles of the area into a sparse
///   file of the same size, which is read like the whole archive.
/// - MBTiles archives and databases on the web are downloaded whole, since the pages of a tile are spread over the file.
final class PackFiles {
  private let products: PublishedProducts
  private let site: PublishedSite
  private let cache: URL
  private let scratch: URL
  private let progress: any ProgressReporter
  private let verifiesHashes: Bool
  /// The sparse files of archives on the web.
  private var sparse: Set<String> = []

  /// Ranges are joined across gaps that cost less than another request.
  private static let largestGap = 64 << 10
  private static let largestRequest = 4 << 20
  private static let firstRequest = 16 << 10
  private static let connections = 4

  /// - Parameters:
  ///   - scratch: a folder for temporary files.
  ///   - verifiesHashes: whether files of a folder are compared with their hashes. Whole files from the web always are.
  init(
    _ products: PublishedProducts, of site: PublishedSite, cache: URL, scratch: URL, verifiesHashes: Bool,
    progress: any ProgressReporter
  ) {
    (self.products, self.site, self.cache, self.scratch) = (products, site, cache, scratch)
    (self.verifiesHashes, self.progress) = (verifiesHashes, progress)
  }

  /// Returns a whole file, downloaded if it is on the web.
  func whole(_ file: Product.File, of number: Int) throws -> URL {
    if let local = try local(file, of: number) { return local }
    let product = products.products[number]
    let step = "download \(product.id)"
    var done = 0
    let url = try site.download(file, of: product, into: cache) { count in
      if done == 0 { progress.report(.started(step: step)) }
      done += count
      try CancellationToken.current.check()
      progress.report(.advanced(step: step, done: done, total: file.bytes, unit: "bytes"))
    }
    if done > 0 { progress.finish(step, Counts.bytes(done)) }
    return url
  }

  /// Whether a chart's archive is on this machine, or its server supports range requests.
  func isReadable(_ chart: SourceChart) throws -> Bool {
    guard let number = chart.number, let file = chart.files.first else { return true }
    return try products.localFile(file, of: number) != nil || site.servesParts && chart.pmtiles != nil
  }

  /// A file on this machine; nil for one on the web.
  private func local(_ file: Product.File, of number: Int) throws -> URL? {
    let local = try products.localFile(file, of: number)
    if verifiesHashes, let local { try products.verify(local, as: file, of: number) }
    return local
  }

  /// A chart's archive. One on the web has its directories only, until `fill` downloads tiles.
  func archive(_ chart: SourceChart) throws -> URL {
    if let archive = chart.archive { return archive }
    guard let number = chart.number, let file = chart.files.first else {
      throw ChartChoice.userError("\(chart.id) has no tiles", "Build and stage it again.")
    }
    if let local = try local(file, of: number) { return local }
    if site.servesParts, let pmtiles = chart.pmtiles, let sparse = try head(pmtiles, of: number) {
      return sparse
    }
    return try whole(file, of: number)
  }

  /// Downloads tiles of a chart into the sparse file of its archive.
  func fill(_ archive: URL, of chart: SourceChart, with tiles: Set<TileID>) throws {
    guard sparse.contains(archive.path), let file = chart.pmtiles, let number = chart.number else { return }
    let ranges = try PMTilesReader(opening: archive).ranges(of: tiles)
    let requests = PackFiles.requests(ranges)
    let total = requests.reduce(0) { $0 + $1.count }
    let step = "download tiles of \(chart.id)"
    progress.report(.started(step: step))
    var done = 0
    let handle = try FileHandle(forWritingTo: archive)
    defer { try? handle.close() }
    let product = products.products[number]
    try processInOrder(requests, width: PackFiles.connections) { [site] range in
      (range, try site.bytes(range, of: file, of: product))
    } consume: { range, bytes in
      guard let bytes else {
        throw UserError(
          .failed, operation: "downloading tiles of \(chart.id)", path: site.name,
          reason: "the server stopped answering range requests", suggestion: "Run again.")
      }
      try handle.write(bytes, at: range)
      done += range.count
      progress.report(.advanced(step: step, done: done, total: total, unit: "bytes"))
    }
    try checkImages(archive, ranges, file, number)
    progress.finish(step, "\(Counts.bytes(total)) in \(Counts.of(requests.count, "request"))")
  }

  /// Returns the number of bytes to download for the tiles of a chart; 0 for a local archive.
  func downloadBytes(_ archive: URL, _ tiles: Set<TileID>) throws -> Int {
    guard sparse.contains(archive.path) else { return 0 }
    return PackFiles.requests(try PMTilesReader(opening: archive).ranges(of: tiles)).reduce(0) {
      $0 + $1.count
    }
  }

  /// A sparse file with the header, the directories and the metadata; nil where the server does not support range requests.
  private func head(_ file: Product.File, of number: Int) throws -> URL? {
    let product = products.products[number]
    let first = 0..<min(PackFiles.firstRequest, file.bytes)
    guard let start = try site.bytes(first, of: file, of: product) else { return nil }
    let place = scratch.appending(path: "\(file.sha256).pmtiles")
    guard FileManager.default.createFile(atPath: place.path, contents: start) else {
      throw UserError(
        .failed, operation: "writing", path: place.path, reason: "the file cannot be created",
        suggestion: "Check the folder's permissions and the free space.")
    }
    let handle = try FileHandle(forWritingTo: place)
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(file.bytes))
    for part in try PMTilesReader.head(of: Array(start), named: "\(product.id) \(file.path)")
    where part.upperBound > first.upperBound {
      guard let bytes = try site.bytes(part, of: file, of: product) else { return nil }
      try handle.write(bytes, at: part)
    }
    sparse.insert(place.path)
    return place
  }

  /// Checks that the downloaded tiles are images, since the hash of a whole archive cannot verify a part of it.
  private func checkImages(_ archive: URL, _ ranges: [Range<Int>], _ file: Product.File, _ number: Int) throws
  {
    let handle = try FileHandle(forReadingFrom: archive)
    defer { try? handle.close() }
    for range in ranges {
      try handle.seek(toOffset: UInt64(range.lowerBound))
      guard TileEncoding(image: try handle.read(upToCount: 12).map(Array.init) ?? []) != nil else {
        throw UserError(
          .badInput, operation: "downloading tiles of \(products.products[number].id)", path: file.path,
          reason: "the bytes from \(range.lowerBound) on are not an image",
          suggestion: "Run `chartpipe verify` on the site.")
      }
    }
  }

  static func requests(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound - last.upperBound <= largestGap,
        range.upperBound - last.lowerBound <= largestRequest
      {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }
}

extension FileHandle {
  fileprivate func write(_ bytes: Data, at range: Range<Int>) throws {
    try seek(toOffset: UInt64(range.lowerBound))
    try write(contentsOf: bytes)
  }
}

extension SourceChart {
  var pmtiles: Product.File? { product?.files.first { $0.role == .pmtiles } }

  /// The chart's archives, the MBTiles first.
  var files: [Product.File] {
    [Product.Role.tiles, .pmtiles].compactMap { role in product?.files.first { $0.role == role } }
  }
}
