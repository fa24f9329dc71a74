import Core
import Foundation
import HTTPIO
import Synchronization
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// A server with the zips of cycle 2612's edition at the FAA's paths, and a work folder to fetch them into.
struct ServedCharts {
  static let folder = "/visual/10-29-2026/sectional-files"

  let served = TemporaryFolder()
  let own = TemporaryFolder()
  let server: TestServer
  let names: [String]
  var now = "2026-11-27"
  var jobs = 4
  var isLocked = false
  var check: @Sendable (SourceFile, String) throws -> Void = { _, _ in }

  init(_ names: [String] = ["Denver.zip"], bytes: Int = 20_000, ignoresCase: Bool = false) throws {
    self.names = names
    server = try TestServer(serving: served.url, ignoresCase: ignoresCase)
    for (number, name) in names.enumerated() { try put(name, seed: UInt8(number), bytes: bytes) }
  }

  var work: URL { own.file("2612") }
  var cache: SourceCache { SourceCache(own.file("cache")) }

  func path(_ name: String) -> String { "\(Self.folder)/\(name)" }
  func servedFile(_ name: String) -> URL { served.file(String(path(name).dropFirst())) }

  /// Bytes that do not compress, so that the archive is as long as its member.
  func put(_ name: String, seed: UInt8, bytes: Int = 20_000, at file: URL? = nil) throws {
    let file = file ?? servedFile(name)
    try file.deletingLastPathComponent().makeFolder()
    var zip = ZipWriter()
    zip.members = [("chart.tif", SteadyNumbers.bytes(bytes, seed: Int(seed)))]
    try zip.write(to: file.path)
  }

  func items(url: String? = nil) throws -> [any PipelineItem] {
    let charts = names.enumerated().map {
      "{ id: \"C\($0)\", name: \"C\($0)\", zip: \"\($1)\", tif: \"C\($0).tif\" }"
    }
    let url = url ?? "\(server.url)/visual/{mm-dd-yyyy}/sectional-files/{name}"
    let text = """
      { kind: "charts", name: "sectional", title: "T", cadence: "56-day", attribution: "A", url: "\(url)",
        tiles: { minZoom: 6, maxZoom: 12 }, charts: [\(charts.joined(separator: ","))] }
      """
    let file = own.file("sectional.json5")
    try file.put(text)
    return try PipelineLibrary.read(file).items
  }

  func request(_ origin: SourceOrigin = .publisher, items: [any PipelineItem]? = nil) throws -> FetchRequest {
    let cycle: AiracCycle = "2612"
    let requirements = SourceRequirement.all(of: try items ?? self.items(), for: cycle).map {
      SourceRequirement(alternatives: $0.alternatives, products: $0.products, check: check)
    }
    var request = try FetchRequest(
      requirements: requirements, cycle: cycle, origin: origin, folder: work, cache: cache, jobs: jobs,
      isLocked: isLocked, now: #require(Instant(now)))
    request.timeouts = HTTPTimeouts(connectSeconds: 2, stallSeconds: 1)
    request.retry.firstPause = .milliseconds(1)
    return request
  }

  func fetch(
    _ origin: SourceOrigin = .publisher, items: [any PipelineItem]? = nil,
    progress: any ProgressReporter = SilentProgress()
  ) throws -> [FetchedSource] { try SourceFetcher(request(origin, items: items), progress: progress).fetch() }

  func list(_ origin: SourceOrigin = .publisher) throws -> [FetchedSource] {
    try SourceFetcher(request(origin), progress: SilentProgress()).list()
  }

  func lock() throws -> SourceLock { try SourceLock(in: work, cycle: "2612") }

  /// Whether the file in the work folder equals the served file.
  func isWhole(_ name: String = "Denver.zip") -> Bool {
    (try? work.appending(path: name).data == servedFile(name).data) ?? false
  }
}

/// Collects values from several threads, in the order of their arrival.
final class Collector<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// Runs an action once, at the first progress event.
final class AtFirstBytes: ProgressReporter {
  private let done = Collector<Bool>()
  private let act: @Sendable () -> Void

  init(_ act: @escaping @Sendable () -> Void) { self.act = act }

  func report(_ event: ProgressEvent) {
    guard case .advanced = event, done.all.isEmpty else { return }
    done.add(true)
    act()
  }
}
