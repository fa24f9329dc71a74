internal import Core
internal import Foundation
internal import SQLiteIO
internal import Synchronization

/// A product's description, and the metadata embedded in its files.
final class ProductUnderTest: RuleSubject, Sendable {
  let place: String
  let product: Product
  let folder: URL
  /// The remembered hashes of its files.
  let hashes: FileHashes
  /// Empty where the archive or database cannot be read, which the rules about that file report.
  var embedded: EmbeddedMetadata {
    readMetadata.withLock { known in
      let metadata = known ?? (try? EmbeddedMetadata(self)) ?? EmbeddedMetadata()
      known = metadata
      return metadata
    }
  }
  private let readMetadata = Mutex<EmbeddedMetadata?>(nil)

  /// Returns the product that a file belongs to; nil for a file that no description names.
  static func owner(of file: ProductScan.File) -> ProductUnderTest? {
    if let owner = file.owner { return ProductUnderTest(owner.product, in: owner.folder, place: file.place) }
    let description = ProductScan.description(naming: file.url)
    return description.flatMap { try? ProductUnderTest($0, place: file.place) }
  }

  init(_ product: Product, in folder: URL, place: String, hashes: FileHashes = FileHashes()) {
    (self.product, self.folder, self.place, self.hashes) = (product, folder, place, hashes)
  }

  convenience init(_ file: URL, place: String, hashes: FileHashes = FileHashes()) throws {
    self.init(
      try Product(describedBy: file), in: file.deletingLastPathComponent(), place: place, hashes: hashes)
  }

  /// The product without its cycle, for the rules whose result is the same in all cycles of an edition.
  var undated: ProductUnderTest {
    ProductUnderTest(product.undated, in: folder, place: place, hashes: hashes)
  }

  /// Returns where a file is; nil for a path that leads out of the product's folder.
  func url(of file: Product.File) -> URL? {
    file.path.isPlainPath ? folder.appending(path: file.path) : nil
  }

  func file(role: Product.Role) -> URL? {
    product.files.first { $0.role == role }.flatMap { url(of: $0) }
  }

  /// Whether it shows an image that is not a chart, which has samples in place of a sheet's evidence.
  var isOfImage: Bool { product.cut == nil && product.files.contains { $0.role == .samples } }

  /// The coarse picture of the sheet that the tiles are compared with; nil where the description names none.
  var reference: SheetReference? {
    get throws {
      guard let file = file(role: .reference) else { return nil }
      return try SheetReference(product, in: file)
    }
  }

  /// Nil for an archive that cannot be opened, which the rules about the archive report.
  var tiles: (any TileSource)? { archive.flatMap { try? ArchiveKind.open($0) } }

  /// The archive with its tiles; nil if it has none.
  var archive: URL? { product.archive.flatMap(url) }
}

/// The metadata in a built file, in the same form for archives and databases.
struct EmbeddedMetadata: Sendable {
  var cycle: String?
  var effective: String?
  var expires: String?
  var bounds: GeoBox?
  /// The two boxes of a chart across 180 degrees; nil for any other product.
  var windows: [GeoBox]?
  var minZoom: Int?
  var maxZoom: Int?
  var format: String?
  /// Nil for a database.
  var neatline: MercatorNeatline?

  init() {}

  init(_ subject: ProductUnderTest) throws {
    self.init()
    switch subject.product.kind {
    case .chart:
      guard let archive = subject.archive else { return }
      self = EmbeddedMetadata(archive: try ArchiveKind.open(archive).metadata())
    case .database:
      guard let file = subject.file(role: .database) else { return }
      let database = try DatabaseUnderTest(file, place: subject.place)
      self = EmbeddedMetadata(database: database.metadata)
      bounds = try EmbeddedMetadata.extent(of: database)
    case .export:
      self = EmbeddedMetadata(database: try EmbeddedMetadata.head(ofExport: subject))
      format = nil
    default: break
    }
  }

  init(archive metadata: [String: String]) {
    (cycle, effective) = (metadata["chartpipe:cycle"], metadata["chartpipe:effective"])
    expires = metadata["chartpipe:expires"]
    let extent = DeclaredExtent(metadata)
    bounds = extent.bounds
    windows = extent.windows.count > 1 ? extent.windows : nil
    minZoom = metadata["minzoom"].flatMap { Int($0) }
    maxZoom = metadata["maxzoom"].flatMap { Int($0) }
    format = metadata["format"]
    neatline = MercatorNeatline(metadata: metadata)
  }

  init(database metadata: [String: String]) {
    (cycle, effective, expires) = (metadata["cycle"], metadata["effective"], metadata["expires"])
    format = "sqlite"
  }

  /// Reads the metadata table of an export database, or the first line of a JSON document.
  private static func head(ofExport subject: ProductUnderTest) throws -> [String: String] {
    if let file = subject.file(role: .database) {
      return try DatabaseUnderTest(file, place: subject.place).metadata
    }
    let file = subject.product.files.first.flatMap(subject.url)
    return try file.map { try LinesUnderTest($0, place: subject.place).head } ?? [:]
  }

  private static func extent(of database: DatabaseUnderTest) throws -> GeoBox? {
    let table = database.kind.mainTable
    guard database.kind.form.tables.first(where: { $0.name == table })?.extent == .point else { return nil }
    return try database.connection.prepare(
      "SELECT min(longitude), min(latitude), max(longitude), max(latitude) FROM \(table) HAVING count(*) > 0"
    ).map {
      GeoBox(west: $0.double(0), south: $0.double(1), east: $0.double(2), north: $0.double(3))
    }.first
  }
}
