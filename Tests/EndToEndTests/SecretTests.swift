import Foundation
import TestSupport
import Testing

/// What a person should not have written on a command line, and what stands in the environment, is not told on.
@Suite struct SecretTests {
  private static let hidden = "URLHIDDEN42"

  @Test(
    arguments: [
      ["verify", "https://user:\(hidden)@example.org/vfr"], ["verify", "ftp://user:\(hidden)@example.org"],
      ["reproduce", "https://user:\(hidden)@example.org/manifest.json"],
      ["publish", "site", "https://user:\(hidden)@example.org"],
      ["publish", "site", "s3://charts/vfr", "--endpoint", "https://user:\(hidden)@example.org"],
      ["publish", "site", "folder", "--site-url", "https://user:\(hidden)@example.org"],
      ["fetch", "sample-sectional", "--cycle", "2304", "--from", "https://user:\(hidden)@example.org"],
      ["fetch", "https://user:\(hidden)@example.org/a.json5", "--cycle", "2304"],
      ["inspect", "https://user:\(hidden)@example.org/a.mbtiles"],
      ["validate", "https://user:\(hidden)@example.org/a.mbtiles"],
    ], [["--verbose"], ["--json"]])
  func aPasswordInAnAddressIsNotRepeated(call: [String], manner: [String]) throws {
    let ending = try Program().run(call + manner)
    #expect(ending.status != 0)
    #expect(!(ending.output + ending.errors).contains(SecretTests.hidden), "\(ending.errors)")
  }

  @Test(arguments: [
    "ftp://example.org/a.zip", "file:///etc/passwd", "https://user:\(hidden)@example.org/{name}",
  ])
  func definitionsNameNothingButPlainAddresses(address: String) throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: repositoryRoot.appending(path: "pipelines/vfr-sectional.json5"), encoding: .utf8)
    let spoilt = text.replacing(/url: "[^"]*"/) { _ in "url: \"\(address)\"" }
    try #require(spoilt != text)
    try Data(spoilt.utf8).write(to: folder.file("spoilt.json5"))
    let ending = try Program().run(["plan", folder.file("spoilt.json5").path, "--verbose"])
    #expect(ending.status == 3, "\(ending.errors)")
    #expect(!(ending.output + ending.errors).contains(SecretTests.hidden), "\(ending.errors)")
  }

  @Test func theEnvironmentsSecretsAreInNothingThatIsWritten() throws {
    let folder = try TemporaryFolder()
    let secrets = [
      "AWS_ACCESS_KEY_ID": "IDHIDDEN42", "AWS_SECRET_ACCESS_KEY": "KEYHIDDEN42",
      "AWS_SESSION_TOKEN": "TOKENHIDDEN42", "CHARTPIPE_PASSPHRASE": "PASSHIDDEN42",
      "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    ]
    let key = folder.file("site.key").path
    let calls = [
      ["keygen", key],
      [
        "run", "sample-sectional", "--only", "Sample_West", "--cycle", "2304", "--from", "samples", "--work",
        folder.file("work").path, "--key", key, "--verbose",
      ],
      ["publish", folder.file("work/site").path, "s3://charts/vfr", "--key", key, "--verbose", "--dry-run"],
    ]
    for call in calls {
      let ending = try Program().run(call, environment: secrets)
      #expect(!(ending.output + ending.errors).contains("HIDDEN42"), "\(call[0]): \(ending.errors)")
    }
    for file in try files(below: folder.url) {
      let bytes = try Data(contentsOf: folder.url.appending(path: file))
      #expect(bytes.range(of: Data("HIDDEN42".utf8)) == nil, "\(file)")
    }
  }
}
