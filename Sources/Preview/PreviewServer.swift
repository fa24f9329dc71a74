public import Core
public import Foundation
internal import Synchronization

/// Serves the page and the files of a staged site or a build folder to browsers. It writes nothing.
public final class PreviewServer: Sendable {
  private let server: PageServer
  private let host: ListenAddress
  private let site: LoadedSite
  private let start: AiracCycle?

  /// - Parameters:
  ///   - start: the cycle that the page shows first; nil for the latest.
  ///   - host: where to listen. By default only this machine reaches it.
  ///   - port: 0 for any free port.
  public init(site: URL, start: AiracCycle?, host: ListenAddress = .loopback, port: Int) throws {
    let loaded = try LoadedSite(site)
    let held = loaded.current.catalogue.entries.map(\.id)
    guard start.map(held.contains) ?? true else {
      throw UserError(
        .badCall, operation: "opening the site", path: site.path,
        reason: "it has no cycle \(start?.identifier ?? "")",
        suggestion: held.isEmpty
          ? "It has none." : "It has \(held.map(\.identifier).joined(separator: ", ")).")
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
  private let start: AiracCycle?
  private var archives = OpenFiles<any TileSource>(limit: 32)

  init(_ site: LoadedSite, start: AiracCycle?) {
    self.site = site
    self.start = start
  }

  func answer(_ request: Request) -> Response {
    do {
      return switch Route(request.target) {
      case .page: try Response.sitePage()
      case .catalogue: Response(try catalogue(), type: "application/json")
      case .tile(let archive, let tile): try answer(tile, of: archive)
      case .file(let path): try Response(try file(path), request)
      }
    } catch let error as RequestError {
      return Response(error)
    } catch {
      return Response(RequestError(.failed, (error as? UserError)?.message ?? error.fileErrorReason))
    }
  }

  private func catalogue() throws -> [UInt8] {
    [UInt8](try CanonicalJSON.line(PreviewCatalogue(try site.reload(), start: start)))
  }

  /// A missing tile is not an error: a chart has no tiles outside its neatline.
  private func answer(_ tile: TileID, of path: String) throws -> Response {
    let file = try file(path)
    let reader = try archives.open(file.url) { try ArchiveKind.open($0) }
    guard let bytes = try reader.tile(tile) else { return Response(.noContent) }
    var response = Response(bytes, type: file.tileType, tag: file.sha256.map { "\($0)/\(tile)" })
    response.isGzip = bytes.starts(with: [0x1F, 0x8B])
    return response
  }

  private func file(_ path: String) throws -> PreviewFile {
    guard let file = site.current.file(path) else {
      throw RequestError(.notFound, "there is no such address")
    }
    if let problem = file.problem { throw RequestError(.failed, problem) }
    return file
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
