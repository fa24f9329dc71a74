import Foundation
import TestSupport
import Testing

/// Runs from the server to the readers that are killed at any instant, and started again.
@Suite struct KilledRunTests {
  private let served: TemporaryFolder
  private let server: FaultyServer

  init() throws {
    served = try TemporaryFolder()
    server = try UnattendedMachine.serve(from: served)
  }

  @Test func `whenever a run is killed, the same files are there in the end, and no other`() throws {
    let undisturbed = try UnattendedMachine(server)
    let start = ContinuousClock.now
    let ending = try undisturbed.run()
    try #require(ending.status == 0, "\(ending.errors)")
    let longest = (ContinuousClock.now - start) / .seconds(1)
    let reference = try undisturbed.contents()
    #expect(reference.contains { $0.hasPrefix("target/catalog.json ") })

    var (kills, wanted) = (0, UnattendedMachine.kills ?? 5)
    var instants: [String: Int] = [:]
    while wanted > 0 {
      let machine = try UnattendedMachine(server)
      var last: Program.Ending
      repeat {
        last = try killed(machine, after: wanted > 0 ? Double.random(in: 0.01...longest) : nil)
        kills += last.wasKilled ? 1 : 0
        wanted -= 1
        instants[last.wasKilled ? Self.instant(last) : "the end", default: 0] += 1
        try machine.expectOnlyWholeFiles()
      } while last.wasKilled
      #expect(last.status == 0, "\(last.errors)")
      let differs = try Set(machine.contents()).symmetricDifference(reference)
      #expect(differs.isEmpty, "\(differs.sorted())")
    }
    #expect(kills >= 1, "each run was over before it was killed")
    if UnattendedMachine.kills != nil { print("\(kills) kills: \(instants.sorted { $0.key < $1.key })") }
  }

  private func killed(_ machine: UnattendedMachine, after seconds: Double?) throws -> Program.Ending {
    let running = try machine.start()
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      running.send(SIGKILL)
    }
    defer { machine.removeLease() }
    return try running.wait()
  }

  /// What it last told of.
  private static func instant(_ ending: Program.Ending) -> String {
    ending.errors.split(separator: "\n").last.map { String($0.prefix { $0 != ":" }) } ?? "the start"
  }
}
