import Core
import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Validation

/// A product's description beside its archive, in which everything is right.
struct ProductFixture {
  let archive: ArchiveFixture
  var file: URL { archive.folder.file("Bay.product.json") }

  init() throws {
    archive = try ArchiveFixture()
    try write(try ProductFixture.product(of: archive.file))
  }

  /// Cycle 2612 lies in the middle of the charts' 56 days, which began with 2611.
  static func product(of file: URL) throws -> Product {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    let hash = try SHA256Hex(ofFile: file)
    return Product(
      id: "test/Bay", kind: .chart, name: "Bay", cycle: "2612", edition: "2026-10-29",
      effectiveDate: ArchiveFixture.effective, expirationDate: ArchiveFixture.expires,
      boundingBox: ArchiveFixture.box, minZoom: 9, maxZoom: 11, format: "png",
      files: [
        Product.File(
          path: file.lastPathComponent, sha256: hash, bytes: size ?? 0,
          mediaType: "application/vnd.sqlite3", role: "tiles")
      ],
      sources: [],
      build: Product.Build(
        tool: "chartpipe", version: "0", libraries: [:], definitionSha256: hash, counts: [:]))
  }

  func write(_ product: Product) throws { try CanonicalJSON.pretty(product).write(to: file) }

  func change(_ body: (inout Product) -> Void) throws {
    var product = try ProductFixture.product(of: archive.file)
    body(&product)
    try write(product)
  }

  func findings() throws -> [Finding] {
    try Validator().validate([file], progress: SilentProgress()).findings
  }

  /// Without those about the sheet, which the fixture does not have.
  func findingsBesidesSheet() throws -> [Finding] {
    try findings().filter { $0.rule != "sheet-evidence" }
  }
}
