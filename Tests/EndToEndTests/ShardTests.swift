import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

/// A cycle in shards: each in a work folder of its own, exchanged through a folder, and joined without the sources.
struct ShardedCycle {
  let folder = TemporaryFolder()

  var parts: URL { folder.file("parts") }
  var plan: URL { folder.file("plan.json") }

  func makePlan(shards: Int, _ pipelines: [String]) throws {
    try Program().run(
      ["plan"] + pipelines + [
        "--cycle", "2304", "--from", "samples", "--shards", "\(shards)", "--work", folder.file("none").path,
        "--output", plan.path,
      ]
    ).expect(0)
  }

  func build(
    _ shard: String, jobs: Int = 2, from: String = "samples", killedWhenExists: URL? = nil
  ) throws -> Program.Ending {
    try Program().run(
      [
        "build", "--plan", plan.path, "--shard", shard, "--from", from, "--work", work(shard).path,
        "--jobs", "\(jobs)", "--to", parts.path,
      ], stopWhenExists: killedWhenExists)
  }

  func work(_ shard: String) -> URL { folder.file("shard-\(shard.replacing("/", with: "-"))") }

  func join(_ places: [String]? = nil, work: String = "joined", _ more: [String] = []) throws
    -> Program.Ending
  { try Program().run(["join"] + (places ?? [parts.path]) + ["--work", folder.file(work).path] + more) }

  /// The path and hash of each file of the joined build and site.
  func result(_ work: String = "joined") throws -> [String] { try Self.result(folder.file(work)) }

  static func result(_ work: URL) throws -> [String] {
    try ["build", "site"].flatMap { name in
      try fingerprint(work.appending(path: name)).map { "\(name)/\($0)" }
    }
  }
}

/// The bytes of a cycle do not depend on the machines that built it. One machine built those of `Samples`.
@Suite(.slow, .blocking) struct ShardedBytesTests {
  private static let mosaic = ["sample-mosaic", "sample-nasr"]
  private static let others = ["sample-sectional", "sample-terminal", "sample-nasr", "sample-obstacles"]

  @Test func `several shards with any number of workers give the bytes of one machine`() async throws {
    let cycle = ShardedCycle()
    try cycle.makePlan(shards: 5, Self.others)
    for number in (1...5).reversed() { try cycle.build("\(number)/5", jobs: 1 + number % 5).expect(0) }
    try cycle.join().expect(0)
    #expect(try await cycle.result() == ShardedCycle.result(Samples.cycle().url))
  }

  @Test func `a shard that is killed, continued and built twice gives the same bytes`() async throws {
    let cycle = ShardedCycle()
    try cycle.makePlan(shards: 2, Self.mosaic)
    let sent = cycle.parts.appending(path: "part-1-of-2/build")
    for point in [cycle.work("1/2").appending(path: "journal/2304/products"), sent] {
      let ending = try cycle.build("1/2", jobs: 1, killedWhenExists: point)
      let description = cycle.parts.appending(path: "part-1-of-2/part.json")
      #expect(!ending.wasKilled || !description.exists)
    }
    try cycle.join().expect(3)
    for shard in ["1/2", "2/2"] { try cycle.build(shard, jobs: 3).expect(0) }
    let again = try cycle.build("1/2", jobs: 2)
    #expect(again.errors.contains("already sent"), "\(again.errors)")
    // A join that is killed, and then run twice.
    _ = try Program().run(
      "join \(cycle.parts.path) --work \(cycle.folder.file("joined").path)",
      stopWhenExists: cycle.folder.file("joined/journal/2304/products"))
    for _ in 0..<2 { try cycle.join().expect(0) }
    #expect(try await cycle.result() == ShardedCycle.result(Samples.mosaic().url))
  }
}

/// What `join` refuses, and what it reports.
@Suite(.slow, .blocking) struct JoinTests {
  private static let pipelines = [Samples.tiny, "sample-obstacles", "sample-nasr"]

  /// Two shards of a small cycle, built once.
  private static let built = Samples.shared {
    let cycle = ShardedCycle()
    try cycle.makePlan(shards: 2, pipelines)
    try cycle.folder.add(Samples.smallCycle, to: "sources")
    for shard in ["1/2", "2/2"] { try cycle.build(shard, from: cycle.folder.file("sources").path).expect(0) }
    return cycle
  }

  /// A copy of the parts that a test may change.
  private static func cycle() async throws -> ShardedCycle {
    let original = try await built.value
    let copy = ShardedCycle()
    try FileManager.default.copyItem(at: original.parts, to: copy.parts)
    try FileManager.default.copyItem(at: original.plan, to: copy.plan)
    return copy
  }

  private func change(_ file: URL, _ edit: (String) -> String) throws {
    try edit(file.text).write(to: file, atomically: true, encoding: .utf8)
  }

  private func part(_ number: Int, of cycle: ShardedCycle) -> URL {
    cycle.parts.appending(path: "part-\(number)-of-2/part.json")
  }

  /// The largest file of a part.
  private func database(of cycle: ShardedCycle) throws -> URL {
    let paths = try files(below: cycle.parts)
    return cycle.parts.appending(path: try #require(paths.first { $0.hasSuffix("aviation.sqlite") }))
  }

  private func expectRefusal(_ cycle: ShardedCycle, _ words: String..., places: [String]? = nil) throws {
    let ending = try cycle.join(places).expect(3)
    for word in words { #expect(ending.errors.contains(word), "\(ending.errors)") }
    #expect(!cycle.folder.file("joined/site/catalog.json").exists)
  }

  @Test func `joins parts that are named one by one, doubled or in a read-only folder`() async throws {
    let cycle = try await Self.cycle()
    try FileManager.default.copyItem(at: cycle.parts, to: cycle.folder.file("copies"))
    let places = ["parts/part-1-of-2", "parts/part-2-of-2", "copies"].map { cycle.folder.file($0).path }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: cycle.parts.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cycle.parts.path)
    }
    try cycle.join(places, ["--plan", cycle.plan.path]).expect(0)
  }

  /// There are more shards than products, and no sources are there.
  @Test func `an empty shard is fetched, built and sent`() throws {
    let cycle = ShardedCycle()
    try cycle.makePlan(shards: 3, ["sample-obstacles"])
    let work = cycle.work("3/3").path
    try Program().run([
      "fetch", "--plan", cycle.plan.path, "--shard", "3/3", "--work", work, "--cache",
      cycle.folder.file("cache").path,
    ]).expect(0)
    try Program().run(
      "build --plan \(cycle.plan.path) --shard 3/3 --work \(work) --to \(cycle.parts.path)"
    ).expect(0)
    let part = cycle.parts.appending(path: "part-3-of-3")
    #expect(try files(below: part) == ["part.json", "part.times.json"])
    if SchemaCheck.isInstalled {
      let verdicts = try SchemaCheck("part").verdicts([part.appending(path: "part.json")])
      #expect(verdicts == ["part.json ok"])
      #expect(try SchemaCheck("plan").verdicts([cycle.plan]) == ["plan.json ok"])
    }
  }

  @Test func `refuses a shard that the plan does not have, and options that it contains`() async throws {
    let cycle = try await Self.cycle()
    for (arguments, words) in [
      (["--shard", "3/3"], "the plan has no shard 3/3"), ([], "--plan needs --shard"),
      (["--shard", "1/2", "--cycle", "2304"], "--cycle cannot be given with --plan"),
      (["--shard", "1/2", "sample-nasr"], "sample-nasr cannot be given with --plan"),
    ] { try Program().run(["build", "--plan", cycle.plan.path] + arguments).expect(2, words) }
  }

  @Test func `refuses a missing part and a part that is still being written`() async throws {
    let cycle = try await Self.cycle()
    try expectRefusal(
      cycle, "shard 2/2 is missing", places: [cycle.parts.appending(path: "part-1-of-2").path])
    try part(2, of: cycle).remove()
    try expectRefusal(cycle, "shard 2/2 is missing", "part-2-of-2 has no part.json yet")
    try expectRefusal(cycle, "holds no part", places: [cycle.folder.file("nowhere").path])
  }

  @Test func `refuses swapped parts, and different parts of a shard`() async throws {
    let cycle = try await Self.cycle()
    // The last key of the description.
    try change(part(1, of: cycle)) {
      $0.replacing("\"shard\" : \"1/2\"\n}\n", with: "\"shard\" : \"2/2\"\n}\n")
    }
    try expectRefusal(cycle, "is not a product of shard 2/2")
    let other = try await Self.cycle()
    try FileManager.default.copyItem(at: other.parts, to: other.folder.file("copies"))
    try change(other.folder.file("copies/part-1-of-2/part.json")) {
      $0.replacing("\"notes\" : [\n\n  ]", with: "\"notes\" : [{\"source\":\"a\",\"message\":\"b\"}]")
    }
    try expectRefusal(
      other, "are different parts of shard 1/2",
      places: [other.parts.path, other.folder.file("copies").path])
  }

  @Test func `refuses a part of another plan or version, or with other libraries`() async throws {
    let cycle = try await Self.cycle()
    try change(part(1, of: cycle)) { $0.replacing("\"cycle\" : \"2304\"", with: "\"cycle\" : \"2303\"") }
    try expectRefusal(cycle, "its plan does not have the hash that it states")
    let newer = try await Self.cycle()
    try change(part(1, of: newer)) { $0.replacing("\"version\" : \"", with: "\"version\" : \"9") }
    try expectRefusal(newer, "it is a plan of chartpipe 9")
    let library = try await Self.cycle()
    try change(part(2, of: library)) { $0.replacing("\"sqlite\" : \"", with: "\"sqlite\" : \"9") }
    try expectRefusal(library, "was built with other libraries: sqlite 9")
    let two = try await Self.cycle()
    try two.makePlan(shards: 3, Self.pipelines)
    try two.join(nil, ["--plan", two.plan.path]).expect(3, "is a part of another plan")
  }

  @Test func `refuses changed definitions, at the join and at a shard`() async throws {
    let cycle = try await Self.cycle()
    let definitions = cycle.folder.file("definitions")
    try FileManager.default.copyItem(at: repositoryRoot.appending(path: "pipelines"), to: definitions)
    try change(definitions.appending(path: "sample-nasr.json5")) {
      $0.replacing("(sample)\" }", with: "(changed)\" }")
    }
    try cycle.join(nil, ["--pipelines", definitions.path]).expect(3, "the definition of sample-nasr changed")
    try Program().run(
      "build --plan \(cycle.plan.path) --shard 1/2 --from samples --work \(cycle.work("1/2").path) "
        + "--pipelines \(definitions.path)"
    ).expect(3, "the definition of sample-nasr changed")
  }

  @Test func `refuses truncated, changed and linked files`() async throws {
    let short = try await Self.cycle()
    let whole = try database(of: short).data
    try whole.dropLast().write(to: database(of: short))
    try expectRefusal(short, "aviation.sqlite has ")
    let changed = try await Self.cycle()
    var bytes = whole
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: database(of: changed))
    try expectRefusal(
      changed, "aviation.sqlite: its bytes are not those that part.json lists", "and join again")
    // The good file in its place is enough.
    try whole.write(to: database(of: changed))
    try changed.join().expect(0)
    let linked = try await Self.cycle()
    let file = try database(of: linked)
    try FileManager.default.moveItem(at: file, to: linked.folder.file("elsewhere"))
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: linked.folder.file("elsewhere"))
    try expectRefusal(linked, "aviation.sqlite is missing")
  }

  @Test(arguments: [
    "../../outside", "build/2304/sample-nasr/../../../x", "/etc/passwd", "journal/2304.jsonl",
  ])
  func `refuses paths that lead elsewhere`(_ path: String) async throws {
    let cycle = try await Self.cycle()
    for number in 1...2 {
      try change(part(number, of: cycle)) {
        $0.replacing("build/2304/sample-nasr/aviation.sqlite", with: path)
      }
    }
    try expectRefusal(cycle, "is not a path of sample-nasr/aviation")
  }

  /// The description of a product names the files that later steps open.
  @Test func `refuses a description that names other files`() async throws {
    let cycle = try await Self.cycle()
    let file = try database(of: cycle).deletingLastPathComponent().appending(path: "aviation.product.json")
    let before = try file.data
    try change(file) { $0.replacing("\"aviation.sqlite\"", with: "\"../aviation.sqlite\"") }
    let after = try file.data
    let hashes = (before: try SHA256Hex(of: Array(before)).text, after: try SHA256Hex(of: Array(after)).text)
    for number in 1...2 {
      try change(part(number, of: cycle)) {
        $0.replacing(hashes.before, with: hashes.after).replacing(
          "\"bytes\" : \(before.count),", with: "\"bytes\" : \(after.count),")
      }
    }
    try expectRefusal(cycle, "it lists \"../aviation.sqlite\", which the part does not have")
  }

  @Test func `reports failed products as a run does, and joins the others`() async throws {
    let cycle = ShardedCycle()
    try cycle.makePlan(shards: 2, Self.pipelines)
    let sources = cycle.folder.file("sources")
    try cycle.folder.add(Array(Samples.smallCycle.dropFirst()), to: "sources")
    var codes: [Int32] = []
    for shard in ["1/2", "2/2"] { codes.append(try cycle.build(shard, from: sources.path).status) }
    #expect(codes.sorted() == [0, 5])
    try cycle.join().expect(5, "tiny/Tiny: FAILED: looking for Tiny.zip")
    try Program().run(
      ["run"] + Self.pipelines + [
        "--cycle", "2304", "--from", sources.path, "--work", cycle.folder.file("whole").path,
      ]
    ).expect(5)
    #expect(try cycle.result() == cycle.result("whole"))
  }

  @Test func `a second join in the same work folder fails at once, and a later one succeeds`() async throws {
    let cycle = try await Self.cycle()
    let work = cycle.folder.file("joined")
    try work.makeFolder()
    do {
      let first = try FolderLock(work, operation: "testing", suggestion: "")
      defer { withExtendedLifetime(first) {} }
      try cycle.join().expect(1, "another chartpipe is at work in it")
    }
    try cycle.join().expect(0)
  }

  @Test(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
  func `parts are exchanged through S3`() async throws {
    let store = try await LoopbackS3.lenient(bucket: "parts")
    let original = try await Self.built.value
    let place = "s3://parts/2304"
    for shard in ["1/2", "2/2"] {
      try Program().run(
        [
          "build", "--plan", original.plan.path, "--shard", shard, "--from",
          original.folder.file("sources").path, "--work", original.work(shard).path, "--to", place,
        ], environment: store.environment
      ).expect(0)
    }
    try Program().run(
      "join \(place) --work \(original.folder.file("from-store").path)", environment: store.environment
    ).expect(0)
    try original.join(work: "from-folder").expect(0)
    #expect(try original.result("from-store") == original.result("from-folder"))
  }
}
