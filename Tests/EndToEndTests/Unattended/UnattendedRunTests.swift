import Foundation
import TestSupport
import Testing

/// From the FAA's server to a store, with nobody looking.
@Suite struct UnattendedRunTests {
  private let served: TemporaryFolder
  private let server: FaultyServer

  init() throws {
    served = try TemporaryFolder()
    server = try UnattendedMachine.serve(from: served)
  }

  @Test(.enabled(if: LoopbackS3.canRun, Comment(rawValue: LoopbackS3.whyNot)))
  func `a cycle goes from a server to a store, and the second time nothing is sent`() async throws {
    let store = try await LoopbackS3.strict()
    let bucket = try store.newBucket()
    let machine = try UnattendedMachine(
      server, target: "s3://\(bucket)/vfr", environment: store.environment)
    let first = try machine.run()
    #expect(first.status == 0, "\(first.errors)")
    try expectWhole(machine)
    let (before, seen) = (try machine.contents(), try store.seen(of: bucket).count)
    server.forgetAsked()
    let second = try machine.run()
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.errors.contains("publish: up to date"), "\(second.errors)")
    let asked = try store.seen(of: bucket).dropFirst(seen)
    #expect(!asked.isEmpty && asked.allSatisfy { ["GET", "HEAD"].contains($0.method) }, "\(asked)")
    #expect(server.asked.filter { $0.path != "/" }.allSatisfy { $0.sentBytes == 0 }, "\(server.asked)")
    #expect(try machine.contents() == before)
    try expectWhole(machine)
  }

  @Test func `a target that cannot be understood is told before anything is fetched`() throws {
    let machine = try UnattendedMachine(server)
    try FileManager.default.createDirectory(at: machine.targetFolder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: machine.targetFolder.appending(path: "catalog.json"))
    let ending = try machine.run()
    #expect(ending.status == 3)
    #expect(ending.errors.contains("reading the catalogue of \(machine.target)"), "\(ending.errors)")
    #expect(server.asked.isEmpty)
    #expect(try files(below: machine.work).isEmpty)
  }

  /// The sample cycle has expired long ago, which is all that may be said against it.
  private func expectWhole(_ machine: UnattendedMachine) throws {
    let ending = try machine.run("verify", machine.target)
    #expect(ending.status == 4, "\(ending.errors)")
    let findings = ending.output.split(separator: "\n").filter { $0.contains("  site-") }
    #expect(!findings.isEmpty && findings.allSatisfy { $0.contains("site-currency") }, "\(ending.output)")
  }
}
