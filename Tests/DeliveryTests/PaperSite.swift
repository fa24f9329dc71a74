import Airac
import CryptoIO
import Foundation
import Geo
import Pipeline

@testable import Delivery

/// A staged site whose files are a few words each: for what does not ask what a product is.
struct PaperSite {
  let root: URL

  /// - Parameter cycles: by their identifiers, the products' names and what their files say.
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
        cycle: cycle, products: made, missing: [],
        validation: .init(ok: ok, tool: ToolVersion.tool, version: version, findings: []))
    }
    for manifest in manifests {
      try write(CanonicalJSON.pretty(manifest), "cycles/\(manifest.cycle)/manifest.json")
      try write(
        Data("report of \(cycles[manifest.cycle] ?? [:])".utf8), "cycles/\(manifest.cycle)/report.html")
    }
    for (path, data) in extra { try write(data, path) }
    let catalogue = Catalog(serial: serial, previous: nil, current: nil, next: nil, products: [])
    try write(CanonicalJSON.pretty(catalogue), "catalog.json")
  }

  private func product(_ name: String, _ words: String, _ cycle: AiracCycle) throws -> Product {
    let data = Data(words.utf8)
    let sha256 = try SHA256Hex(of: Array(data))
    let path = BlobStore.path(sha256, extension: "mbtiles")
    try write(data, path)
    return Product(
      id: "paper/\(name)", kind: .chart, name: name, cycle: cycle.identifier,
      edition: cycle.effectiveDay.description, effectiveDate: cycle.effective.description,
      expirationDate: cycle.expires(.every28Days).description,
      boundingBox: GeoBox(west: -122, south: 37, east: -121, north: 38), minZoom: 1, maxZoom: 2,
      format: "png",
      files: [
        .init(
          path: path, sha256: sha256, bytes: data.count, mediaType: "application/vnd.sqlite3", role: "tiles")
      ],
      sources: [],
      build: .init(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: [:], definitionSha256: sha256,
        counts: [:]))
  }

  private func write(_ data: Data, _ path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }
}

/// What is published, seen by its names: the words of each product's file, by cycle.
func offered(in root: URL) throws -> [String: [String: String]] {
  let data = try Data(contentsOf: root.appending(path: "catalog.json"))
  let catalogue = try JSONDecoder().decode(Catalog.self, from: data)
  var offer: [String: [String: String]] = [:]
  for product in catalogue.products {
    for file in product.files {
      let words = try Data(contentsOf: root.appending(path: file.path))
      guard try SHA256Hex(of: Array(words)) == file.sha256 else { throw CocoaError(.fileReadCorruptFile) }
      offer[product.cycle, default: [:]][product.name] = String(decoding: words, as: UTF8.self)
    }
  }
  for entry in catalogue.entries {
    let manifest = try Data(contentsOf: root.appending(path: entry.manifest.path))
    guard try SHA256Hex(of: Array(manifest)) == entry.manifest.sha256 else {
      throw CocoaError(.fileReadCorruptFile)
    }
  }
  return offer
}
