import Foundation
import TestSupport
import Testing

/// The arguments of `make-samples`, the program that draws synthetic charts.
@Suite(.blocking) struct MakeSamplesTests {
  private static func run(_ arguments: [String]) throws -> Program.Ending {
    let program = try Program().url.deletingLastPathComponent().appending(path: "make-samples")
    return try RunningProgram(program, arguments).wait()
  }

  @Test func `a folder that is no clone is an error that names it`() throws {
    let (clone, output) = (TemporaryFolder(), TemporaryFolder())
    let ending = try Self.run(["--fleet", output.url.path, "--repository", clone.url.path])
    #expect(ending.status == 3 && !ending.wasKilled)
    #expect(
      ending.errors.contains("error: drawing the samples from \(clone.url.path)")
        && ending.errors.contains("there is no folder pipelines") && ending.errors.contains("--repository"),
      "\(ending.errors)")
  }

  @Test func `an option without its value and a family that is none are errors`() throws {
    let output = TemporaryFolder()
    try Self.run(["--fleet", output.url.path, "--repository"]).expect(
      2, "reading the option --repository: it has no value")
    try Self.run(["--fleet", output.url.path, "--family", "nasr"]).expect(2, "drawing the charts of nasr")
  }

  @Test func `the definitions are those of the named clone`() throws {
    let (clone, output) = (TemporaryFolder(), TemporaryFolder())
    let pipelines = clone.url.appending(path: "pipelines")
    for folder in [pipelines, clone.url.appending(path: "samples")] { try folder.makeFolder() }
    try FileManager.default.createSymbolicLink(
      at: clone.url.appending(path: "samples/nasr-rows"),
      withDestinationURL: repositoryRoot.appending(path: "samples/nasr-rows"))
    // Only the named clone has a family of this name.
    try FileManager.default.copyItem(
      at: repositoryRoot.appending(path: "pipelines/vfr-helicopter.json5"),
      to: pipelines.appending(path: "own-family.json5"))
    try Self.run([
      "--fleet", output.url.path, "--family", "own-family", "--metres", "20000", "--repository",
      clone.url.path,
    ]).expect(0)
    #expect(output.url.appending(path: "vfr-helicopter.json5").exists)
  }
}
