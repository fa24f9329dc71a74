internal import Core
public import Foundation
internal import Pipeline

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
