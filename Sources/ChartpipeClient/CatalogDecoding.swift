internal import Core
internal import Foundation

extension Catalog: Decodable {
  private enum CodingKeys: String, CodingKey {
    case format, serial, issued, expires, previous, current, next, products, replaces, regions, held
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let format = try container.decode(String.self, forKey: .format)
    guard format == Catalog.format else {
      throw ChartpipeError(
        .format, ChartpipeError.readingCatalog, "this version cannot read the format \"\(format)\"",
        "Update the app")
    }
    serial = try container.count(forKey: .serial)
    issued = try container.instantIfPresent(forKey: .issued)
    expires = try container.instantIfPresent(forKey: .expires)
    previous = try container.decodeIfPresent(Cycle.self, forKey: .previous)
    current = try container.decodeIfPresent(Cycle.self, forKey: .current)
    next = try container.decodeIfPresent(Cycle.self, forKey: .next)
    let entries = try container.decode([Entry].self, forKey: .products)
    products = entries.flatMap(\.products)
    if products.count > entries.count { products.sort { $0.place < $1.place } }
    replaces = try container.decodeIfPresent(Verified<FileReference>.self, forKey: .replaces)?.file
    regions = try container.decodeIfPresent(Verified<FileReference>.self, forKey: .regions)?.file
    held = try container.decodeIfPresent([Catalog.Held].self, forKey: .held) ?? []
  }
}

/// An edition that several cycles have unchanged is one entry with all of them.
private struct Entry: Decodable {
  let products: [Catalog.Product]

  init(from decoder: any Decoder) throws {
    let product = try Catalog.Product(from: decoder)
    let container = try decoder.container(keyedBy: Catalog.Product.CodingKeys.self)
    let cycles = try container.decodeIfPresent([String].self, forKey: .cycles) ?? [product.cycle]
    guard (1...13).contains(cycles.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .cycles, in: container, debugDescription: "an edition cannot have \(cycles.count) cycles")
    }
    products = cycles.map { cycle in
      var own = product
      own.cycle = cycle
      return own
    }
  }
}

extension Catalog.Product {
  /// Orders by cycle and then by id.
  fileprivate var place: (Int, String) {
    (AiracCycle(identifier: cycle)?.effective.secondsSince1970 ?? 0, id)
  }
}

extension Catalog.Cycle: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, effective, expires, published, manifest, held
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    effective = try container.instant(forKey: .effective)
    expires = try container.instant(forKey: .expires)
    published = try container.instantIfPresent(forKey: .published)
    manifest = try container.decode(Verified<FileReference>.self, forKey: .manifest).file
    held = try container.decodeIfPresent([Catalog.Held].self, forKey: .held) ?? []
  }
}

extension Catalog.Product: Decodable {
  fileprivate enum CodingKeys: String, CodingKey {
    case id, kind, name, cycle, cycles, edition, effectiveDate, expirationDate, fetched, boundingBox,
      boundingBoxes, minZoom, maxZoom, region, format, tileSize, variantOf, files, includes
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    kind = try container.decode(Catalog.Kind.self, forKey: .kind)
    name = try container.decode(String.self, forKey: .name)
    cycle = try container.decode(String.self, forKey: .cycle)
    edition = try container.decode(String.self, forKey: .edition)
    effectiveDate = try container.instant(forKey: .effectiveDate)
    expirationDate = try container.instant(forKey: .expirationDate)
    fetched = try container.instantIfPresent(forKey: .fetched)
    boundingBox = try container.box(forKey: .boundingBox)
    boundingBoxes = try container.boxes(forKey: .boundingBoxes)
    minZoom = try container.countIfPresent(forKey: .minZoom)
    maxZoom = try container.countIfPresent(forKey: .maxZoom)
    region = try container.name(forKey: .region)
    format = try container.decode(String.self, forKey: .format)
    tileSize = try container.countIfPresent(forKey: .tileSize)
    variantOf = try container.decodeIfPresent(String.self, forKey: .variantOf)
    files = try container.decode([Verified<ProductFile>].self, forKey: .files).map(\.file)
    includes = try container.decodeIfPresent([String].self, forKey: .includes) ?? []
  }
}

/// A file whose path and size are possible.
private struct Verified<File: SiteFile & Decodable>: Decodable {
  let file: File

  private enum CodingKeys: String, CodingKey {
    case path, url, bytes, gzip
  }

  init(from decoder: any Decoder) throws {
    file = try File(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for key in [CodingKeys.path, .url] where container.contains(key) { _ = try container.path(forKey: key) }
    _ = try container.size(forKey: .bytes)
    if file.gzip != nil { _ = try container.decode(Verified<FileReference>.self, forKey: .gzip) }
  }
}

extension ChartRegion {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.name(forKey: .id) ?? container.decode(String.self, forKey: .id),
      name: try container.decode(String.self, forKey: .name),
      effectiveDate: try container.decode(Date.self, forKey: .effectiveDate),
      expirationDate: try container.decode(Date.self, forKey: .expirationDate),
      boundingBox: try container.box(forKey: .boundingBox)
        ?? container.decode(BoundingBox.self, forKey: .boundingBox),
      boundingBoxes: try container.boxes(forKey: .boundingBoxes),
      minZoom: try container.countIfPresent(forKey: .minZoom),
      maxZoom: try container.countIfPresent(forKey: .maxZoom),
      fileSizeMB: try container.decode(Double.self, forKey: .fileSizeMB),
      path: try container.path(forKey: .path), sha256: try container.decode(SHA256Hex.self, forKey: .sha256),
      bytes: try container.size(forKey: .bytes),
      forms: (try container.decodeIfPresent([Verified<ChartForm>].self, forKey: .forms) ?? []).map(\.file),
      product: try container.decodeIfPresent(String.self, forKey: .product))
  }
}

extension KeyedDecodingContainer {
  fileprivate func instant(forKey key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    guard text.contains("T"), let instant = Instant(text) else {
      throw invalid(key, "\"\(text)\" is not a time such as 2026-11-26T09:01:00Z")
    }
    return Date(timeIntervalSince1970: Double(instant.secondsSince1970))
  }

  fileprivate func instantIfPresent(forKey key: Key) throws -> Date? {
    try decodeIfPresent(String.self, forKey: key) == nil ? nil : instant(forKey: key)
  }

  fileprivate func countIfPresent(forKey key: Key) throws -> Int? {
    try decodeIfPresent(Int.self, forKey: key) == nil ? nil : count(forKey: key)
  }

  fileprivate func count(forKey key: Key) throws -> Int {
    let number = try decode(Int.self, forKey: key)
    guard number >= 0 else { throw invalid(key, "\(number) is negative") }
    return number
  }

  /// Rejects huge sizes, since the sum of several could overflow.
  fileprivate func size(forKey key: Key) throws -> Int {
    let number = try count(forKey: key)
    guard number <= 1 << 40 else { throw invalid(key, "\(number) bytes are more than a file has") }
    return number
  }

  /// Rejects a path that leads out of the site, since it could overwrite other files of the app.
  fileprivate func path(forKey key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"\\:%?#".utf8.contains($0) }
    guard isPlain, text.isPlainPath else {
      throw invalid(key, "\"\(text)\" is not a path within the site")
    }
    return text
  }

  /// Rejects names that are not file names, since apps use them as such.
  fileprivate func name(forKey key: Key) throws -> String? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard text.isPlainName else { throw invalid(key, "\"\(text)\" is not a file name") }
    return text
  }

  fileprivate func box(forKey key: Key) throws -> BoundingBox? {
    try decodeIfPresent(BoundingBox.self, forKey: key).map { try verified($0, forKey: key) }
  }

  fileprivate func boxes(forKey key: Key) throws -> [BoundingBox]? {
    try decodeIfPresent([BoundingBox].self, forKey: key)?.map { try verified($0, forKey: key) }
  }

  /// Rejects a box whose edges are swapped or not on the earth, since tiles are counted from them.
  fileprivate func verified(_ box: BoundingBox, forKey key: Key) throws -> BoundingBox {
    guard -180 <= box.west, box.west <= box.east, box.east <= 180, -90 <= box.south,
      box.south <= box.north, box.north <= 90
    else {
      throw invalid(key, "west and east must ascend within -180...180, south and north within -90...90")
    }
    return box
  }

  private func invalid(_ key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }
}

extension DecodingError {
  /// The path of the key and the problem.
  var summary: String {
    switch self {
    case .keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? context.debugDescription : "\(path(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }

  private func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
  }
}
