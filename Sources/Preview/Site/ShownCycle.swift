internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import TileArchive

/// A cycle as the page knows it: what there is to be looked at, and what is wrong with it.
struct ShownCycle: Sendable {
  let cycle: AiracCycle
  let charts: [ShownChart]
  let database: ShownFile?
  let missing: [String]
  let held: [SiteAnswer.Held]
  /// Why there is nothing of a cycle that is there.
  var trouble: String?

  init(
    _ cycle: AiracCycle, _ products: [PlacedProduct], missing: [String] = [], held: [SiteAnswer.Held] = [],
    trouble: String? = nil
  ) {
    self.held = held
    self.cycle = cycle
    self.missing = missing
    self.trouble = trouble
    charts = products.filter { $0.product.kind == .chart }.compactMap(ShownChart.init)
    database = products.first { $0.product.hasAirports }
      .flatMap { ShownFile($0, role: "database") }
  }
}

/// A product's description, and the folder from which it names its files.
struct PlacedProduct: Sendable {
  let product: Product
  let folder: URL
}

/// A file that the page shows something of.
struct ShownFile: Sendable {
  let product: Product
  let url: URL
  let sha256: String
  /// Why it cannot be shown, such as that it is gone.
  let trouble: String?

  init?(_ placed: PlacedProduct, role: String) {
    guard let file = placed.product.files.first(where: { $0.role == role }) else { return nil }
    product = placed.product
    sha256 = file.sha256.text
    let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = !parts.contains("..") && parts.first != ""
    url = placed.folder.appending(path: isInside ? file.path : "")
    let size =
      try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? Int
    trouble =
      if !isInside {
        "Its description names a file outside of its folder: \(file.path)"
      } else if size == nil {
        "Its file is missing: \(file.path)"
      } else if size != file.bytes {
        "Its file has \(Counts.of(size ?? 0, "byte")) and should have \(Counts.grouped(file.bytes)): \(file.path)"
      } else {
        nil
      }
  }
}

/// A chart, with the line along which it was cut.
struct ShownChart: Sendable {
  let file: ShownFile
  /// Rings of longitudes and latitudes.
  let outline: [[[Double]]]
  let trouble: String?

  init?(_ placed: PlacedProduct) {
    guard let file = ShownFile(placed, role: "tiles") else { return nil }
    self.file = file
    do {
      outline = file.trouble == nil ? try ShownChart.outline(in: file.url) : []
      trouble = file.trouble
    } catch {
      outline = []
      trouble = (error as? UserError)?.reason ?? "\(error)"
    }
  }

  private static func outline(in archive: URL) throws -> [[[Double]]] {
    let metadata = try MBTilesReader(opening: archive).metadata()
    return Neatline.rings(metadata["chartpipe:neatline"] ?? "")
  }
}
