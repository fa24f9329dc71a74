internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Site
internal import TileArchive

/// What lies in a staged site, or in a build folder before it is staged. A cycle that cannot be read is told of in its place:
/// whoever looks at a site wants to see the others nevertheless.
struct ShownSite: Sendable {
  /// The oldest first.
  let cycles: [ShownCycle]

  init(_ root: URL) throws {
    guard root.kindOnDisk == .folder else {
      throw ShownSite.fault(root, "there is no such folder", "Name the folder of a site, such as work/site.")
    }
    let isSite = FileManager.default.fileExists(atPath: root.appending(path: "catalog.json").path)
    cycles = (isSite ? try ShownSite.staged(root) : try ShownSite.built(root)).sorted { $0.cycle < $1.cycle }
  }

  func cycle(_ identifier: String) -> ShownCycle? { cycles.first { $0.cycle.identifier == identifier } }

  private static func staged(_ root: URL) throws -> [ShownCycle] {
    let folder = root.appending(path: "cycles")
    return names(in: folder).compactMap(AiracCycle.init(identifier:)).map { cycle in
      let file = folder.appending(path: "\(cycle.identifier)/manifest.json")
      guard let manifest: Manifest = read(file) else {
        return ShownCycle(cycle, [], trouble: "The manifest of cycle \(cycle.identifier) cannot be read.")
      }
      // An earlier edition that stays in place of a newer one is shown with its own dates.
      let products = (manifest.products + (manifest.kept ?? [])).map {
        PlacedProduct(product: $0, folder: root)
      }
      return ShownCycle(
        cycle, products.sorted { $0.product.id < $1.product.id }, missing: manifest.missing,
        held: (manifest.held ?? []).map { SiteAnswer.Held(id: $0.id, why: $0.rule ?? $0.message) })
    }
  }

  private static func built(_ root: URL) throws -> [ShownCycle] {
    let suffix = ".product.json"
    let products = (FileManager.default.subpaths(atPath: root.path) ?? []).filter { $0.hasSuffix(suffix) }
      .sorted().compactMap { path -> PlacedProduct? in
        let file = root.appending(path: path)
        let product: Product? = read(file)
        return product.map { PlacedProduct(product: $0, folder: file.deletingLastPathComponent()) }
      }
    guard !products.isEmpty else {
      throw fault(
        root, "it holds no catalog.json, and nothing that was built",
        "Name a site, such as work/site, or a build folder, such as work/build/2304.")
    }
    return Dictionary(grouping: products, by: \.product.cycle).compactMap { identifier, products in
      AiracCycle(identifier: identifier).map { ShownCycle($0, products) }
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private static func read<Value: Decodable>(_ file: URL) -> Value? {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }

  private static func fault(_ root: URL, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "opening the site", path: root.path, reason: problem, suggestion: remedy)
  }
}

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

/// The cut of a chart, as it stands in the archive's metadata.
enum Neatline {
  /// To some ten metres, which is finer than anybody sees; none where there is no sound shape.
  static func rings(_ geoJSON: String) -> [[[Double]]] {
    (GeoJSONPolygons(text: geoJSON)?.polygons ?? []).joined().map { ring in
      ring.map { place in place.prefix(2).map { ($0 * 10_000).rounded() / 10_000 } }
    }
  }
}
