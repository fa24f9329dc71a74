import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Wrong calls: one clear message on standard error, exit code 2, and no files.
@Suite(.blocking) struct BadCallTests {
  static let sample = "sample-sectional --from samples"

  @Test(arguments: [
    ("biuld", "there is no command \"biuld\"\n  Did you mean build?"),
    ("build --cycle 2304", "reading the command line: PIPELINE... is missing"),
    ("build \(sample)", "reading the command line: --cycle C is missing"),
    ("build --cycle 2304 --jbos 2 \(sample)", "there is no option --jbos\n  Did you mean --jobs?"),
    ("build --cycle 2304 --jobs none \(sample)", "--jobs takes a whole number from 1 to 1024"),
    ("build --cycle 2314 \(sample)", "there is no AIRAC cycle 2314"),
    (
      "build --cycle 2023-04-21 \(sample)",
      "no cycle takes effect on 2023-04-21\n  In force on that day is 2304 (2023-04-20); the next one is 2305"
    ),
    (
      "build --cycle 2304 --only Sample_Wst \(sample)",
      "no chart or database has the id \"Sample_Wst\"\n  Did you mean Sample_West? Known ids: Sample_East, Sample_West."
    ),
    (
      "build --cycle 2304 --only sample-sectional/sample_east \(sample)",
      "\n  Did you mean sample-sectional/Sample_East? Known ids: "
    ),
    (
      "build --cycle 2304 Sample-Sectinal",
      "holds no Sample-Sectinal.json5\n  Did you mean sample-sectional? It holds:"
    ),
    (
      "build --cycle 2304 pipelines/sample-sectinal.json5",
      "there is no such file or folder\n  Did you mean sample-sectional.json5? Name a pipeline of"
    ),
    (
      "run --cycle 2304 --accept tile-changed:x \(sample)",
      "there is no rule tile-changed\n  Did you mean tiles-changed? `chartpipe validate --list` prints all rules."
    ),
    ("build --cycle 2304 --shard 3/2 \(sample)", "--shard takes I/N, such as 2/3, not \"3/2\""),
    ("build --cycle 2304 --shard 1/0 \(sample)", "--shard takes I/N, such as 2/3, not \"1/0\""),
    ("build --cycle 2304 --shard 1/-5 \(sample)", "--shard takes I/N"),
    ("build --cycle 2304 --shard 1/x/2 \(sample)", "--shard takes I/N"),
    ("run --cycle 2304 --only , \(sample)", "--only takes a list such as a,b, not \",\""),
    (
      "build --cycle 2304 sample-sectional --from nowhere",
      "looking for sources in \(repositoryRoot.path)/nowhere"
    ),
    ("cycle --date 2026-02-30", "--date takes a date or a time, such as 2026-12-01 or"),
    ("plan sample-sectional --format pbs", "there is no format \"pbs\""),
    ("inspect", "FILE is missing"),
    ("inspect README.md LICENSE", "\"LICENSE\" is an unexpected argument"),
    ("stage work/build/2304", "--site DIR is missing"),
    ("validate", "PATH... is missing"),
    ("publish site s3//foo", "TARGET \"s3//foo\" looks like an address that begins with s3://"),
    ("rollback user@host:/srv", "looks like a folder on another machine"),
    ("publish s3://charts/vfr site", "SITE and TARGET are swapped\n  Write `chartpipe publish site"),
    ("preview https://example.org/vfr", "SITE takes a path, not the address"),
    ("run --cycle 2304 --publish http:/x \(sample)", "--publish \"http:/x\" looks like"),
    ("build sample-sectional --cycle --from samples", "--cycle C needs a value, and --from follows it"),
    ("verify site --at May", "--at takes a date or a time"),
    ("publish site host:/srv/charts", "looks like a folder on another machine"),
    ("verify README.md", "README.md: it is not a folder"),
    ("keygen nowhere/key", "nowhere: there is no such folder\n  Create the folder, or name another."),
    ("run --cycle 2304 sample-sectional --from README.md", "README.md: it is not a folder"),
    ("fetch --cycle 2304 sample-sectional --from nowhere", "nowhere: there is no such folder"),
    ("due sample-sectional --state seen.json", "--state needs --site"),
    ("inspect nowhere.mbtiles", "there is no such file\n  Name an .mbtiles"),
  ])
  func `explains a wrong call`(call: String, message: String) throws {
    let work = TemporaryFolder()
    let takesWork = ["build ", "run ", "fetch "].contains { call.hasPrefix($0) }
    let ending = try Program().run(call + (takesWork ? " --work \(work.file("work").path)" : "")).expect(2)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.hasPrefix("error: "))
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(ending.errors.split(separator: "\n").count <= 2, "\(ending.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.url.path).isEmpty)
  }

  @Test func `names the plates of an airport in any case`() throws {
    let ending = try Program().run("plan dtpp --only dtpp/ksfo").expect(0)
    #expect(ending.output.contains("\"dtpp/KSFO\""))
  }

  @Test func `a work folder that is a file is a wrong call`() throws {
    let folder = TemporaryFolder()
    try folder.file("notes").put("mine")
    try Program().run("run --cycle 2304 --work \(folder.file("notes").path) \(Self.sample)").expect(
      2, "/notes: it is a file\n  Name a folder with --work.")
    #expect(try folder.file("notes").text == "mine")
  }

  /// Some cycle is always in force.
  @Test func `due without a site uses the calendar alone`() throws {
    let ending = try Program().run("due sample-nasr --cycles").expect(0)
    let current = try Program().run("cycle --json")
    let cycles = ending.output.split(separator: "\n")
    #expect((1...2).contains(cycles.count) && cycles.allSatisfy { current.output.contains("\"\($0)\"") })
    #expect(try Program().run("due sample-nasr").output.contains(") has 6 products of sample-nasr.\n"))
  }

  @Test func `prints the error as JSON`() throws {
    let ending = try Program().run("build --json --cycle 2304").expect(2)
    let line = try #require(ending.errors.split(separator: "\n").first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["event"] as? String == "failed")
    #expect((object["message"] as? String)?.contains("PIPELINE... is missing") == true)
  }
}

/// Compares the help of all commands with a golden file. `UPDATE_GOLDENS=1 swift test --filter HelpTests` writes it again.
@Suite(.blocking) struct HelpTests {
  private static let golden = repositoryRoot.appending(path: "Tests/EndToEndTests/help.txt")
  private static let specs = Chartpipe.commands
  /// As in a pipe.
  private static let help = HelpText(columns: nil)

  @Test func `the help of every command matches the golden file`() throws {
    let helps =
      [("", Self.help.overview(Chartpipe.groups))]
      + Self.specs.map { (" " + $0.name, Self.help.command($0)) }
    let text = helps.map { "$ chartpipe\($0) --help\n\($1)" }.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" { try Self.golden.put(text) }
    #expect(text == (try Self.golden.text))
  }

  /// Only a word that is longer than a line, such as a path or one in quotes, is wider than the terminal.
  @Test(arguments: [(20, 40), (40, 40), (60, 60), (80, 80), (120, 100)])
  func `the help fits the width of the terminal`(columns: Int, width: Int) throws {
    let help = HelpText(columns: columns)
    let texts = [help.overview(Chartpipe.groups)] + Self.specs.map(help.command)
    for line in texts.flatMap({ $0.split(separator: "\n") }) where line.count > width {
      let words = line.replacing(/"[^"]*"/, with: "").trimmingPrefix { $0 == " " }
      #expect(!words.dropLast(2).contains(" "), "\(line)")
    }
    #expect(texts.contains { $0.split(separator: "\n").contains { $0.count > width - 3 } })
  }

  @Test func `many options are in groups, with those of most calls first`() throws {
    for spec in Self.specs {
      let names = spec.optionGroups.flatMap(\.options).map(\.name)
      #expect(names.sorted() == spec.allOptions.map(\.name).sorted(), "\(spec.name)")
      #expect(
        spec.options.count < 12 || spec.optionGroups.allSatisfy { $0.options.count <= 10 }, "\(spec.name)")
    }
    let run = try #require(Self.specs.first { $0.name == "run" }).optionGroups
    #expect(run[0].title == "Most used")
    #expect(run[0].options.map(\.name) == ["--cycle", "--from", "--only", "--work", "--publish"])
  }

  @Test func `every command has --help`() throws {
    for spec in Self.specs { #expect(try ParsedArguments(["--help"], for: spec).has("--help")) }
  }

  @Test(arguments: ["run", "publish", "manual"])
  func `--help and help COMMAND print the help of a command`(name: String) throws {
    let help = Self.help.command(try #require(Self.specs.first { $0.name == name }))
    for words in [["help", name], [name, "--help"]] {
      let ending = try Program().run(words)
      #expect(ending.status == 0 && ending.errors.isEmpty && ending.output == help)
    }
  }

  @Test(arguments: [["--help"], ["help"], ["help", "--help"]])
  func `--help and help print the overview`(words: [String]) throws {
    let ending = try Program().run(words)
    #expect(ending.status == 0 && ending.errors.isEmpty)
    #expect(ending.output == Self.help.overview(Chartpipe.groups))
  }

  @Test func `a call without a command prints the overview as an error`() throws {
    let ending = try Program().run([String]())
    #expect(ending.status == 2 && ending.output.isEmpty)
    #expect(ending.errors == Self.help.overview(Chartpipe.groups))
  }

  @Test func `help rejects an unknown command`() throws {
    try Program().run("help publsh").expect(2, "there is no command \"publsh\"\n  Did you mean publish?")
  }

  @Test func `the version is one line`() throws {
    let ending = try Program().run("--version")
    #expect(ending.output == "chartpipe 0.3.0\n")
    #expect(ending.status == 0)
  }
}

@Suite(.blocking) struct DoctorTests {
  let work = TemporaryFolder()

  private func doctor(_ options: [String]) throws -> Program.Ending {
    try Program().run(["doctor", "--work", work.file("work").path] + options)
  }

  @Test func `finds this machine fit`() throws {
    let ending = try doctor([]).expect(0)
    #expect(ending.output.contains(/ok +network +libcurl [0-9.]+ with [A-Za-z]/))
    #expect(ending.output.contains(/(?m)^Disk and memory:\n +ok +work folder/))
    #expect(ending.output.hasSuffix("This machine can run the pipeline.\n"))
    #expect(try files(below: work.url).isEmpty)
  }

  @Test func `passes while a run is in progress`() throws {
    let lock = try Workspace(work.file("work")).lock()
    try doctor([]).expect(0)
    withExtendedLifetime(lock) {}
  }

  @Test func `names a missing folder`() throws {
    let ending = try doctor(["--pipelines", work.file("none").path, "--json"]).expect(1)
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    #expect(answer["ok"] as? Bool == false)
    let failed = (answer["checks"] as? [[String: Any]] ?? []).filter { $0["ok"] as? Bool == false }
    #expect(failed.map { $0["name"] as? String } == ["pipelines"])
  }

  @Test func `checks each definition`() throws {
    let folder = TemporaryFolder()
    try folder.file("a.json5").put("{ kind: \"charts\"")
    try folder.file("b.json5").put("{ kind: \"chart\" }")
    let ending = try doctor(["--pipelines", folder.url.path]).expect(1)
    #expect(
      ending.output.contains(/FAILED +a +/) && ending.output.contains(/FAILED +b +/), "\(ending.output)")
  }
}

/// Standard files that are full or closed: no crash, and the right exit code.
@Suite(.blocking) struct StandardFilesTests {
  /// Runs a shell command in which `chartpipe` is the built program.
  private func shell(_ command: String) throws -> Int32 {
    let function = "chartpipe() { \"\(try Program().url.path)\" \"$@\"; }"
    return try RunningProgram(URL(filePath: "/bin/sh"), ["-c", "\(function); \(command)"]).wait().status
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ("chartpipe cycle >/dev/full", 1), ("chartpipe cycle --json >/dev/full", 1),
      ("chartpipe --help >/dev/full", 1), ("chartpipe cycle --jsn 2>/dev/full", 2),
    ])
  func `does not crash when a standard file is full`(command: String, status: Int32) throws {
    #expect(try shell(command) == status)
  }

  @Test(arguments: [
    ("chartpipe cycle >&-", 1), ("chartpipe cycle --jsn 2>&-", 2), ("chartpipe cycle <&-", 0),
  ])
  func `does not crash when a standard file is closed`(command: String, status: Int32) throws {
    #expect(try shell(command) == status)
  }

  @Test func `messages do not go into a file that reuses a closed descriptor`() throws {
    let work = TemporaryFolder()
    let call = "chartpipe build sample-obstacles --cycle 2304 --from samples --work"
    #expect(try shell("\(call) \"\(work.file("open").path)\"") == 0)
    #expect(try shell("\(call) \"\(work.file("closed").path)\" <&- 2>&-") == 0)
    for name in ["obstacles.sqlite", "obstacles.product.json", "obstacles.problems.json"] {
      let path = "build/2304/sample-obstacles/\(name)"
      let (open, closed) = ("open/\(path)", "closed/\(path)")
      #expect(try work.file(open).data == work.file(closed).data, "\(name)")
    }
  }
}

/// Secrets of the command line and of the environment are not printed.
@Suite(.blocking) struct SecretTests {
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
  func `does not print a password of an address`(call: [String], manner: [String]) throws {
    let ending = try Program().run(call + manner)
    #expect(ending.status != 0)
    #expect(!(ending.output + ending.errors).contains(SecretTests.hidden), "\(ending.errors)")
  }

  @Test(arguments: [
    "ftp://example.org/a.zip", "file:///etc/passwd", "https://user:\(hidden)@example.org/{name}",
  ])
  func `refuses other than plain addresses in a definition`(address: String) throws {
    let folder = TemporaryFolder()
    let text = try repositoryRoot.appending(path: "pipelines/vfr-sectional.json5").text
    let spoilt = text.replacing(/url: "[^"]*"/) { _ in "url: \"\(address)\"" }
    try #require(spoilt != text)
    try folder.file("spoilt.json5").put(spoilt)
    let ending = try Program().run("plan \(folder.file("spoilt.json5").path) --verbose").expect(3)
    #expect(!(ending.output + ending.errors).contains(SecretTests.hidden), "\(ending.errors)")
  }

  @Test(.slow) func `writes no secret of the environment`() throws {
    let folder = TemporaryFolder()
    let secrets = [
      "AWS_ACCESS_KEY_ID": "IDHIDDEN42", "AWS_SECRET_ACCESS_KEY": "KEYHIDDEN42",
      "AWS_SESSION_TOKEN": "TOKENHIDDEN42", "CHARTPIPE_PASSPHRASE": "PASSHIDDEN42",
      "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    ]
    let key = folder.file("site.key").path
    let calls = [
      ["keygen", key],
      [
        "run", Samples.tiny, "--cycle", "2304", "--from", samplesFolder.appending(path: "broken/good").path,
        "--work", folder.file("work").path, "--key", key, "--verbose",
      ],
      ["publish", folder.file("work/site").path, "s3://charts/vfr", "--key", key, "--verbose", "--dry-run"],
    ]
    for call in calls {
      let ending = try Program().run(call, environment: secrets)
      #expect(!(ending.output + ending.errors).contains("HIDDEN42"), "\(call[0]): \(ending.errors)")
    }
    for file in try files(below: folder.url) {
      let bytes = try folder.url.appending(path: file).data
      #expect(bytes.range(of: Data("HIDDEN42".utf8)) == nil, "\(file)")
    }
  }
}
