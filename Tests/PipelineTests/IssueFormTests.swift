import Foundation
import TestSupport
import Testing

/// The form by which users report wrong data.
struct IssueFormTests {
  @Test func `it asks for what a correction needs`() throws {
    let file = repositoryRoot.appending(path: ".github/ISSUE_TEMPLATE/data-error.yml")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let ids = lines.compactMap { $0.wholeMatch(of: /\ {4}id: ([a-z]+)/).map { String($0.1) } }
    #expect(ids == ["cycle", "product", "identifier", "wrong", "faa", "evidence"])
    #expect(lines.count { $0.hasSuffix("required: true") } == 5, "all but the evidence")
    for key in ["name: ", "description: ", "body:"] { #expect(lines.contains { $0.hasPrefix(key) }) }
  }
}
