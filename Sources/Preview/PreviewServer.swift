internal import Core
public import Foundation
internal import Pipeline
internal import Synchronization
internal import TileArchive

/// Shows a staged site, or a build folder, as a map in the browser of this machine. It writes nothing.
public final class PreviewServer: Sendable {
  private let server: LoopbackServer
  private let shelf: SiteShelf
  private let leaflet: LeafletFolder
  private let start: String?

  /// - Parameters:
  ///   - start: the cycle to begin with; nil for the latest.
  ///   - port: 0 for any that is free.
  public init(site: URL, start: String?, leaflet: LeafletFolder, port: Int) throws {
    shelf = try SiteShelf(site)
    let held = shelf.current.cycles.map(\.cycle.identifier)
    guard start.map(held.contains) ?? true else {
      throw UserError(
        .badCall, operation: "opening the site", path: site.path, reason: "it holds no cycle \(start ?? "")",
        suggestion: held.isEmpty ? "It holds none." : "It holds \(held.joined(separator: ", ")).")
    }
    self.start = start
    self.leaflet = leaflet
    server = try LoopbackServer(port: port)
  }

  public var address: String { "http://127.0.0.1:\(server.port)/" }

  /// Answers until `stop` is called.
  public func serve() {
    server.serve { [shelf, leaflet, start] in
      let answers = SiteAnswers(shelf, leaflet, start: start)
      return answers.answer
    }
  }

  public func stop() { server.stop() }
}

/// Answers requests for one connection, with files that it opens itself and keeps open.
final class SiteAnswers {
  private let shelf: SiteShelf
  private let leaflet: LeafletFolder
  private let start: String?
  private var archives = OpenFiles<MBTilesReader>(limit: 32)
  private var databases = OpenFiles<AviationQueries>(limit: 4)

  init(_ shelf: SiteShelf, _ leaflet: LeafletFolder, start: String?) {
    self.shelf = shelf
    self.leaflet = leaflet
    self.start = start
  }

  func answer(_ request: Request) -> Response {
    do {
      return try answer(try Route(request.target))
    } catch let refusal as Refusal {
      return Response(refusal)
    } catch {
      return Response(Refusal(.failed, (error as? UserError)?.message ?? "\(error)"))
    }
  }

  private func answer(_ route: Route) throws -> Response {
    switch route {
    case .page(let file): Response(file.bytes, type: file.type, tag: file.tag)
    case .leaflet(let file): Response(try leaflet.read(file), type: file.type)
    case .site: Response(json: try siteJSON())
    case .tile(let cycle, let product, let tile): try answer(tile, of: product, in: cycle)
    case .airports(let cycle, let view, let runways):
      Response(json: try database(cycle).airports(view, runways: runways))
    case .airport(let cycle, let icao): Response(json: try airport(icao, in: cycle))
    case .airspace(let cycle, let view, let classes):
      Response(json: try database(cycle).airspace(view, classes))
    case .search(let cycle, let words): Response(json: try database(cycle).search(words))
    }
  }

  private func siteJSON() throws -> String {
    String(decoding: try CanonicalJSON.line(SiteAnswer(try shelf.reload(), start: start)), as: UTF8.self)
  }

  /// A place without a tile is nothing wrong: a chart has no squares beyond its cut.
  private func answer(_ tile: TileID, of product: String, in cycle: String) throws -> Response {
    guard let file = shelf.current.cycle(cycle)?.charts.map(\.file).first(where: { $0.product.id == product })
    else { throw Refusal(.notFound, "cycle \(cycle) has no chart \(product)") }
    if let trouble = file.trouble { throw Refusal(.failed, trouble) }
    let reader = try archives.open(file.url) { try MBTilesReader(opening: $0) }
    guard let bytes = try reader.tile(tile) else { return Response(.noContent) }
    return Response(
      bytes, type: file.product.format == "webp" ? "image/webp" : "image/png", tag: "\(file.sha256)/\(tile)")
  }

  private func airport(_ icao: String, in cycle: String) throws -> String {
    guard let airport = try database(cycle).airport(icao) else {
      throw Refusal(.notFound, "cycle \(cycle) has no airport \(icao)")
    }
    return airport
  }

  private func database(_ cycle: String) throws -> AviationQueries {
    guard let file = shelf.current.cycle(cycle)?.database else {
      throw Refusal(.notFound, "cycle \(cycle) has no database")
    }
    if let trouble = file.trouble { throw Refusal(.failed, trouble) }
    return try databases.open(file.url) { try AviationQueries(opening: $0.path) }
  }
}

@available(*, unavailable)
extension SiteAnswers: Sendable {}

/// Readers by their files. When there are too many, all are closed: those that are still looked at come back at once.
struct OpenFiles<Reader> {
  private let limit: Int
  private var readers: [URL: Reader] = [:]

  init(limit: Int) { self.limit = limit }

  mutating func open(_ file: URL, _ make: (URL) throws -> Reader) throws -> Reader {
    if let reader = readers[file] { return reader }
    if readers.count >= limit { readers.removeAll() }
    let reader = try make(file)
    readers[file] = reader
    return reader
  }
}

/// The site as it was when the page was last loaded: all threads look at the same one.
final class SiteShelf: Sendable {
  private let root: URL
  private let site: Mutex<ShownSite>

  init(_ root: URL) throws {
    self.root = root
    site = Mutex(try ShownSite(root))
  }

  var current: ShownSite { site.withLock { $0 } }

  /// Looks again: since then it may have been staged anew.
  func reload() throws -> ShownSite {
    let fresh = try ShownSite(root)
    site.withLock { $0 = fresh }
    return fresh
  }
}
