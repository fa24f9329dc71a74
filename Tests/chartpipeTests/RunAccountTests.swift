import Core
import CryptoIO
import Testing

@testable import ChartpipeKit

@Suite struct RunAccountTests {
  /// A run of six steps, without the measured time and memory.
  private func account(made: Int, of all: Int) throws -> RunAccount {
    var outcome = RunOutcome()
    let key = try SHA256Hex(of: [])
    outcome.results = (1...all).map { StepResult(step: Step.ID("p/\($0)"), key: key, files: []) }
    outcome.seconds = (1...all).prefix(made).map { (Step.ID("p/\($0)"), Double($0)) }
    var account = RunAccount()
    account.add(.built, 21.04)
    account.add(.validated, 0.96)
    account.add(outcome)
    account.seconds = 23.4567
    (account.memoryBytes, account.workBytes) = (187_000_000, 21_300_000)
    return account
  }

  @Test func `lists the five slowest steps`() throws {
    #expect(
      try account(made: 6, of: 7).text == """
        Took 23.5 s, with at most 187.0 MB of memory; the work folder holds 21.3 MB.
          built           21.0 s  6 done, 1 up to date; the slowest:
                           6.0 s  p/6
                           5.0 s  p/5
                           4.0 s  p/4
                           3.0 s  p/3
                           2.0 s  p/2
          validated        1.0 s

        """)
  }

  @Test func `lists no step if all are up to date`() throws {
    #expect(try account(made: 0, of: 3).text.contains("\n  built           21.0 s  0 done, 3 up to date\n"))
  }

  @Test func `the job's page has the same numbers`() throws {
    let account = try account(made: 1, of: 1)
    let cycle = try #require(AiracCycle(identifier: "2304"))
    let text = JobPage.run(cycle, RunOutcome(), account)
    #expect(
      text.contains("| took | 23.5 s, with at most 187.0 MB of memory; the work folder holds 21.3 MB |"))
    #expect(text.contains("| built | 21.0 s, 1 done |\n|  | 1.0 s, p/1 |"))
  }

  @Test func `the JSON event has all steps in one line`() throws {
    let line = String(decoding: try CanonicalJSON.line(account(made: 6, of: 7)), as: UTF8.self)
    #expect(line.hasPrefix(#"{"event":"timing","memoryBytes":187000000,"phases":[{"phase":"built","#))
    #expect(line.contains(#""seconds":21.04}"#))
    #expect(line.contains(#","steps":[{"seconds":6,"step":"p/6"}"#))
    #expect(line.contains(#"{"seconds":1,"step":"p/1"}],"upToDate":1,"workBytes":21300000}"#))
  }
}
