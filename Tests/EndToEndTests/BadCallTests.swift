import Foundation
import TestSupport
import Testing

/// Ten calls that are wrong: one clear message on standard error, exit code 2, and nothing left behind.
@Suite struct BadCallTests {
  static let sample = ["sample-sectional", "--from", "samples"]

  @Test(arguments: [
    ([], "reading the command line: a command is missing"),
    (["biuld"], "there is no command \"biuld\"\n  Did you mean build?"),
    (["build", "--cycle", "2304"], "reading the command line: PIPELINE... is missing"),
    (["build"] + sample, "reading the command line: --cycle C is missing"),
    (
      ["build", "--cycle", "2304", "--jbos", "2"] + sample,
      "there is no option --jbos\n  Did you mean --jobs?"
    ),
    (["build", "--cycle", "2304", "--jobs", "none"] + sample, "--jobs takes a whole number from 1 to 1024"),
    (["build", "--cycle", "2314"] + sample, "there is no AIRAC cycle 2314"),
    (
      ["build", "--cycle", "2023-04-21"] + sample,
      "no cycle takes effect on 2023-04-21\n  In force on that day is 2304 (2023-04-20); the next one is 2305"
    ),
    (
      ["build", "--cycle", "2304", "--only", "Sample_Wst"] + sample,
      "no chart or database has the id \"Sample_Wst\"\n  Known ids: Sample_East, Sample_West."
    ),
    (["build", "--cycle", "2304", "sample-sectinal"], "looking for the pipeline sample-sectinal: "),
    (["build", "--cycle", "2304", "--shard", "3/2"] + sample, "--shard takes I/N, such as 2/3, not \"3/2\""),
    (["build", "--cycle", "2304", "--shard", "1/0"] + sample, "--shard takes I/N, such as 2/3, not \"1/0\""),
    (["build", "--cycle", "2304", "--shard", "1/-5"] + sample, "--shard takes I/N"),
    (["build", "--cycle", "2304", "--shard", "1/x/2"] + sample, "--shard takes I/N"),
    (["run", "--cycle", "2304", "--only", ","] + sample, "--only takes a list such as a,b, not \",\""),
    (
      ["build", "--cycle", "2304", "sample-sectional", "--from", "nowhere"],
      "looking for sources in \(repositoryRoot.path)/nowhere"
    ),
    (["cycle", "--date", "2026-02-30"], "\"2026-02-30\" is no date"),
    (["plan", "sample-sectional", "--format", "slurm"], "there is no format \"slurm\""),
    (["inspect"], "FILE is missing"),
    (["inspect", "README.md", "LICENSE"], "\"LICENSE\" is one word too many"),
    (["stage", "work/build/2304"], "--site DIR is missing"),
    (["validate"], "PATH... is missing"),
  ])
  func aWrongCallIsExplained(arguments: [String], message: String) throws {
    let work = try TemporaryFolder()
    let takesWork = ["build", "run", "doctor"].contains(arguments.first ?? "")
    let ending = try Program().run(arguments + (takesWork ? ["--work", work.file("work").path] : []))
    #expect(ending.status == 2)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.hasPrefix("error: "))
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(ending.errors.split(separator: "\n").count <= 2, "\(ending.errors)")
    #expect(try files(below: work.url).isEmpty)
  }

  @Test func machinesGetTheErrorAsJSON() throws {
    let ending = try Program().run(["build", "--json", "--cycle", "2304"])
    #expect(ending.status == 2)
    let line = try #require(ending.errors.split(separator: "\n").first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["event"] as? String == "failed")
    #expect((object["message"] as? String)?.contains("PIPELINE... is missing") == true)
  }
}
