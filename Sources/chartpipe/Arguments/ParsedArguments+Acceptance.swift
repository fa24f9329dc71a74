import Core
import Pipeline
import Validation

extension ParsedArguments {
  /// What `--accept` lets pass.
  func acceptances(command: String) throws -> [Acceptance] {
    try values("--accept").map { text in
      do throws(Acceptance.Misreading) {
        return try Acceptance(text)
      } catch {
        throw ParsedArguments.fault(command, error.problem, remedy: error.remedy)
      }
    }
  }
}

extension Acceptance.Misreading {
  fileprivate var problem: String {
    switch self {
    case .noReason(let text): "--accept takes RULE:REASON, not \"\(text)\""
    case .noSuchRule(let name): "--accept: there is no rule \(name)"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .noReason: "Give a reason: readers of the report need it."
    case .noSuchRule(let name):
      nearest(to: name, among: Validator.rules.map(\.name)).map { "Did you mean \($0)?" }
        ?? "`chartpipe validate --list` has all rules."
    }
  }
}
