import Core
import Foundation
import Pipeline
import Testing

@testable import chartpipe

@Suite struct RunAccountTests {
  /// A run of six steps; what it measures of itself is left out.
  private func account(made: Int, of all: Int) -> RunAccount {
    var outcome = RunOutcome()
    outcome.outputs = (1...all).map { ("p/\($0)", []) }
    outcome.seconds = (1...all).prefix(made).map { ("p/\($0)", Double($0)) }
    var account = RunAccount()
    account.add(.built, 21.04)
    account.add(.validated, 0.96)
    account.add(outcome)
    account.seconds = 23.4567
    (account.memoryBytes, account.workBytes) = (187_000_000, 21_300_000)
    return account
  }

  @Test func theSlowestFiveAreTold() {
    #expect(
      account(made: 6, of: 7).text == """
        Took 23.5 s, with at most 187.0 MB of memory; the work folder holds 21.3 MB.
          built           21.0 s  6 made, 1 stood; the slowest:
                           6.0 s  p/6
                           5.0 s  p/5
                           4.0 s  p/4
                           3.0 s  p/3
                           2.0 s  p/2
          validated        1.0 s

        """)
  }

  @Test func whereNothingWasMadeNothingIsSlow() {
    #expect(account(made: 0, of: 3).text.contains("\n  built           21.0 s  0 made, 3 stood\n"))
  }

  @Test func theJobsPageHasTheSameNumbers() throws {
    let account = account(made: 1, of: 1)
    let cycle = try #require(AiracCycle(identifier: "2304"))
    let text = RunPage.text(cycle, RunOutcome(), account)
    #expect(
      text.contains("| took | 23.5 s, with at most 187.0 MB of memory; the work folder holds 21.3 MB |"))
    #expect(text.contains("| built | 21.0 s, 1 made |\n|  | 1.0 s, p/1 |"))
  }

  @Test func aMachineGetsAllStepsInOneLine() throws {
    let line = String(decoding: try CanonicalJSON.line(account(made: 6, of: 7)), as: UTF8.self)
    #expect(line.hasPrefix(#"{"event":"timing","memoryBytes":187000000,"phases":[{"phase":"built","#))
    #expect(line.contains(#""seconds":21.04}"#))
    #expect(line.contains(#""standing":1,"steps":[{"seconds":6,"step":"p/6"}"#))
    #expect(line.contains(#"{"seconds":1,"step":"p/1"}],"workBytes":21300000}"#))
  }
}
