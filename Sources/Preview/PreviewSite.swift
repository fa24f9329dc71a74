internal import Core
internal import CryptoIO
internal import Foundation

/// The catalogue of a staged site, or of a build folder before it is staged, and the files that it names.
struct PreviewSite: Sendable {
  let catalogue: Catalog
  /// Of the catalogue's files, for the page.
  let problems: [String]
  /// The neatlines of the archives that the map shows, by path.
  let archives: [String: PreviewCatalogue.Archive]
  /// The files that the server sends, by their paths in the site.
  private let files: [String: PreviewFile]
  /// The list of snapshots and the files that it names.
  private var liveFiles: [String: PreviewFile] = [:]
  private let root: URL
  static let liveCatalogue = "live.json"

  init(_ root: URL) throws {
    guard root.kindOnDisk == .folder else {
      throw PreviewSite.userError(
        root, root.missingFolderReason, "Name the folder of a site, such as work/site.")
    }
    let isSite = FileManager.default.fileExists(atPath: SiteFolder(root: root).catalogue.path)
    catalogue = try isSite ? PreviewSite.staged(root) : PreviewSite.built(root)
    var (files, archives, problems) = (
      [String: PreviewFile](), [String: PreviewCatalogue.Archive](), [String]()
    )
    for name in Catalog.rootCopies { files[name] = PreviewFile(page: name, in: root) }
    for product in catalogue.products {
      for file in product.allFiles where files[file.path] == nil {
        let served = PreviewFile(file, of: product, in: root)
        files[file.path] = served
        if !file.isEvidence, let problem = served.problem { problems.append("\(product.name): \(problem)") }
      }
      guard let file = product.files.first(where: { $0.role == .pmtiles }) ?? product.archive,
        archives[file.path] == nil, let served = files[file.path], served.problem == nil
      else { continue }
      do {
        archives[file.path] = .init(neatline: try served.neatline())
      } catch {
        problems.append("\(product.name): \((error as? UserError)?.reason ?? error.fileErrorReason)")
      }
    }
    if !catalogue.products.contains(where: { $0.format == "vectortiles" }) {
      problems.append("No product has vector tiles, so the map has no airports and no airspace.")
    }
    (self.files, self.archives, self.problems, self.root) = (files, archives, problems, root)
    readLive()
  }

  /// Reads `live.json` again, which changes while the page is open.
  mutating func readLive() {
    let list = PreviewFile(page: PreviewSite.liveCatalogue, in: root)
    guard let data = try? Data(contentsOf: list.url) else { return liveFiles = [:] }
    liveFiles = [PreviewSite.liveCatalogue: list]
    for product in (try? JSONDecoder().decode(Catalog.self, from: data))?.products ?? [] {
      for file in product.allFiles where FileReference(file).problem == nil {
        liveFiles[file.path] = PreviewFile(file, of: product, in: root)
      }
    }
  }

  /// Returns nil for a path that is not one of the site's files.
  func file(_ path: String) -> PreviewFile? { files[path] ?? liveFiles[path] }

  private static func staged(_ root: URL) throws -> Catalog {
    try UserError.wrapping(
      "opening the site", root.path, "its catalog.json cannot be read", suggestion: "Stage the cycle again."
    ) { try JSONDecoder().decode(Catalog.self, from: Data(contentsOf: SiteFolder(root: root).catalogue)) }
  }

  /// The products of a build folder, with the paths of their files from the folder.
  private static func built(_ root: URL) throws -> Catalog {
    let descriptions = (FileManager.default.subpaths(atPath: root.path) ?? []).sorted()
      .filter { $0.hasSuffix(ProductScan.descriptionSuffix) }
    let products = descriptions.compactMap { path -> Product? in
      guard var product = try? Product(describedBy: root.appending(path: path)) else { return nil }
      // The catalogue of a site lists evidence apart, by the paths of blobs.
      product.files.removeAll(where: \.isEvidence)
      let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
      for index in product.files.indices where folder.hasSuffix("/") {
        product.files[index].path = folder + product.files[index].path
      }
      return product
    }
    guard !products.isEmpty else {
      throw userError(
        root, "it has no catalog.json and no products",
        "Name a site, such as work/site, or a build folder, such as work/build/2304.")
    }
    let none = FileReference(path: "", sha256: try SHA256Hex(of: []), bytes: 0)
    var cycles = Set(products.map(\.cycle)).sorted().map { cycle in
      CycleEntry(id: cycle, effective: cycle.effective, expires: cycle.expires, manifest: none)
    }
    // The last three in any roles, since the page decides by the dates.
    let (last, middle, first) = (cycles.popLast(), cycles.popLast(), cycles.popLast())
    return Catalog(
      serial: 0, previous: first, current: middle, next: last,
      products: products.byCycle.map(\.inCatalogue))
  }

  private static func userError(_ root: URL, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "opening the site", path: root.path, reason: problem, suggestion: remedy)
  }
}

/// `catalog.json` as the server sends it: the site's, with the key `preview`.
struct PreviewCatalogue: Encodable {
  struct Archive: Encodable, Sendable {
    /// Rings of longitudes and latitudes.
    let neatline: [[[Double]]]
  }

  private struct Preview: Encodable {
    /// The cycle that the page shows first.
    let start: AiracCycle?
    let problems: [String]
    /// What the map can show, by path.
    let archives: [String: Archive]
  }

  private enum CodingKeys: CodingKey { case preview }

  private let catalogue: Catalog
  private let preview: Preview

  init(_ site: PreviewSite, start: AiracCycle?) {
    catalogue = site.catalogue
    preview = Preview(
      start: start ?? catalogue.entries.last?.id, problems: site.problems, archives: site.archives)
  }

  func encode(to encoder: any Encoder) throws {
    try catalogue.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(preview, forKey: .preview)
  }
}

/// A file that the server sends.
struct PreviewFile: Sendable {
  let url: URL
  let mediaType: String
  /// The type of its tiles.
  let tileType: String
  private let path: String
  private let bytes: Int?

  init(_ file: Product.File, of product: Product, in root: URL) {
    (path, bytes, mediaType) = (file.path, file.bytes, file.mediaType)
    url = root.appending(path: file.path)
    tileType =
      product.format == "vectortiles" ? "application/vnd.mapbox-vector-tile" : "image/\(product.format)"
  }

  /// - Parameter name: of a page at the root of a site.
  init(page name: String, in root: URL) {
    (path, bytes, tileType) = (name, nil, "")
    url = root.appending(path: name)
    mediaType = name.hasSuffix(".json") ? "application/json" : "application/xml"
  }

  /// The size of the file; nil if it is missing.
  var size: Int? { url.byteCount }

  /// Why it cannot be sent, such as a missing file.
  var problem: String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(".."), !parts.contains("") else {
      return "its description names a file outside of its folder: \(path)"
    }
    guard let size else { return "its file is missing: \(path)" }
    guard let bytes, size != bytes else { return nil }
    return "its file has \(Counts.of(size, "byte")) and should have \(Counts.grouped(bytes)): \(path)"
  }

  /// Reads the neatline from the metadata of an archive, rounded to some ten metres; empty where it is not valid.
  func neatline() throws -> [[[Double]]] {
    let geoJSON = try ArchiveKind.open(url).metadata()["chartpipe:neatline"] ?? ""
    return (GeoJSONPolygons(text: geoJSON)?.polygons ?? []).joined().map { ring in
      ring.map { place in place.prefix(2).map { ($0 * 10_000).rounded() / 10_000 } }
    }
  }
}
