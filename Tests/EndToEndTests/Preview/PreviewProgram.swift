import Foundation
import TestSupport
import Testing

/// `chartpipe preview` while it runs.
struct PreviewProgram {
  /// Where CI is set, what is missing for a test is a failure.
  static let mustRun = ProcessInfo.processInfo.environment["CI"] != nil
  static let hasLeaflet =
    mustRun
    || ["/usr/share/javascript", "/usr/share/nodejs"].contains {
      FileManager.default.fileExists(atPath: "\($0)/leaflet")
    }

  let running: RunningProgram
  let address: String

  init(_ site: URL, _ options: [String] = []) async throws {
    running = try RunningProgram(Program().url, ["preview", site.path] + options)
    address = try #require(try await running.line(with: "http://"))
  }

  func get(_ path: String) throws -> (status: Int, body: Data) {
    let port = try #require(URL(string: address)?.port)
    return try LoopbackCaller.fetch("/\(path)", port: port)
  }

  func object(_ path: String) throws -> [String: Any] {
    let (status, body) = try get(path)
    try #require(status == 200, "\(path): \(String(decoding: body, as: UTF8.self))")
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any], "\(path)")
  }
}
