import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// `clients/python`, run as a user runs it, against a site that the program published and signed.
@Suite(.slow, .blocking, .enabled(if: TestEnvironment.has("python3"), "scripts/install-test-dependencies"))
struct PythonClientTests {
  private let signed: SignedSite

  init() async throws { signed = try await SignedSite() }

  /// Runs a program without the pauses between its attempts.
  private static let withoutPauses = """
    import runpy, sys, time
    time.sleep = lambda seconds: None
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
    """

  private func run(
    _ arguments: String..., key: String? = "key.pub", site: String? = nil, state: String = "state.json",
    seconds: Int = 600
  ) throws -> Program.Ending {
    let client = repositoryRoot.appending(path: "clients/python/chartpipe_client.py")
    let fixed = [
      "-B", "-c", PythonClientTests.withoutPauses, client.path, site ?? signed.server.url, "--state", state,
      "-o", "charts",
    ]
    return try RunningProgram(
      TestEnvironment.program("python3"), fixed + (key.map { ["--key", $0] } ?? []) + arguments,
      in: signed.folder.url,
      environment: ["CHARTPIPE_WAIT_SECONDS": "\(seconds)"]
    ).wait()
  }

  private var chart: URL { signed.folder.file("charts/Tiny.mbtiles") }

  private func tiles() async throws -> Catalog.File { try await signed.open().tiles() }

  @Test func `lists, downloads and verifies`() async throws {
    let list = try run("list")
    #expect(list.status == 0, "\(list.errors)")
    #expect(
      list.output.contains(/(?m)^Tiny +3\d\.\d kB, expired: 2023-04-20T09:01:00Z to 2023-06-15T09:01:00Z$/))
    #expect(list.output.contains("\nsample-nasr/aviation "))
    let download = try run("download", "Tiny", "sample-nasr/aviation")
    #expect(download.status == 0 && download.output.contains("charts/Tiny.mbtiles: verified, expired\n"))
    try await tiles().check(chart)
    #expect(
      try files(below: signed.folder.file("charts")) == ["Tiny.mbtiles", "sample-nasr.aviation.sqlite"])
    let verified = try run("verify", "charts/Tiny.mbtiles", "charts/sample-nasr.aviation.sqlite")
    #expect(verified.status == 0 && verified.output.contains("verified, Chartpipe catalogue, serial "))
    #expect(verified.output.contains("charts/Tiny.mbtiles: Tiny, expired\n"))
    let wrong = try run("verify", "key.pub")
    #expect(wrong.status == 1 && wrong.output.contains("key.pub: not a file that the site shows"))
    let line = try signed.folder.file("key.pub").text.split(separator: "\n")[1]
    #expect(try run("list", key: String(line)).status == 0)
    #expect(try run("list", "tiny").output.contains("aviation") == false)
    #expect(try run("list", "Atlantis").errors.contains("no region or product has such a name"))
    #expect(try run("list", key: "key").errors.contains("it is a secret key"))
    let named = try run("list", site: signed.server.url + "/catalog.json")
    #expect(named.errors.contains("without the name of a file"), "\(named.errors)")
    let unknown = try run("download", "Atlantis")
    #expect(unknown.status == 1 && unknown.errors.contains("no such region or product"))
  }

  @Test func `without a key it warns, and still verifies hashes and serials`() async throws {
    let download = try run("download", "Tiny", key: nil)
    #expect(download.status == 0 && download.output.contains("as the unverified catalogue lists it, expired"))
    #expect(
      download.errors.contains("warning: without --key the signature of \(signed.server.url) is not verified")
    )
    let verified = try run("verify", "charts/Tiny.mbtiles", key: nil)
    #expect(
      verified.output.hasPrefix("\(signed.server.url)/: signature not verified\n"), "\(verified.output)")
    let file = try await tiles()
    try signed.change(file.path) { $0[$0.count / 2] ^= 1 }
    try chart.remove()
    #expect(try run("download", "Tiny", key: nil).errors.contains("its SHA-256 is"))
    try signed.rollBack()
    #expect(try run("list", key: nil).errors.contains("Keep the newer catalogue."))
  }

  @Test func `a tampered catalogue, another key and an older serial are refused`() throws {
    let other = try run("list", key: "other.pub")
    #expect(other.status == 1 && other.errors.contains("the signature is of the key"))
    #expect(try run("list", key: "catalog").errors.contains("starts with RW"))
    #expect(try run("list").status == 0)
    let (first, second) = try signed.serials()
    try signed.change("catalog.json") { $0[$0.count / 2] ^= 1 }
    #expect(
      try run("list").errors.contains("error: verifying the signature of \(signed.server.url)/catalog.json"))
    try signed.rollBack()
    let old = try run("list")
    #expect(
      old.errors.contains(
        "has the serial \(first), but this device has seen \(second). Keep the newer catalogue."),
      "\(old.errors)")
  }

  @Test func `errors of files and addresses name them and the next step`() throws {
    try signed.folder.file("text").put("seen")
    try signed.folder.file("object.json").put("{}")
    #expect(try run("verify", "none").output.hasSuffix("none: there is no such file\n"))
    for (ending, parts) in [
      (try run("list", site: "s"), ["opening s: it is not the address of a site. Use http://"]),
      (
        try run("list", state: "text"), ["reading the state file text: it is not valid JSON", "Name another"]
      ),
      (try run("list", state: "object.json"), ["object.json: it has no serial of a catalogue"]),
      (try run("list", state: "none/state.json"), ["reading or writing none/state.json.new: no such file"]),
      (try run("list", key: "site"), ["reading or writing site: is a directory"]),
    ] {
      #expect(ending.status == 1 && !ending.errors.contains("Errno"), "\(ending.errors)")
      for part in parts { #expect(ending.errors.contains(part), "\(ending.errors)") }
    }
  }

  @Test func `errors of the network name the address, the reason and the next step`() async throws {
    let site = "http://127.0.0.1:9"
    let refused = try run("list", key: nil, site: site)
    let words = "no server listens there; 5 attempts failed. Check the address and its port."
    #expect(refused.errors.hasSuffix("error: reading \(site)/catalog.json: \(words)\n"), "\(refused.errors)")
    let file = try await tiles()
    signed.server.always(.status(503), at: "/\(file.path)")
    let busy = try run("download", "Tiny", key: nil)
    let download = "error: downloading \(signed.server.url)/\(file.path): the server answered 503; 5 attempts"
    #expect(busy.errors.contains("\(download) failed. Try again later."), "\(busy.errors)")
    for address in ["http://[::1", "http://127.0.0.1:99999", "http://a..b", "http://127.0.0.1/ä"] {
      let ending = try run("list", key: nil, site: address)
      #expect(
        ending.errors.contains("opening \(address): it is not the address of a site"), "\(ending.errors)")
    }
  }

  @Test func `a tampered comment is refused`() throws {
    for path in try files(below: signed.site) where path.hasSuffix(".minisig") {
      try signed.change(path) {
        $0 = Data(String(decoding: $0, as: UTF8.self).replacing("serial", with: "Serial").utf8)
      }
    }
    #expect(try run("list").errors.contains("the trusted comment of the signature was changed"))
  }

  @Test func `a broken download continues, and a server without ranges starts over`() async throws {
    let file = try await tiles()
    signed.server.inject(.ends(after: file.bytes / 3), .reset(after: file.bytes / 9), at: "/\(file.path)")
    #expect(try run("download", "Tiny").status == 0)
    try file.check(chart)
    #expect(signed.server.requests(for: "/\(file.path)").map(\.status) == [200, 206, 206])
    try chart.remove()
    signed.server.inject(.ends(after: file.bytes / 3), .ignoresRanges, at: "/\(file.path)")
    #expect(try run("download", "Tiny").status == 0)
    try file.check(chart)
  }

  @Test func `a wrong file, a page and a changed file never get the final name`() async throws {
    let file = try await tiles()
    let right = try signed.site.appending(path: file.path).data
    signed.server.inject(.page("<html>Welcome</html>"), at: "/\(file.path)")
    #expect(try run("download", "Tiny").errors.contains("bytes instead of \(file.bytes)"))
    try signed.change(file.path) { $0[$0.count / 2] ^= 1 }
    #expect(try run("download", "Tiny").errors.contains("its SHA-256 is"))
    #expect(!chart.exists)
    // The part has bytes of another file, so the download starts again after the hash does not match.
    let part = signed.folder.file("charts/Tiny.mbtiles.\(file.sha256.text.prefix(16)).part")
    try Data(repeating: 7, count: file.bytes / 2).write(to: part)
    try signed.change(file.path) { $0 = right }
    #expect(try run("download", "Tiny").status == 0)
    try file.check(chart)
    #expect(try files(below: signed.folder.file("charts")) == ["Tiny.mbtiles"])
  }

  @Test func `a hostile server is given up`() async throws {
    let file = try await tiles()
    for (behavior, seconds, words) in [
      (TestServer.Behavior.endlessBody, 600, "it has more than 4000000 bytes"),
      (.redirect(to: "/catalog.json"), 600, "the server redirects too often"),
      (.redirect(to: "file:///etc/hostname"), 600, "not one of HTTP"),
      (.redirect(to: "ftp://127.0.0.1/a"), 600, "the server redirects from http to ftp"),
      (.redirect(to: "http://[::1"), 600, "not one of HTTP"),
      (.endlessHead, 600, "the server does not answer by HTTP; 5 attempts failed. Check the address."),
      (.silent, 1, "the server is too slow: 0 bytes"),
      (.slow(piece: 1, pause: 0.3), 1, "the server is too slow: "),
    ] {
      signed.server.always(behavior, at: "/catalog.json")
      let ending = try run("list", seconds: seconds)
      #expect(ending.status == 1 && ending.errors.contains(words), "\(behavior): \(ending.errors)")
    }
    signed.server.always(nil, at: "/catalog.json")
    signed.server.always(.endlessBody, at: "/\(file.path)")
    let endless = try run("download", "Tiny")
    #expect(
      endless.errors.contains("the server sends more than its \(file.bytes) bytes"), "\(endless.errors)")
    #expect(try files(below: signed.folder.file("charts")).isEmpty)
  }

  @Test func `no error has the words of Python's libraries`() throws {
    let program = """
      import http.client, socket, ssl, sys, urllib.error
      sys.path.insert(0, sys.argv[1])
      from chartpipe_client import cause_of
      for error in (urllib.error.URLError(socket.gaierror(-2, "Name or service not known")), ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]"),
                    urllib.error.URLError(ssl.SSLCertVerificationError(1, "certificate verify failed")), ssl.SSLEOFError(8, "EOF occurred"),
                    http.client.RemoteDisconnected("Remote end closed"), http.client.BadStatusLine("x"), TimeoutError("timed out"),
                    urllib.error.URLError(OSError(113, "No route to host")), ConnectionError("the connection ended 3 bytes early")):
          print(": ".join(cause_of(error)))
      """
    let client = repositoryRoot.appending(path: "clients/python").path
    let ending = try RunningProgram(
      TestEnvironment.program("python3"), ["-B", "-c", program, client]
    ).wait()
    #expect(
      ending.output == """
        there is no such host, or no connection to the internet: Check the address and the connection
        the server does not answer by HTTPS: Check the address
        the certificate of the server is not valid for this address or this clock: Check the address and the clock; the variable SSL_CERT_FILE names other authorities
        the connection broke: Try again later
        the connection broke: Try again later
        the server does not answer by HTTP: Check the address
        the server sent nothing for 10 s: Try again later
        no route to host: Try again later
        the connection ended 3 bytes early: Try again later

        """, "\(ending.errors)")
  }

  @Test func `the caller's clock decides whether a catalogue is fresh`() throws {
    let program = """
      import sys
      from datetime import datetime, timedelta, timezone
      sys.path.insert(0, sys.argv[1])
      from chartpipe_client import Site, read_catalog
      dated, plain = (Site("", read_catalog(open(path, "rb").read(), path), "") for path in sys.argv[2:])
      end = datetime(2026, 12, 3, 9, 1, tzinfo=timezone.utc)
      print(dated.expires == end, dated.issued, dated.validity(end - timedelta(seconds=1)), dated.validity(end),
            plain.validity(), plain.issued, plain.expires)
      """
    let names = ["the dates of its signature", "plain"]
    let paths = names.map { Catalogues.folder.appending(path: "good/\($0).json").path }
    let client = repositoryRoot.appending(path: "clients/python").path
    let ending = try RunningProgram(
      TestEnvironment.program("python3"), ["-B", "-c", program, client] + paths
    ).wait()
    #expect(
      ending.output == "True 2026-10-20 12:00:00+00:00 fresh expired unknown None None\n", "\(ending.errors)")
  }

  @Test func `list names later and held editions, and a clock that is behind is noticed`() throws {
    let program = """
      import sys
      from datetime import datetime, timedelta, timezone
      sys.path.insert(0, sys.argv[1])
      from chartpipe_client import Site, coming, held
      old, new = ({"id": "vfr/A", "cycle": cycle, "effectiveDate": start, "expirationDate": end} for cycle, start, end in (
          ("2304", "2023-04-20T09:01:00Z", "2023-05-18T09:01:00Z"), ("9901", "2999-01-01T09:01:00Z", "2999-02-01T09:01:00Z")))
      cycles = {role: {"id": cycle, "held": [{"id": "vfr/A", "reason": "refused"}, {"id": "vfr/B", "reason": "failed"}]}
                for role, cycle in (("previous", "2303"), ("current", "2305"))}
      site = Site("", {"products": [old, new], "issued": "2026-10-20T12:00:00Z", **cycles}, "")
      issued = datetime(2026, 10, 20, 12, tzinfo=timezone.utc)
      print(coming(site, old), held(site, ["a"]), len(held(site, [])),
            [site.clock_is_behind(issued - timedelta(minutes=each)) for each in (6, 4)])
      """
    let client = repositoryRoot.appending(path: "clients/python").path
    let ending = try RunningProgram(
      TestEnvironment.program("python3"), ["-B", "-c", program, client]
    ).wait()
    #expect(
      ending.output
        == "; 9901 from 2999-01-01T09:01:00Z ['vfr/A: 2305 is held back (refused)'] 3 [True, False]\n",
      "\(ending.errors)")
  }

  @Test func `both forms of minisign verify`() throws {
    let minisign = URL(filePath: "/usr/bin/minisign")
    guard FileManager.default.isExecutableFile(atPath: minisign.path) else { return }
    let make = ["-G", "-W", "-p", "mini.pub", "-s", "mini"]
    try #require(try RunningProgram(minisign, make, in: signed.folder.url).wait().status == 0)
    for form in [[], ["-l"], ["-c", "signed at the field, naïvely"]] {
      let sign = ["-S", "-s", "mini", "-m", "site/catalog.json", "-x", "site/catalog.json.minisig"] + form
      try #require(try RunningProgram(minisign, sign, in: signed.folder.url).wait().status == 0)
      let ending = try run("verify", key: "mini.pub")
      #expect(ending.status == 0, "\(ending.errors)")
    }
  }
}
