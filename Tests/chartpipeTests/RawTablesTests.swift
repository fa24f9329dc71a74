import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import chartpipe

@Suite struct RawTablesTests {
  private func settings(_ words: String) throws -> RunSettings {
    let pipelines = repositoryRoot.appending(path: "pipelines").path
    let arguments = words.split(separator: " ").map(String.init) + ["--pipelines", pipelines]
    return try RunSettings(ParsedArguments(arguments, for: Build.spec), command: "build")
  }

  @Test func theyAreCarriedOnRequestOnly() throws {
    let plain = try settings("sample-nasr --cycle 2304").plan
    let raw = try settings("sample-nasr --cycle 2304 --raw-tables").plan
    guard case .nasr(let without)? = plain.items.first?.content,
      case .nasr(let with)? = raw.items.first?.content
    else {
      Issue.record("there is no database")
      return
    }
    #expect(without.rawTables == nil)
    #expect(with.rawTables == true)
    // The step is keyed by this, so a database without them is not taken for one with them.
    #expect(try plain.items[0].definitionSha256() != raw.items[0].definitionSha256())
  }

  @Test func theyAreOfNoUseWithoutADatabase() throws {
    let mixed = try settings("sample-sectional sample-nasr --cycle 2304 --raw-tables").plan
    #expect(mixed.items.count == (try settings("sample-sectional sample-nasr --cycle 2304").plan.items.count))
    let fault = #expect(throws: UserError.self) {
      try settings("sample-sectional --cycle 2304 --raw-tables")
    }
    #expect(fault?.kind == .badCall)
    #expect(
      fault?.reason
        == "--raw-tables is for a database of the subscription (kind nasr), and none is to be made")
  }
}
