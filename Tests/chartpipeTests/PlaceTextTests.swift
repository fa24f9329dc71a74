import Core
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct PlaceTextTests {
  @Test(arguments: [
    "work//site", "work/site", "s3", "./s3//foo", "/srv/charts", "../site", "~/site", "a@b/c:d",
    "https", "httpsite//x", "plan.json", ".", "", "./host:/srv", "map@2x.png",
  ])
  func `an ordinary path stays one`(text: String) { #expect(PlaceText(text) == .path) }

  @Test(arguments: [
    ("s3//foo", "s3://foo"), ("s3:/foo", "s3://foo"), ("s3:foo/bar", "s3://foo/bar"), ("S3//x", "s3://x"),
    ("S3://x", "s3://x"), ("s3:", "s3://…"), ("http:/x", "http://x"), ("https//x/y", "https://x/y"),
    ("HTTP:/x", "http://x"), ("gs//b", "gs://b"), ("r2:/b", "r2://b"), ("file:/srv", "/srv"),
    ("ftp:x", "ftp://x"), ("sftp//x", "sftp://x"), ("user@host:/srv", nil), ("user@host:", nil),
    ("host:/srv", nil), ("charts.example.org:/srv", nil), ("host::module/x", nil),
    ("localhost:9000/charts", nil), ("s3x:/y", nil), ("host:charts", nil), ("10.0.0.1:charts", nil),
    ("[::1]:/x", nil), ("C:\\charts", nil), ("arn:aws:s3:::charts", nil),
  ])
  func `recognizes a mistyped address`(text: String, likely: String?) {
    guard case .likeAddress(_, let found) = PlaceText(text) else {
      Issue.record("\(text) is taken for \(PlaceText(text))")
      return
    }
    #expect(found == likely)
  }

  @Test(arguments: [
    ("https://example.org", "https"), ("HTTPS://example.org", "https"), ("s3://a/b", "s3"),
    ("ftp://x", "ftp"), ("file:///srv", "file"),
  ])
  func `reads the scheme of an address`(text: String, scheme: String) {
    #expect(PlaceText(text) == .address(scheme: scheme))
  }

  private func fault(_ words: [String], _ spec: CommandSpec) -> UserError? {
    #expect(throws: UserError.self) { try ParsedArguments(words, for: spec) }
  }

  @Test func `the error names the right form and the folder`() {
    let publish = fault(["site", "s3//foo"], .publish)
    #expect(publish?.kind == .badCall)
    #expect(publish?.reason == "TARGET \"s3//foo\" looks like an address that begins with s3://")
    #expect(
      publish?.suggestion?.hasPrefix("Write s3://foo, or ./s3//foo if you mean a folder of that name.")
        == true)
    let web = fault(["site", "http:/x"], .publish)
    #expect(
      web?.suggestion?.hasPrefix("TARGET takes a folder or s3://bucket/prefix, or ./http:/x if") == true)
    let verify = fault(["http:/x"], .verify)
    #expect(verify?.suggestion?.hasPrefix("Write http://x, or ./http:/x if") == true)
  }

  @Test func `does not repeat a password`() {
    let fault = fault(["site", "me:HIDDEN@host:/srv"], .publish)
    #expect(fault?.message.contains("HIDDEN") == false)
    #expect(fault?.reason == "TARGET \"…@host:/srv\" looks like a folder on another machine")
  }

  @Test(arguments: [
    (["nasr", "--cycle", "2304", "--from", "https://example.org"], "--from"),
    (["nasr", "--cycle", "2304", "--work", "s3://a/b"], "--work"),
    (["nasr", "--cycle", "2304", "--pipelines", "https://example.org"], "--pipelines"),
    (["https://example.org/nasr.json5", "--cycle", "2304"], "PIPELINE"),
  ])
  func `an address in place of a path is named`(words: [String], name: String) {
    let fault = fault(words, .build)
    #expect(
      fault?.reason.hasPrefix("\(name) takes a path, not the address \"") == true, "\(fault?.reason ?? "")")
    #expect(fault?.suggestion?.contains("`chartpipe fetch`") == (name == "--from"))
  }

  @Test func `swapped operands are named`() {
    let publish = fault(["s3://a/b", "work"], .publish)
    #expect(publish?.reason == "SITE and TARGET are swapped")
    #expect(publish?.suggestion?.hasPrefix("Write `chartpipe publish work s3://a/b`.") == true)
    #expect(fault(["/srv", "https://example.org"], .mirror)?.reason == "SITE and DIR are swapped")
    #expect(
      fault(["s3://a/b", "s3://c/d"], .publish)?.reason
        == "SITE takes a path, not the address \"s3://a/b\"")
  }

  @Test(arguments: [
    "mirror https://example.org /srv", "verify s3://a/b", "verify https://example.org", "join s3://a/b",
    "publish work s3://a/b", "rollback s3://a/b", "pack https://example.org a.mbtiles --bbox 1,2,3,4",
    "due nasr --site https://example.org", "run nasr --cycle 2304 --from https://example.org",
    "fetch nasr --cycle 2304 --from https://example.org", "build nasr --cycle 2304 --to s3://a/b",
  ])
  func `an address is accepted where it can be used`(call: String) throws {
    let words = call.split(separator: " ").map(String.init)
    let command = try #require(Chartpipe.commands.first { $0.name == words[0] })
    _ = try ParsedArguments(Array(words.dropFirst()), for: command)
  }

  @Test func `a time is a date or an instant`() throws {
    let parsed = try ParsedArguments(["site", "--at", "2023-05-01"], for: .verify)
    #expect(try parsed.time("--at") == Instant("2023-05-01T23:59:59Z"))
    let wrong = try ParsedArguments(["site", "--at", "May"], for: .verify)
    let fault = #expect(throws: UserError.self) { try wrong.time("--at") }
    #expect(fault?.reason.hasPrefix("--at takes a date or a time, such as 2026-12-01") == true)
  }
}
