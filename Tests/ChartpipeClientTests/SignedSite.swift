import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// A site that the program built from the samples, signed and published twice, and a server for a copy of it.
struct SignedSite {
  static let chart = "tiny/Tiny"
  static let database = "sample-nasr/aviation"
  /// In force in the samples' cycle.
  static let then = Date(timeIntervalSince1970: 1_682_900_000)

  let folder: TemporaryFolder
  let server: TestServer
  var site: URL { folder.file("site") }
  var state: URL { folder.file("catalog.state") }

  init() async throws {
    folder = try await SignedSite.published.value.copy()
    server = try TestServer(serving: folder.file("site"))
  }

  /// The second publication has more products, so the site also holds the signed catalogue that it replaced. `first` is the site
  /// after the first one.
  private static let published = Samples.shared {
    let folder = TemporaryFolder()
    try folder.add(Samples.smallCycle, to: "sources")
    for name in ["key", "other"] {
      let ending = try Program().run(["keygen", folder.file(name).path, "--quiet"])
      try #require(ending.status == 0, "\(ending.errors)")
    }
    let options = [
      "--cycle", "2304", "--from", folder.file("sources").path, "--work", folder.file("work").path, "--key",
      folder.file("key").path, "--publish", folder.file("site").path, "--quiet",
    ]
    for pipelines in [[Samples.tiny], [Samples.tiny, "sample-nasr"]] {
      let ending = try Program().run(["run"] + pipelines + options)
      try #require(ending.status == 0, "\(ending.errors)")
      if pipelines.count == 1 {
        try FileManager.default.copyItem(at: folder.file("site"), to: folder.file("first"))
      }
    }
    try folder.file("work").remove()
    return folder
  }

  func key(_ name: String = "key") throws -> PublicKey { try PublicKey(folder.file("\(name).pub").text) }

  /// The serials of the first and of the second publication.
  func serials() throws -> (first: Int, second: Int) {
    func serial(_ name: String) throws -> Int {
      try Catalog(json: folder.file("\(name)/catalog.json").data).serial
    }
    return (try serial("first"), try serial("site"))
  }

  var address: URL { get throws { try #require(URL(string: server.url)) } }

  func network(attempts: Int = 5, stallTimeout: Duration = .seconds(20)) -> NetworkOptions {
    var network = NetworkOptions()
    network.attempts = attempts
    network.retryDelay = .milliseconds(1)
    network.stallTimeout = stallTimeout
    // A busy machine may answer late.
    network.documentTimeout = .seconds(600)
    network.fileTimeout = .seconds(600)
    return network
  }

  func open(
    key name: String? = "key", attempts: Int = 5, stallTimeout: Duration = .seconds(20)
  ) async throws -> ChartpipeSite {
    try await ChartpipeSite.open(
      address, key: name.map { try key($0) }, state: state,
      network: network(attempts: attempts, stallTimeout: stallTimeout))
  }

  /// Replaces the served site by its first publication, as an attacker or a stale cache would.
  func rollBack() throws {
    try site.remove()
    try FileManager.default.copyItem(at: folder.file("first"), to: site)
  }

  func change(_ path: String, _ change: (inout Data) -> Void) throws {
    let file = site.appending(path: path)
    var data = try file.data
    change(&data)
    try file.remove()
    try data.write(to: file)
  }
}

extension ChartpipeSite {
  /// The archive of the chart.
  func tiles() throws -> Catalog.File {
    let product = try #require(catalog.offer(of: SignedSite.chart, at: SignedSite.then).inForce)
    return try #require(product.filesToGet().first { $0.role == .tiles })
  }
}

/// Expects an error of a kind with some words.
func expectError(
  _ code: ChartpipeError.Code, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () async throws -> Void
) async {
  do {
    try await work()
    Issue.record("no error with \(words)", sourceLocation: sourceLocation)
  } catch {
    let found = error as? ChartpipeError
    #expect(found?.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(found?.description.contains(words) == true, "\(error)", sourceLocation: sourceLocation)
  }
}
