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

  /// Answers until the current token is cancelled.
  public func serve() {
    server.serve { [site, start] in
      let responder = SiteResponder(site, start: start)
      return responder.answer
    }
  }
}

/// Answers the requests of one connection, with its own open files.
final class SiteResponder {
  private let site: LoadedSite
  private let start: AiracCycle?
  /// Open archives by file. All are closed when the limit is reached.
  private var archives: [URL: any TileSource] = [:]
  private static let archiveLimit = 32

  init(_ site: LoadedSite, start: AiracCycle?) {
    self.site = site
    self.start = start
  }

  func answer(_ request: Request) -> Response {
    do {
      return try answer(request.path, request)
    } catch let error as RequestError {
      return Response(error)
    } catch {
      return Response(RequestError(.failed, (error as? UserError)?.message ?? error.fileErrorReason))
    }
  }

  /// The addresses of the server. No part of an address becomes a path of the file system: only the site's files have an answer.
  private func answer(_ path: [String], _ request: Request) throws -> Response {
    switch path {
    case [""], ["index.html"]: return try Response.sitePage()
    case ["catalog.json"]: return Response(try catalogue(), type: "application/json")
    case [PreviewSite.liveCatalogue]:
      site.readLive()
      return try Response(try file(PreviewSite.liveCatalogue), request)
    default:
      // The path of an archive in the catalogue, and a tile of it.
      if path.count >= 5, path[0] == "tiles", let tile = TileID(path.suffix(3)) {
        return try answer(tile, of: path[1..<path.count - 3].joined(separator: "/"))
      }
      return try Response(try file(path.joined(separator: "/")), request)
    }
  }

  private func catalogue() throws -> [UInt8] {
    [UInt8](try CanonicalJSON.line(PreviewCatalogue(try site.reload(), start: start)))
  }

  /// A missing tile is not an error: a chart has no tiles outside its neatline.
  private func answer(_ tile: TileID, of path: String) throws -> Response {
    let file = try file(path)
    if archives.count >= SiteResponder.archiveLimit, archives[file.url] == nil { archives = [:] }
    let reader = try archives[file.url] ?? ArchiveKind.open(file.url)
    archives[file.url] = reader
    guard let bytes = try reader.tile(tile) else { return Response(.noContent) }
    var response = Response(bytes, type: file.tileType)
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

/// The site at the last load of the page, shared by all threads.
final class LoadedSite: Sendable {
  private let root: URL
  private let site: Mutex<PreviewSite>

  init(_ root: URL) throws {
    self.root = root
    site = Mutex(try PreviewSite(root))
  }

  var current: PreviewSite { site.withLock { $0 } }

  func readLive() { site.withLock { $0.readLive() } }

  /// Reads the folder again, since it may have been staged again.
  func reload() throws -> PreviewSite {
    let fresh = try PreviewSite(root)
    site.withLock { $0 = fresh }
    return fresh
  }
}

extension TileID {
  /// Parses zoom, column and row; nil where they are not a tile.
  init?(_ texts: ArraySlice<String>) {
    let numbers = texts.compactMap { text in text.utf8.count <= 9 ? Int(text) : nil }
    guard numbers.count == 3, (0...24).contains(numbers[0]) else { return nil }
    let side = 0..<(1 << numbers[0])
    guard side.contains(numbers[1]), side.contains(numbers[2]) else { return nil }
    self.init(zoom: numbers[0], column: numbers[1], row: numbers[2])
  }
}
