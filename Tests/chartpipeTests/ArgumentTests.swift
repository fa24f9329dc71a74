import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct ArgumentTests {
  static let spec = CommandSpec(
    name: "test", summary: "Tests.",
    operands: OperandSpec(name: "FILE", help: "a file", minimum: 1, maximum: 2),
    options: [.cycle, .only, .json], examples: "")

  private func parse(_ words: String) throws -> ParsedArguments {
    try ParsedArguments(words.split(separator: " ").map(String.init), for: Self.spec)
  }

  @Test(arguments: [
    "a --cycle 2612 --only x,y --json", "--json --cycle=2612 --only=x,y a",
    "--cycle 2612 --json --only x,y -- a",
  ])
  func `accepts options in any position`(words: String) throws {
    let parsed = try parse(words)
    #expect(parsed.operands == ["a"])
    #expect(parsed.value("--cycle") == "2612")
    #expect(try parsed.list("--only") == ["x", "y"])
    #expect(parsed.has("--json"))
    #expect(!parsed.has("--quiet"))
  }

  @Test func `a value after = may begin with dashes`() throws {
    #expect(try parse("a --cycle=--x").value("--cycle") == "--x")
  }

  @Test func `treats words after two dashes as operands`() throws {
    #expect(try parse("--cycle 2612 -- --json").operands == ["--json"])
  }

  @Test(arguments: [
    ("a --cycle 2612 --jsn", "there is no option --jsn", "Did you mean --json? See `chartpipe test --help`."),
    ("a --cycle", "--cycle C needs a value", "See `chartpipe test --help`."),
    ("a --cycle=", "--cycle C needs a value", "See `chartpipe test --help`."),
    (
      "a --cycle --only x", "--cycle C needs a value, and --only follows it",
      "For a value that begins with two dashes, write --cycle=VALUE. See `chartpipe test --help`."
    ),
    ("a --cycle 1 --cycle 2", "--cycle occurs twice", "See `chartpipe test --help`."),
    ("a --json=yes --cycle 1", "--json takes no value", "See `chartpipe test --help`."),
    ("a", "--cycle C is missing", "See `chartpipe test --help`."),
    ("--cycle 2612", "FILE... is missing", "See `chartpipe test --help`."),
    ("a b c --cycle 2612", "\"c\" is an unexpected argument", "See `chartpipe test --help`."),
  ])
  func `an error names the problem and refers to the help`(words: String, problem: String, remedy: String) {
    let fault = #expect(throws: UserError.self) { try parse(words) }
    #expect(fault?.kind == .badCall)
    #expect(fault?.reason == problem)
    #expect(fault?.suggestion == remedy)
  }

  @Test func `help needs no other argument`() throws {
    #expect(try parse("--help").has("--help"))
    #expect(try parse("-h").has("--help"))
  }

  @Test(arguments: [
    ("0", false), ("1", true), ("1024", true), ("1025", false), ("two", false), ("-1", false),
  ])
  func `a count is a whole number in range`(text: String, isGood: Bool) throws {
    let spec = CommandSpec(name: "test", summary: "", options: [.jobs], examples: "")
    let parsed = try ParsedArguments(["--jobs=\(text)"], for: spec)
    if isGood {
      #expect(try parsed.count("--jobs") == Int(text))
    } else {
      #expect(throws: UserError.self) { try parsed.count("--jobs") }
    }
  }

  @Test(arguments: [
    ("500MB", 500_000_000), ("2GB", 2_000_000_000), ("1.5gb", 1_500_000_000), ("20 GB", 20_000_000_000),
    ("1000TB", 1_000_000_000_000_000), ("64kB", 64_000), ("2", nil), ("2GiB", nil), ("GB", nil),
    ("-2GB", nil), ("1e9GB", nil), ("0MB", nil), ("1001TB", nil), ("nanMB", nil), ("1.2.3MB", nil),
    ("99999999999999999999GB", nil),
  ])
  func `a size has a unit`(text: String, bytes: Int?) throws {
    let spec = CommandSpec(name: "test", summary: "", options: [.maxDisk], examples: "")
    let parsed = try ParsedArguments(["--max-disk", text], for: spec)
    if let bytes {
      #expect(try parsed.maxDisk() == bytes)
    } else {
      let fault = #expect(throws: UserError.self) { try parsed.maxDisk() }
      #expect(fault?.reason == "--max-disk takes a size such as 500MB or 2GB, not \"\(text)\"")
    }
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3),
    ("--jsn", "--json", 1),
  ])
  func `the edit distance is Levenshtein's`(a: String, b: String, distance: Int) {
    #expect(editDistance(a, b) == distance)
  }

  @Test func `every command has an example and help for each option`() {
    for spec in Chartpipe.commands {
      #expect(!spec.examples.isEmpty, "\(spec.name)")
      #expect(spec.allOptions.allSatisfy { !$0.help.isEmpty && $0.name.hasPrefix("--") }, "\(spec.name)")
      #expect(spec.summary.hasSuffix("."), "\(spec.name)")
    }
  }
}

@Suite struct RawTablesTests {
  private func settings(_ words: String) throws -> RunSettings {
    let pipelines = repositoryRoot.appending(path: "pipelines").path
    let arguments = words.split(separator: " ").map(String.init) + ["--pipelines", pipelines]
    return try RunSettings(ParsedArguments(arguments, for: .build))
  }

  @Test func `copies raw tables only on request`() throws {
    let plain = try settings("sample-nasr --cycle 2304").plan
    let raw = try settings("sample-nasr --cycle 2304 --raw-tables").plan
    #expect(plain.items.compactMap { ($0 as? NASRItem)?.definition.rawTables } == [])
    #expect(raw.items.compactMap { ($0 as? NASRItem)?.definition.rawTables } == [true])
    // The step is keyed by this, so a database without them is not taken for one with them.
    #expect(try plain.items[0].definitionSha256() != raw.items[0].definitionSha256())
  }

  @Test func `rejects raw tables without a database`() throws {
    let mixed = try settings("sample-sectional sample-nasr --cycle 2304 --raw-tables").plan
    #expect(mixed.items.count == (try settings("sample-sectional sample-nasr --cycle 2304").plan.items.count))
    let fault = #expect(throws: UserError.self) { try settings("sample-sectional --cycle 2304 --raw-tables") }
    #expect(fault?.kind == .badCall)
    #expect(
      fault?.reason
        == "--raw-tables is for a database of the subscription (kind nasr), and none is to be made")
  }
}
