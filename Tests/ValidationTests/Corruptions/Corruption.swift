import Pipeline
import Testing
import Validation

/// A way to make a clean cycle wrong, and the rule that must see it.
struct Corruption: CustomTestStringConvertible, Sendable {
  let name: String
  let caughtBy: String
  /// Whether no other rule may find anything, since the forgery is true to itself in all else.
  let isAlone: Bool
  let corrupt: @Sendable (CleanBuild) throws -> Void

  init(
    _ name: String, caughtBy: String, isAlone: Bool = true,
    _ corrupt: @escaping @Sendable (CleanBuild) throws -> Void
  ) {
    self.name = name
    self.caughtBy = caughtBy
    self.isAlone = isAlone
    self.corrupt = corrupt
  }

  var testDescription: String { name }

  /// Corrupts a copy of the clean build, and expects the rule to say so.
  func expectCaught() throws {
    let build = try CleanBuild()
    try corrupt(build)
    let findings = try build.findings()
    let rules = Set(findings.map(\.rule))
    #expect(rules.contains(caughtBy), "\(findings)")
    if isAlone { #expect(rules.isSubset(of: [caughtBy]), "\(findings)") }
  }
}

struct CleanBuildTests {
  @Test func `nothing is found in a clean build`() throws {
    let build = try CleanBuild()
    #expect(try Validator().validate([build.folder], progress: SilentProgress()).findings == [])
  }
}
