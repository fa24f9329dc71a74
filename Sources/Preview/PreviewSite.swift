internal import Core
internal import CryptoIO
internal import Foundation

/// The cycles of a staged site, or of a build folder before it is staged. A cycle that cannot be read has a problem in place of
/// its products, so that the others can be shown.
struct PreviewSite: Sendable {
  /// The oldest first.
  let cycles: [PreviewCycle]

  init(_ root: URL) throws {
    guard root.kindOnDisk == .folder else {
      throw PreviewSite.userError(
        root, root.missingFolderReason, "Name the folder of a site, such as work/site.")
    }
    let isSite = FileManager.default.fileExists(atPath: root.appending(path: "catalog.json").path)
    cycles = (isSite ? try PreviewSite.staged(root) : try PreviewSite.built(root)).sorted {
      $0.cycle < $1.cycle
    }
  }

  func cycle(_ identifier: String) -> PreviewCycle? { cycles.first { $0.cycle.identifier == identifier } }

  private static func staged(_ root: URL) throws -> [PreviewCycle] {
    let folder = root.appending(path: "cycles")
    return names(in: folder).compactMap(AiracCycle.init(identifier:)).map { cycle in
      let file = folder.appending(path: "\(cycle.identifier)/manifest.json")
      guard let manifest: Manifest = read(file) else {
        return PreviewCycle(cycle, [], problem: "The manifest of cycle \(cycle.identifier) cannot be read.")
      }
      // A kept earlier edition is shown with its own dates.
      let products = (manifest.products + (manifest.kept ?? [])).sorted { $0.id < $1.id }
      return PreviewCycle(
        cycle, products.map { ($0, root) }, missing: manifest.missing,
        held: (manifest.held ?? []).map { PreviewCycle.Held(id: $0.id, why: $0.rule ?? $0.message) })
    }
  }

  private static func built(_ root: URL) throws -> [PreviewCycle] {
    let suffix = ".product.json"
    let products = (FileManager.default.subpaths(atPath: root.path) ?? []).filter { $0.hasSuffix(suffix) }
      .sorted().compactMap { path -> PreviewCycle.PlacedProduct? in
        let file = root.appending(path: path)
        let product: Product? = read(file)
        return product.map { ($0, file.deletingLastPathComponent()) }
      }
    guard !products.isEmpty else {
      throw userError(
        root, "it has no catalog.json and no products",
        "Name a site, such as work/site, or a build folder, such as work/build/2304.")
    }
    return Dictionary(grouping: products, by: \.product.cycle).compactMap { identifier, products in
      AiracCycle(identifier: identifier).map { PreviewCycle($0, products) }
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  private static func read<Value: Decodable>(_ file: URL) -> Value? {
    (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
  }

  private static func userError(_ root: URL, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "opening the site", path: root.path, reason: problem, suggestion: remedy)
  }
}

/// `/site.json`: the cycles, charts and databases of the site.
struct SiteDescription: Encodable {
  /// The cycle that the page shows first.
  let start: String?
  let cycles: [PreviewCycle]
}

/// A cycle as the page shows it.
struct PreviewCycle: Encodable, Sendable {
  /// A product that is held back.
  struct Held: Encodable, Sendable {
    let id: String
    let why: String
  }

  /// A product and the folder that its paths are relative to.
  typealias PlacedProduct = (product: Product, folder: URL)

  let cycle: AiracCycle
  let id: String
  let effective: String
  let expires: String
  let charts: [PreviewChart]
  let database: PreviewDatabase?
  let missing: [String]
  let held: [Held]
  /// Why the cycle's products cannot be shown.
  let problem: String?

  private enum CodingKeys: CodingKey {
    case id, effective, expires, charts, database, missing, held, problem
  }

  init(
    _ cycle: AiracCycle, _ products: [PlacedProduct], missing: [String] = [], held: [Held] = [],
    problem: String? = nil
  ) {
    (self.cycle, self.missing, self.held, self.problem) = (cycle, missing, held, problem)
    id = cycle.identifier
    effective = cycle.effective.description
    expires = cycle.expires(.every28Days).description
    charts = products.filter { $0.product.kind == .chart }.compactMap {
      PreviewFile($0.product.archive, of: $0.product, in: $0.folder).map(PreviewChart.init)
    }
    database = products.first { $0.product.hasAirports }.flatMap {
      PreviewFile($0.product.files.first { $0.role == "database" }, of: $0.product, in: $0.folder)
        .map(PreviewDatabase.init)
    }
  }
}

/// A file that the page shows.
struct PreviewFile: Sendable {
  let product: Product
  let url: URL
  let sha256: String
  /// Why it cannot be shown, such as a missing file.
  let problem: String?

  init?(_ file: Product.File?, of product: Product, in folder: URL) {
    guard let file else { return nil }
    self.product = product
    sha256 = file.sha256.text
    let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
    let isInside = !parts.contains("..") && parts.first != ""
    url = folder.appending(path: isInside ? file.path : "")
    let size =
      try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? Int
    problem =
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

/// A chart with its neatline.
struct PreviewChart: Encodable, Sendable {
  let file: PreviewFile
  let id: String
  let name: String
  let edition: String
  let effective: String
  let expires: String
  /// Each west, south, east, north. A chart across 180 degrees has two.
  let boxes: [[Double]]
  let minZoom: Int
  let maxZoom: Int
  let tileSize: Int
  let format: String
  /// Rings of longitudes and latitudes.
  let outline: [[[Double]]]
  let problem: String?

  private enum CodingKeys: CodingKey {
    case id, name, edition, effective, expires, boxes, minZoom, maxZoom, tileSize, format, outline, problem
  }

  init(_ file: PreviewFile) {
    let product = file.product
    self.file = file
    (id, name, edition) = (product.id, product.name, product.edition)
    (effective, expires) = (product.effectiveDate, product.expirationDate)
    boxes = (product.boundingBoxes ?? [product.boundingBox].compactMap(\.self)).map(\.corners)
    (minZoom, maxZoom) = (product.minZoom ?? 0, product.maxZoom ?? 0)
    (tileSize, format) = (product.tileSize ?? 256, product.format)
    do {
      outline = file.problem == nil ? try PreviewChart.outline(in: file.url) : []
      problem = file.problem
    } catch {
      outline = []
      problem = (error as? UserError)?.reason ?? error.fileErrorReason
    }
  }

  /// Reads the neatline from the archive's metadata, rounded to some ten metres; empty where it is not valid.
  private static func outline(in archive: URL) throws -> [[[Double]]] {
    let geoJSON = try ArchiveKind.open(archive).metadata()["chartpipe:neatline"] ?? ""
    return (GeoJSONPolygons(text: geoJSON)?.polygons ?? []).joined().map { ring in
      ring.map { place in place.prefix(2).map { ($0 * 10_000).rounded() / 10_000 } }
    }
  }
}

/// A database with airports.
struct PreviewDatabase: Encodable, Sendable {
  let file: PreviewFile
  let id: String
  let name: String
  let edition: String
  let box: [Double]?
  let problem: String?

  private enum CodingKeys: CodingKey {
    case id, name, edition, box, problem
  }

  init(_ file: PreviewFile) {
    let product = file.product
    self.file = file
    (id, name, edition) = (product.id, product.name, product.edition)
    (box, problem) = (product.boundingBox?.corners, file.problem)
  }
}

extension GeoBox {
  fileprivate var corners: [Double] { [west, south, east, north] }
}
