internal import Core
public import Foundation
internal import Synchronization

/// Serves a staged site or a build folder as a map for browsers. It writes nothing.
public final class PreviewServer: Sendable {
  private let server: PageServer
  private let host: ListenAddress
  private let site: LoadedSite
  private let start: String?

  /// - Parameters:
  ///   - start: the cycle that the page shows first; nil for the latest.
  ///   - host: where to listen. By default only this machine reaches it.
  ///   - port: 0 for any free port.
  public init(site: URL, start: String?, host: ListenAddress = .loopback, port: Int) throws {
    let loaded = try LoadedSite(site)
    let held = loaded.current.cycles.map(\.cycle.identifier)
    guard start.map(held.contains) ?? true else {
      throw UserError(
        .badCall, operation: "opening the site", path: site.path, reason: "it has no cycle \(start ?? "")",
        suggestion: held.isEmpty ? "It has none." : "It has \(held.joined(separator: ", ")).")
    }
    self.site = loaded
    self.start = start
    self.host = host
    server = try PageServer(on: host, port: port)
  }

  /// The addresses to open in a browser.
  public var addresses: [String] { host.reachable.map { "http://\($0.urlHost):\(server.port)/" } }

  /// Answers until `stop` is called.
  public func serve() {
    server.serve { [site, start] in
      let responder = SiteResponder(site, start: start)
      return responder.answer
    }
  }

  public func stop() { server.stop() }
}

/// Answers the requests of one connection, with its own open files.
final class SiteResponder {
  private let site: LoadedSite
  private let start: String?
  private var archives = OpenFiles<any TileSource>(limit: 32)
  private var databases = OpenFiles<AviationQueries>(limit: 4)

  init(_ site: LoadedSite, start: String?) {
    self.site = site
    self.start = start
  }

  func answer(_ request: Request) -> Response {
    do {
      return try answer(try Route(request.target))
    } catch let error as RequestError {
      return Response(error)
    } catch {
      return Response(RequestError(.failed, (error as? UserError)?.message ?? error.fileErrorReason))
    }
  }

  private func answer(_ route: Route) throws -> Response {
    switch route {
    case .page(let file): Response(file.bytes, type: file.type, tag: PageFile.tag(of: file.bytes))
    case .module(let module):
      Response(module.bytes, type: PageFile.scriptType, tag: PageFile.tag(of: module.bytes))
    case .site: Response(json: try siteJSON())
    case .tile(let cycle, let product, let tile): try answer(tile, of: product, in: cycle)
    case .airports(let cycle, let view, let runways):
      Response(json: try database(cycle).airports(view, runways: runways))
    case .dots(let cycle): Response(json: try database(cycle).dots())
    case .airport(let cycle, let icao): Response(json: try airport(icao, in: cycle))
    case .airspace(let cycle, let view, let classes):
      Response(json: try database(cycle).airspace(view, classes))
    case .search(let cycle, let words): Response(json: try database(cycle).search(words))
    }
  }

  private func siteJSON() throws -> String {
    let cycles = try site.reload().cycles
    let description = SiteDescription(start: start ?? cycles.last?.id, cycles: cycles)
    return String(decoding: try CanonicalJSON.line(description), as: UTF8.self)
  }

  /// A missing tile is not an error: a chart has no tiles outside its neatline.
  private func answer(_ tile: TileID, of product: String, in cycle: String) throws -> Response {
    guard let file = site.current.cycle(cycle)?.charts.map(\.file).first(where: { $0.product.id == product })
    else { throw RequestError(.notFound, "cycle \(cycle) has no chart \(product)") }
    if let problem = file.problem { throw RequestError(.failed, problem) }
    let reader = try archives.open(file.url) { try ArchiveKind.open($0) }
    guard let bytes = try reader.tile(tile) else { return Response(.noContent) }
    return Response(
      bytes, type: file.product.format == "webp" ? "image/webp" : "image/png", tag: "\(file.sha256)/\(tile)")
  }

  private func airport(_ icao: String, in cycle: String) throws -> String {
    guard let airport = try database(cycle).airport(icao) else {
      throw RequestError(.notFound, "cycle \(cycle) has no airport \(icao)")
    }
    return airport
  }

  private func database(_ cycle: String) throws -> AviationQueries {
    guard let file = site.current.cycle(cycle)?.database?.file else {
      throw RequestError(.notFound, "cycle \(cycle) has no database")
    }
    if let problem = file.problem { throw RequestError(.failed, problem) }
    return try databases.open(file.url) { try AviationQueries(opening: $0.path) }
  }
}

@available(*, unavailable)
extension SiteResponder: Sendable {}

/// A cache of open readers by file. All are closed when the limit is reached.
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

/// The site at the last load of the page, shared by all threads.
final class LoadedSite: Sendable {
  private let root: URL
  private let site: Mutex<PreviewSite>

  init(_ root: URL) throws {
    self.root = root
    site = Mutex(try PreviewSite(root))
  }

  var current: PreviewSite { site.withLock { $0 } }

  /// Reads the folder again, since it may have been staged again.
  func reload() throws -> PreviewSite {
    let fresh = try PreviewSite(root)
    site.withLock { $0 = fresh }
    return fresh
  }
}
