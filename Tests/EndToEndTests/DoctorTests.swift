import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct DoctorTests {
  let work: TemporaryFolder

  init() throws { work = try TemporaryFolder() }

  private func doctor(_ options: [String]) throws -> Program.Ending {
    try Program().run(["doctor", "--work", work.file("work").path] + options)
  }

  @Test func thisMachineIsFoundFit() throws {
    let ending = try doctor([])
    #expect(ending.status == 0, "\(ending.output)")
    #expect(ending.output.contains(/ok +network +libcurl [0-9.]+ with [A-Za-z]/))
    #expect(ending.output.hasSuffix("This machine can run the pipeline.\n"))
    #expect(try files(below: work.url).isEmpty)
  }

  @Test func aRunThatIsUnderWayIsNoHindrance() throws {
    let lock = try Workspace(work.file("work")).lock()
    #expect(try doctor([]).status == 0)
    withExtendedLifetime(lock) {}
  }

  @Test func whatIsMissingIsNamed() throws {
    let ending = try doctor(["--pipelines", work.file("none").path, "--json"])
    #expect(ending.status == 1)
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    #expect(answer["ok"] as? Bool == false)
    let failed = (answer["checks"] as? [[String: Any]] ?? []).filter { $0["ok"] as? Bool == false }
    #expect(failed.map { $0["name"] as? String } == ["pipelines"])
  }
}
