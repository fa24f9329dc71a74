import Core
import CryptoIO
import Foundation

@testable import ChartpipeKit

/// A staged site whose products are files of a few words.
struct PaperSite {
  let root: URL

  /// - Parameter cycles: by their identifiers, the products' names and what their files say. A product whose name begins with
  ///   `chart` is a region with editions of 56 days; one that begins with `map` also has PMTiles.
  @discardableResult
  init(
    at root: URL, _ cycles: [String: [String: String]], serial: Int = 1,
    version: String = ToolVersion.version, ok: Bool = true, extra: [String: Data] = [:]
  ) throws {
    self.root = root
    let manifests = try cycles.map { id, products in
      guard let cycle = AiracCycle(identifier: id) else { throw CocoaError(.coderInvalidValue) }
      let made = try products.sorted { $0.key < $1.key }.map { try product($0.key, $0.value, cycle) }
      return Manifest(
        cycle: cycle, effective: cycle.effective, expires: cycle.expires, products: made, missing: [],
        validation: .init(ok: ok, tool: ToolVersion.tool, version: version, findings: []))
    }
    for manifest in manifests {
      try write(CanonicalJSON.pretty(manifest), "cycles/\(manifest.cycle)/manifest.json")
      try write(
        Data("report of \(cycles[manifest.cycle.identifier] ?? [:])".utf8),
        "cycles/\(manifest.cycle)/report.html")
    }
    for (path, data) in extra { try write(data, path) }
    let catalogue = Catalog(serial: serial, previous: nil, current: nil, next: nil, products: [])
    try write(CanonicalJSON.pretty(catalogue), "catalog.json")
  }

  private func product(_ name: String, _ words: String, _ cycle: AiracCycle) throws -> Product {
    let isChart = name.hasPrefix("chart")
    let edition = cycle.edition(isChart ? .every56Days : .every28Days)
    let data = Data(words.utf8)
    let sha256 = try SHA256Hex(of: Array(data))
    let path = BlobPath.of(sha256, extension: "mbtiles")
    try write(data, path)
    var files = [
      Product.File(
        path: path, sha256: sha256, bytes: data.count, mediaType: "application/vnd.sqlite3", role: .tiles)
    ]
    if name.hasPrefix("map") {
      let path = BlobPath.of(sha256, extension: "pmtiles")
      try write(data, path)
      files.append(
        .init(
          path: path, sha256: sha256, bytes: data.count, mediaType: "application/vnd.pmtiles",
          role: .pmtiles))
    }
    return Product(
      id: "paper/\(name)", kind: .chart, name: name, cycle: cycle, edition: edition.issue,
      effectiveDate: edition.effective, expirationDate: edition.expires,
      boundingBox: GeoBox(west: -122, south: 37, east: -121, north: 38), minZoom: 1, maxZoom: 2,
      format: "png", files: files, sources: [],
      build: .init(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: [:], definitionSha256: sha256,
        counts: [:]), region: isChart ? name : nil)
  }

  private func write(_ data: Data, _ path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }
}

/// Returns the contents of each published product's file, by cycle and name.
func offered(in root: URL) throws -> [String: [String: String]] { try offered(in: FolderStore(root: root)) }

extension PublishedCatalogue {
  static func read(from store: any ObjectStore) throws -> PublishedCatalogue {
    try PublishedCatalogue(CatalogueBytes.read(from: store))
  }
}

/// Throws if a file that the catalogue names is absent or damaged.
func offered(in store: any WritableObjectStore) throws -> [String: [String: String]] {
  let catalogue = try PublishedCatalogue.read(from: store).catalogue
  for entry in catalogue.entries { _ = try data(entry.manifest, in: store) }
  var offer: [String: [String: String]] = [:]
  for product in catalogue.products {
    for file in product.files {
      let reference = FileReference(path: file.path, sha256: file.sha256, bytes: file.bytes)
      let words = try data(reference, in: store)
      offer[product.cycle.identifier, default: [:]][product.name] = String(decoding: words, as: UTF8.self)
    }
  }
  return offer
}

private func data(_ file: FileReference, in store: any WritableObjectStore) throws -> Data {
  let data = try data(file.path, in: store)
  guard try SHA256Hex(of: Array(data)) == file.sha256 else { throw CocoaError(.fileReadCorruptFile) }
  return data
}

private func data(_ key: String, in store: any WritableObjectStore) throws -> Data {
  guard let object = try store.read(key) else { throw CocoaError(.fileNoSuchFile) }
  return object.data
}
