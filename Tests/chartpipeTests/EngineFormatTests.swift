import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The forms of a plan for engines.
@Suite(.blocking) struct EngineFormatTests {
  private let plan: ShardPlan
  private let folder = TemporaryFolder()

  init() throws {
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    let build = try BuildPlan(["sample-sectional", "sample-nasr"].map(library.definition))
    plan = try ShardPlan(
      build, selection: ProductSelection(pipelines: build.pipelines), cycle: "2304", shards: 3, measured: 0,
      milliseconds: { _ in 1500 })
  }

  @Test func `GitHub gets one line with an entry for each shard`() throws {
    let text = try EngineFormat.github.text(plan, place: nil)
    #expect(
      text == """
        {"include":[{"number":1,"products":6,"seconds":9,"shard":"1/3"},\
        {"number":2,"products":1,"seconds":1.5,"shard":"2/3"},\
        {"number":3,"products":1,"seconds":1.5,"shard":"3/3"}]}

        """)
  }

  // MARK: - Slurm

  /// Runs a mode of the script with programs in place of Slurm and chartpipe, and returns the calls that it made.
  private func script(_ arguments: [String], _ environment: [String: String] = [:], exit: Int = 0)
    throws -> (status: Int32, calls: [String], output: String)
  {
    let script = folder.file("cycle.sbatch")
    try EngineFormat.slurm.text(plan, place: nil).write(to: script, atomically: true, encoding: .utf8)
    let bin = folder.file("bin")
    try bin.makeFolder()
    let log = folder.file("calls")
    try? log.remove()
    for (name, body) in [("sbatch", "echo '4711;cluster'"), ("chartpipe", "exit \(exit)")] {
      let file = bin.appending(path: name)
      try "#!/bin/sh\necho \"\(name) $*\" >> '\(log.path)'\n\(body)\n".write(
        to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    let path = "\(bin.path):/usr/bin:/bin"
    let ending = try RunningProgram(
      URL(filePath: "/bin/bash"), [script.path] + arguments, in: folder.url,
      environment: environment.merging(["PATH": path]) { $1 }
    ).wait()
    #expect(ending.errors == "")
    let calls = (try? log.text) ?? ""
    return (ending.status, calls.split(separator: "\n").map(String.init), ending.output)
  }

  private var name: String { get throws { "chartpipe-2304-\(try plan.sha256().text.prefix(8))" } }

  @Test func `the script submits an array and the join after it, and writes the plan`() throws {
    let ending = try script([])
    let file = folder.file("cycle.sbatch").path
    #expect(ending.status == 0)
    #expect(
      ending.calls == [
        "sbatch --parsable --requeue --array=1-3 \(file) shard",
        "sbatch --parsable --requeue --dependency=afterok:4711 --kill-on-invalid-dep=yes \(file) join",
      ])
    #expect(ending.output.contains("the shards as job 4711, the join as job 4711"))
    #expect(try ShardPlan(contentsOf: folder.file("\(name).json")) == plan)
  }

  @Test func `a shard fetches, builds and sends its part, and exit 5 is success`() throws {
    let environment = ["SLURM_ARRAY_TASK_ID": "2", "SLURM_CPUS_PER_TASK": "4"]
    for (code, status) in [(0, 0), (5, 0), (1, 1), (3, 3)] as [(Int, Int32)] {
      #expect(try script(["shard"], environment, exit: code).status == status)
    }
    let (name, hash) = (try name, try plan.sha256().text.prefix(8))
    #expect(
      try script(["shard"], environment).calls == [
        "chartpipe fetch --plan \(name).json --shard 2/3 --work work/shard-2",
        "chartpipe build --plan \(name).json --shard 2/3 --work work/shard-2 --jobs 4 --to parts/2304-\(hash)",
      ])
    let own = ["FROM": "/faa files", "PIPELINES": "defs", "PARTS": "s3://b/p", "WORK": "w"]
    #expect(
      try script(["shard"], environment.merging(own) { $1 }).calls == [
        "chartpipe build --plan \(name).json --shard 2/3 --pipelines defs --work w/shard-2 --from /faa files --jobs 4 --to s3://b/p"
      ])
  }

  /// The node of the first attempt may be cut off from Slurm and still at work.
  @Test func `a requeued shard waits until its work folder is free, and keeps the earlier log`() throws {
    let work = folder.file("work/shard-2")
    try work.makeFolder()
    let free = folder.file("free")
    let held = folder.file("held")
    let holder = try RunningProgram(
      URL(filePath: "/usr/bin/flock"),
      [work.path, "/bin/sh", "-c", "touch '\(held.path)'; sleep 0.5; touch '\(free.path)'"])
    while holder.isRunning, !held.exists { Thread.sleep(forTimeInterval: 0.01) }
    let environment = ["SLURM_ARRAY_TASK_ID": "2", "SLURM_RESTART_COUNT": "1", "FROM": "faa"]
    let ending = try script(["shard"], environment)
    #expect(ending.status == 0 && ending.calls.count == 1)
    #expect(free.exists, "the lock was not waited for")
    let text = try EngineFormat.slurm.text(plan, place: nil)
    #expect(text.contains("#SBATCH --open-mode=append\n"))
  }

  @Test func `the join ends with its own exit code`() throws {
    let ending = try script(["join"], ["PARTS": "p", "PUBLISH": "s3://site"], exit: 5)
    #expect(ending.status == 5)
    #expect(
      try ending.calls == ["chartpipe join p --plan \(name).json --work work --jobs 1 --publish s3://site"])
  }

  @Test func `a place with blanks and quotes stays one word`() throws {
    let place = "it's a 'place' $HOME"
    let script = folder.file("odd.sbatch")
    try EngineFormat.slurm.text(plan, place: place).write(to: script, atomically: true, encoding: .utf8)
    let text = try script.text
    #expect(text.contains("PARTS='it'\\''s a '\\''place'\\'' $HOME'"))
    let check = try RunningProgram(URL(filePath: "/bin/bash"), ["-n", script.path]).wait()
    #expect(check.status == 0, "\(check.errors)")
  }

  // MARK: - Kubernetes

  private static let hasYAML = Python.has("yaml")

  /// The objects as JSON, read by an independent parser.
  private func objects(_ place: String?) throws -> [[String: Any]] {
    let file = folder.file("jobs.yaml")
    try EngineFormat.kubernetes.text(plan, place: place).write(to: file, atomically: true, encoding: .utf8)
    let ending = try Python.run(
      "import json,sys,yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))", [file.path])
    let json = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
    return try #require(json as? [[String: Any]])
  }

  @Test(.enabled(if: hasYAML), arguments: [nil, "s3://b/it's \"p\""])
  func `Kubernetes gets the plan, an Indexed Job and a suspended join`(place: String?) throws {
    let objects = try objects(place)
    #expect(objects.map { $0["kind"] as? String } == ["ConfigMap", "Job", "Job"])
    let data = try #require((objects[0]["data"] as? [String: String])?["plan.json"])
    let file = folder.file("plan.json")
    try data.write(to: file, atomically: true, encoding: .utf8)
    #expect(try ShardPlan(contentsOf: file) == plan)
    let specs = objects.dropFirst().compactMap { $0["spec"] as? [String: Any] }
    #expect(specs[0]["completionMode"] as? String == "Indexed" && specs[0]["completions"] as? Int == 3)
    #expect(specs[1]["suspend"] as? Bool == true)
    let containers = try specs.map { spec in
      let pod = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
      #expect(pod["restartPolicy"] as? String == "Never")
      let volumes = Set((pod["volumes"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String })
      let container = try #require((pod["containers"] as? [[String: Any]])?.first)
      let mounts = (container["volumeMounts"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      #expect(Set(mounts) == volumes && mounts.count == volumes.count)
      let environment = container["env"] as? [[String: String]]
      let parts = try "parts/2304-" + plan.sha256().text.prefix(8)
      #expect(environment?.first { $0["name"] == "PARTS" }?["value"] == place ?? parts)
      return container
    }
    let command = try #require((containers[0]["args"] as? [String])?.first)
    #expect(command.contains("$((JOB_COMPLETION_INDEX + 1))/3"))
    let check = try RunningProgram(URL(filePath: "/bin/sh"), ["-n", "-c", command]).wait()
    #expect(check.status == 0, "\(check.errors)")
    #expect(containers.allSatisfy { $0["image"] as? String == "chartpipe:\(ToolVersion.version)" })
  }

  @Test func `GitHub takes no more than 256 shards`() throws {
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    let build = try BuildPlan([library.definition("sample-nasr")])
    let many = try ShardPlan(
      build, selection: ProductSelection(pipelines: build.pipelines), cycle: "2304", shards: 257, measured: 0,
      milliseconds: { _ in 1 })
    try expectFault(message: "it has 257 shards, and GitHub takes 256 at most") {
      try EngineFormat.github.text(many, place: nil)
    }
  }
}

/// The expected durations by which a plan is divided.
@Suite struct ProductTimesTests {
  private func plan(_ name: String) throws -> BuildPlan {
    try BuildPlan([PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines")).definition(name)])
  }

  /// The machines must agree without looking at their disks.
  @Test func `every chart has an estimate from its definition`() throws {
    for name in ["vfr-sectional", "vfr-terminal", "vfr-helicopter", "caribbean", "nasr", "obstacles"] {
      let plan = try plan(name)
      let times = ProductTimes(plan)
      for item in plan.units.joined() {
        let seconds = Double(times.milliseconds(item)) / 1000
        #expect((0.1...90).contains(seconds), "\(item.product): \(seconds) s")
      }
    }
    let webp = try plan("vfr-sectional-webp")
    let (one, other) = (ProductTimes(try plan("vfr-sectional")), ProductTimes(webp))
    #expect(other.milliseconds(webp.items[0]) > 3 * one.milliseconds(try plan("vfr-sectional").items[0]))
  }

  @Test func `measured durations come first, and scale the estimates of the others`() throws {
    let folder = TemporaryFolder()
    let workspace = Workspace(folder.url)
    let plan = try plan("sample-mosaic")
    let estimates = plan.items.map { ProductTimes(plan).milliseconds($0) }
    let file = folder.file("made")
    try Data([1]).write(to: file)
    try Journal(cycle: "2301", in: workspace).append(
      StepResult(step: plan.items[0].step, key: .init(of: [1]), files: [.init(url: file)]),
      seconds: Double(estimates[0]) / 1000 * 3, finished: "2023-04-01T00:00:00Z")
    let times = ProductTimes(plan, history: try StepHistory(in: workspace))
    #expect(times.isMeasured(plan.items[0]) && !times.isMeasured(plan.items[1]))
    #expect(times.milliseconds(plan.items[0]) == estimates[0] * 3)
    #expect(abs(times.milliseconds(plan.items[1]) - estimates[1] * 3) <= 3)
  }
}
