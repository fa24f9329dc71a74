import Foundation
import TestSupport
import Testing

/// `chartpipe verify` and `chartpipe mirror`, as a daily job runs them.
@Suite(.slow, .blocking) struct VerifyTests {
  /// The sample cycle has expired, so its only error is `site-currency`.
  private let folder: TemporaryFolder
  private let server: TestServer
  private var site: URL { folder.file("work/site") }

  private static let built = Samples.shared {
    let folder = TemporaryFolder()
    try Program().run([
      "run", Samples.tiny, "--cycle", "2304", "--from", samplesFolder.appending(path: "broken/good").path,
      "--work", folder.file("work").path, "--quiet", "--site-url", "https://charts.example.org",
    ]).expect(0)
    return folder
  }

  init() async throws {
    folder = try await Self.built.value.copy()
    server = try TestServer(serving: folder.file("work/site"))
  }

  private func verify(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Ending {
    let quiet = ["GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": ""]
    return try Program().run(["verify"] + arguments, environment: quiet.merging(environment) { $1 })
  }

  private func text(_ name: String) throws -> String { try folder.file(name).text }

  @Test func `verify exits with 4 for errors and with 1 for an unreachable site`() throws {
    let expired = try verify(server.url, "--json")
    #expect(expired.status == 4 && expired.output.contains("\"site-currency\""))
    #expect(!expired.output.contains("site-whole"))
    let then = try verify(server.url, "--at", "2023-05-01", "--json")
    #expect(!then.output.contains("\"site-currency\""))
    #expect(then.output.contains("\"checked\" : \"2023-05-01T23:59:59Z\""))
    try verify(server.url, "--at", "2023-05-01", "--prometheus", folder.file("m").path).expect(2)
    server.hide("/catalog.json")
    try verify(server.url).expect(4)
    let down = try verify("http://127.0.0.1:9/").expect(1, "http://127.0.0.1:9/catalog.json")
    #expect(down.output.isEmpty)
    try verify("ftp://example.org").expect(2)
    try verify("https://me:secret@example.org").expect(2)
    try verify(folder.file("nothing").path).expect(2)
  }

  @Test func `a job writes metrics, annotations and a summary`() throws {
    let (metrics, page) = (folder.file("metrics.prom"), folder.file("page.md"))
    try page.put("before\n")
    let job = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": page.path]
    let ending = try verify(site.path, "--prometheus", metrics.path, "--json", environment: job)
    #expect(ending.errors.contains("::error title=site-currency::catalog.json%3A") == false)
    #expect(ending.errors.contains("::error title=site-currency::catalog.json: cycle"))
    #expect(try text("metrics.prom").contains("chartpipe_site_ok{site=\"\(site.path)\"} 0\n"))
    let summary = try text("page.md")
    #expect(summary.hasPrefix("before\n### ❌ The published site has errors"))
    #expect(summary.contains("| error | site-currency | catalog.json | cycle "))
    try verify(
      "http://127.0.0.1:9", "--prometheus", metrics.path, "--summary", folder.file("other.md").path,
      environment: job
    ).expect(1, "::error title=verify::")
    #expect(try text("metrics.prom").contains("chartpipe_site_reachable{site=\"http://127.0.0.1:9\"} 0\n"))
    #expect(try text("other.md").contains("could not be read") && text("page.md") == summary)
    // Such as a disk that is not mounted.
    let absent = folder.file("nothing").path
    try verify(absent, "--prometheus", metrics.path).expect(2)
    #expect(try text("metrics.prom").contains("chartpipe_site_reachable{site=\"\(absent)\"} 0\n"))
  }

  @Test func `remembers the highest serial`() throws {
    let state = folder.file("seen.json")
    try verify(site.path, "--state", state.path).expect(4)
    #expect(try text("seen.json").contains("\"serial\" : 1"))
    let file = site.appending(path: "catalog.json")
    let catalogue = try file.text
    try file.put(catalogue.replacing("\"serial\":1", with: "\"serial\":7"))
    #expect(try !verify(site.path, "--state", state.path).output.contains("site-serial"))
    #expect(try text("seen.json").contains("\"serial\" : 7"))
    try file.put(catalogue)
    #expect(try verify(site.path, "--state", state.path).output.contains("error  site-serial"))
    #expect(try text("seen.json").contains("\"serial\" : 7"))
    try state.put("{}")
    try verify(site.path, "--state", state.path).expect(3)
  }

  @Test func `a mirror that is killed repeatedly ends with the same bytes`() throws {
    let whole = folder.file("whole")
    let first = try Program().run("mirror \(site.path) \(whole.path) --json")
    #expect(first.status == 0 && first.output.contains("\"isProved\" : false"), "\(first.errors)")
    // A mirror also notes the version of its catalogue.
    let paths = try files(below: whole).filter { $0 != ".mirror/source.json" }
    #expect(try paths == files(below: site))
    let blob = try #require(paths.first { $0.hasSuffix(".mbtiles") })
    let killed = folder.file("killed")
    server.always(.slow(piece: 512, pause: 0.02), at: "/" + blob)
    for wanted in [".mirror", ".mirror/\(URL(filePath: blob).lastPathComponent).part", "blobs"] {
      let ending = try Program().run(
        "mirror \(server.url) \(killed.path) --quiet", stopWhenExists: killed.appending(path: wanted))
      #expect(ending.wasKilled || ending.status == 0)
    }
    server.always(nil, at: "/" + blob)
    try Program().run("mirror \(server.url) \(killed.path) --quiet").expect(0)
    #expect(try files(below: killed).filter { $0 != ".mirror/source.json" } == paths)
    for path in paths { #expect(try killed.appending(path: path).data == whole.appending(path: path).data) }
  }

  @Test func `mirror exits with 2 for a wrong call and with 4 for a refused site`() throws {
    #expect(try Program().run("mirror \(site.path) \(site.path)").status == 2)
    #expect(try Program().run(["mirror", site.path, "https://example.org"]).status == 2)
    server.hide("/catalog.json")
    try Program().run("mirror \(server.url) \(folder.file("none").path)").expect(4, "there is no catalogue")
    #expect(try Program().run(["mirror", "http://127.0.0.1:9", folder.file("none").path]).status == 1)
  }
}

/// `chartpipe run --prune`, as a daily job calls it.
@Suite(.blocking) struct PruningTests {
  private let own = TemporaryFolder()

  private func put(_ path: String) throws {
    let file = own.file("work/\(path)")
    try file.put("old")
  }

  private func isThere(_ path: String) -> Bool { own.file("work/\(path)").exists }

  private func run(_ options: [String]) throws -> Program.Ending {
    try Program().run(
      [
        "run", Samples.tiny, "--cycle", "2304", "--from", samplesFolder.appending(path: "broken/good").path,
        "--work", own.file("work").path, "--cache", own.file("cache").path,
      ] + options)
  }

  private let old = [
    "sources/2208/Denver.zip", "build/2208/vfr-sectional/Denver.mbtiles", "journal/2208/products/a/b/c",
  ]
  private let others = ["sources/mine/Denver.zip", "sources/notes.txt", "build/elsewhere.txt"]

  @Test func `prunes outdated cycles and keeps new cycles and other files`() throws {
    let coming = ["sources/3001/Denver.zip", "build/3001/vfr-sectional/Denver.mbtiles"]
    for path in old + others + coming { try put(path) }
    try run([]).expect(0)
    #expect(old.allSatisfy(isThere))
    try run(["--prune"]).expect(0, "Removed as out of date: cycle 2208.")
    #expect(!old.contains(where: isThere))
    #expect((others + coming).allSatisfy(isThere))
    #expect(isThere("build/2304/tiny/Tiny.mbtiles"))
    #expect(isThere("site/catalog.json"))
    let again = try run(["--prune"])
    #expect(!again.errors.contains("Removed"))
  }

  @Test func `prunes a blob that no catalogue names`() throws {
    try run([]).expect(0)
    let stray = "site/blobs/aa/" + String(repeating: "a", count: 64) + ".mbtiles"
    let before = try files(below: own.file("work/site"))
    try put(stray)
    let ending = try run(["--prune"])
    #expect(ending.errors.contains("Removed as out of date: 1 file of the site."))
    #expect(try files(below: own.file("work/site")) == before)
  }

  @Test func `prunes nothing after a failure`() throws {
    for path in old { try put(path) }
    let ending = try Program().run([
      "run", "sample-sectional", "--cycle", "2304", "--from", own.file("work/sources/2208").path, "--work",
      own.file("work").path, "--prune",
    ])
    #expect(ending.status != 0)
    #expect(old.allSatisfy(isThere))
  }
}
