import Core
import Foundation
import Pipeline
import Testing

@testable import Site

@Suite struct S3TargetTests {
  private func target(
    _ text: String, endpoint: String? = nil, _ environment: [String: String] = [:]
  ) throws -> S3Target {
    try S3Target(text, endpoint: endpoint, environment: environment)
  }

  @Test func amazonsOwnIsReachedByTheBucketsName() throws {
    let target = try target("s3://charts/vfr/us/", ["AWS_REGION": "eu-west-1"])
    #expect(target.name == "s3://charts/vfr/us")
    #expect(
      target.url("blobs/ab c+.png") == "https://charts.s3.eu-west-1.amazonaws.com/vfr/us/blobs/ab%20c%2B.png")
    #expect(
      try S3Target("s3://charts.example.org", environment: [:]).url("é")
        == "https://s3.us-east-1.amazonaws.com/charts.example.org/%C3%A9")
  }

  @Test func anEndpointIsGivenTheBucketInThePath() throws {
    let environment = [
      "AWS_ENDPOINT_URL": "https://one.example/", "AWS_ENDPOINT_URL_S3": "https://two.example:9000/x/",
    ]
    let target = try target("s3://charts", environment)
    #expect(target.url("catalog.json") == "https://two.example:9000/x/charts/catalog.json")
    #expect(
      target.url(nil, query: [("prefix", "a/b"), ("list-type", "2")])
        == "https://two.example:9000/x/charts/?list-type=2&prefix=a%2Fb")
    #expect(
      try S3Target("s3://charts", endpoint: "http://[::1]:80", environment: environment).endpoint
        == "http://[::1]:80")
  }

  @Test func theRegionIsTakenFromWhereItIsKnown() throws {
    let cloudflare = "https://0123.r2.cloudflarestorage.com"
    #expect(try target("s3://charts").region == "us-east-1")
    #expect(try target("s3://charts", endpoint: cloudflare).region == "auto")
    #expect(try target("s3://charts", endpoint: cloudflare, ["AWS_DEFAULT_REGION": "weur"]).region == "weur")
    #expect(
      try target("s3://charts", ["AWS_REGION": "", "AWS_DEFAULT_REGION": "us-west-2"]).region == "us-west-2")
  }

  @Test(arguments: [
    "charts", "s3:/charts", "s3://", "s3:///x", "s3://Charts", "s3://ab", "s3://a_b_c", "s3://charts//x",
    "s3://charts/a/../b", "s3://charts/./b", "s3://charts/a\nb",
  ])
  func wrongTargetsAreRefused(_ text: String) throws {
    let fault = try #require(throws: UserError.self) { try target(text) }
    #expect(fault.kind == .badCall)
    #expect(fault.suggestion != nil)
  }

  @Test(arguments: [
    "s3.example.org", "ftp://example.org", "https://", "https://key:hidden@example.org",
    "https://example.org?hidden=1",
    "https://example.org/charts",
  ])
  func wrongEndpointsAreRefusedWithoutRepeatingThem(_ text: String) throws {
    let fault = try #require(throws: UserError.self) { try target("s3://charts/x", endpoint: text) }
    #expect(fault.kind == .badCall)
    #expect(!fault.message.contains("hidden"))
  }

  @Test func keysThatAreMissingOrOddAreNamed() throws {
    let missing = try #require(throws: UserError.self) { try S3Keys(environment: ["AWS_ACCESS_KEY_ID": "a"]) }
    #expect(missing.message.contains("$AWS_SECRET_ACCESS_KEY: is not set"))
    let odd = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "hid\r\nden"]
    let fault = try #require(throws: UserError.self) { try S3Keys(environment: odd) }
    #expect(!fault.message.contains("hid"))
    let trimmed = try S3Keys(environment: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b\n"])
    #expect(trimmed.secret == "b")
  }

  @Test func keysAreNeverPrinted() throws {
    let keys = try S3Keys(environment: [
      "AWS_ACCESS_KEY_ID": "idhidden", "AWS_SECRET_ACCESS_KEY": "secrethidden",
      "AWS_SESSION_TOKEN": "tokenhidden",
    ])
    struct Around { let keys: S3Keys }
    var dumped = ""
    dump(Around(keys: keys), to: &dumped)
    let printed = "\(keys) \(String(reflecting: keys)) \(Around(keys: keys)) \(dumped)"
    #expect(!printed.contains("hidden"))
    #expect(keys.redacted("a tokenhidden b secrethidden c idhidden d") == "a … b … c … d")
  }

  @Test func pausesGrowAndHonourWhatIsAsked() {
    let patience = S3Patience()
    for failures in 1...40 {
      let most = min(patience.longestPause, 0.5 * Double(1 << min(failures - 1, 20)))
      #expect((most / 2...most).contains(patience.pause(after: failures, asked: nil)))
    }
    #expect(patience.pause(after: 1, asked: 7) == 7)
    #expect(patience.pause(after: 1, asked: 1e9) == patience.longestAsked)
    #expect(patience.pause(after: 1, asked: -.infinity) <= 0.5)
  }
}
