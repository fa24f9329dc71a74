import Foundation
import TestSupport
import Testing

/// Pins each `--help`, word for word. `UPDATE_GOLDENS=1 swift test --filter HelpTests` writes them anew.
@Suite struct HelpTests {
  static let goldens = repositoryRoot.appending(path: "Tests/EndToEndTests/Goldens")

  @Test(arguments: [
    [], ["cycle"], ["doctor"], ["due"], ["plan"], ["build"], ["validate"], ["inspect"], ["diff"], ["convert"],
    ["patch"], ["fetch"], ["stage"], ["run"], ["preview"], ["keygen"], ["publish"], ["rollback"], ["verify"],
    ["mirror"], ["pack"], ["status"], ["reproduce"], ["correct"], ["completions"], ["manual"],
  ])
  func helpIsAsItWas(command: [String]) throws {
    let ending = try Program().run(command + ["--help"])
    #expect(ending.status == 0)
    #expect(ending.errors.isEmpty)
    #expect(ending.output.split(separator: "\n").allSatisfy { $0.count <= 110 })

    let golden = Self.goldens.appending(path: "help-\(command.first ?? "overview").txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try Data(ending.output.utf8).write(to: golden)
    }
    #expect(ending.output == (try String(contentsOf: golden, encoding: .utf8)))
  }

  @Test func theVersionIsOneLine() throws {
    let ending = try Program().run(["--version"])
    #expect(ending.output == "chartpipe 0.3.0\n")
    #expect(ending.status == 0)
  }
}
