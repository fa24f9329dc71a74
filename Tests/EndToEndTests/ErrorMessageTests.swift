import Foundation
import TestSupport
import Testing

/// Errors say what is wrong in the user's terms, never in those of a library.
@Suite(.blocking) struct ErrorMessageTests {
  private let folder = TemporaryFolder()

  private func expect(_ call: String, _ status: Int32 = 2, _ parts: String..., line: Int = #line) throws {
    let ending = try Program().run(call, in: folder.url).expect(status)
    for part in parts { #expect(ending.errors.contains(part), "line \(line): \(ending.errors)") }
  }

  @Test func `a catalogue in place of a manifest, and damaged JSON`() throws {
    try folder.file("catalog.json").put("{\"format\": \"chartpipe-catalog-1\",\n \"serial\": 1}")
    try expect(
      "reproduce catalog.json", 3,
      "`format`: \"chartpipe-catalog-1\" is not a known value (line 1, column 2)",
      "Name cycles/2612/manifest.json")
    try folder.file("plan.json").put("{\"format\": 1,\n \"tool\": x}")
    try expect("build --plan plan.json --shard 1/1", 3, "not valid JSON: ", "(line 2, column 10)")
    try folder.file("catalog.json").put("{\"serial\": 1,\n")
    try expect("reproduce catalog.json", 3, "not valid JSON: ", "(line 1, column 1)")
    try folder.file("site").makeFolder()
    try folder.file("site/catalog.json").put("{\"serial\": 1,\n")
    let ending = try Program().run("verify site", in: folder.url)
    let text = ending.output + ending.errors
    #expect(text.contains("(line 1, column 1)") && !text.contains("The given data"), "\(text)")
  }

  @Test func `options that list, count and date`() throws {
    let list = try Program().run("validate --list --json")
    let rules = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: String]]
    #expect(rules?.contains { $0["name"] == "tiles-agree" && $0["guarantees"]?.isEmpty == false } == true)
    try expect("validate --list x", 2, "x cannot be given with --list")
    for date in ["0000-01-01", "1963-06-01", "2064-06-01", "9999-12-31T00:00:00Z"] {
      try expect(
        "cycle --date \(date)", 2, "--date takes a date in the years 1964 to 2063", "not \"\(date)\"")
    }
    try expect("verify . --at 0000-01-01", 2, "--at takes a date in the years 1964 to 2063")
    try expect("cycle --date 1964-06-01", 0)
    try expect("cycle --date 2063-06-01", 0)
  }

  @Test func `a work folder that does not exist`() throws {
    try folder.file("file").put("")
    let doctor = try Program().run("doctor", in: folder.url)
    #expect(doctor.output.contains("/work can be created, "), "\(doctor.output)")
    let file = try Program().run("doctor --work file", in: folder.url)
    #expect(file.status == 1 && file.output.contains(/FAILED +work folder/))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
  }

  @Test func `the public key in place of the secret one, and the reverse`() throws {
    try expect("keygen key", 0)
    try folder.file("s").makeFolder()
    try expect("publish s t --key key.pub", 2, "key.pub: it is the public key", "the one without .pub")
    try expect("publish s t --key none", 2, "none: there is no such file")
    try expect("publish s t --key s", 2, "s: it is a folder")
    try expect("verify s --public-key key", 2, "key: it is the secret key", "Name the .pub file")
    try expect("verify s --public-key none", 2, "\"none\" is neither a key nor an existing file")
    let variable = try Program().run("publish s t", in: folder.url, environment: ["CHARTPIPE_KEY": "x"])
    #expect(variable.errors.hasPrefix("error: reading the key in CHARTPIPE_KEY: it is not an Ed25519 key"))
    try folder.file("text").put("hello")
    try expect("verify s --public-key text", 2, "text: it is not a public key")
    try expect("publish s t --key text", 2, "text: it is not an Ed25519 key in PEM")
  }

  @Test func `a key comes through a pipe`() throws {
    try expect("keygen key", 0)
    let secret = try folder.file("key").data
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    // Opening it for writing waits for the program.
    Thread.detachNewThread {
      let end = try? FileHandle(forWritingTo: pipe)
      try? end?.write(contentsOf: secret)
      try? end?.close()
    }
    try folder.file("s").makeFolder()
    try expect("publish s t --key pipe", 2, "no site is staged there")
  }
}
