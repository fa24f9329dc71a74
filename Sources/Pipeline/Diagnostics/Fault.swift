/// A failure told in facts: what was being done, to which file, what was wrong, what to do next.
///
/// The rooms throw it; the command line words it, in one place, and turns its kind into the exit code.
public struct Fault: Error, Equatable, Sendable {
  public enum Kind: Int32, Sendable {
    case failed = 1
    case badCall = 2
    case badInput = 3
    case refused = 4
    case partlyDone = 5
    /// No failure: a look at the calendar that found nothing.
    case nothingToDo = 6
    /// 128 + SIGINT, as shells have it.
    case interrupted = 130
  }

  public let kind: Kind
  /// Such as "reading the chart".
  public let doing: String
  /// The file or the argument that it was done to.
  public let subject: String?
  public let problem: String
  public let remedy: String?
  /// What lay beneath, from the nearest to the deepest; shown with `--verbose`.
  public let causes: [String]

  public init(
    _ kind: Kind, doing: String, subject: String? = nil, problem: String, remedy: String? = nil,
    causes: [any Error] = []
  ) {
    self.kind = kind
    self.doing = doing
    // Whoever words a fault repeats what a person wrote, and people write passwords into addresses.
    self.subject = subject?.withoutPasswords
    self.problem = problem.withoutPasswords
    self.remedy = remedy?.withoutPasswords
    self.causes = causes.map { String(describing: $0).withoutPasswords }
  }

  /// One line that names the fault.
  public var line: String { "\(doing)\(subject.map { " \($0)" } ?? ""): \(problem)" }

  /// That line, and a second one that helps.
  public var message: String { line + (remedy.map { "\n  \($0)" } ?? "") }

  /// One line for each cause; empty where there is none.
  public var causeLines: String { causes.map { "  because: \($0)\n" }.joined() }
}

extension Fault: CustomStringConvertible {
  public var description: String { message }
}

extension String {
  /// The same without what stands before the `@` of an address, also of one that was taken for a path.
  public var withoutPasswords: String {
    guard contains("@") else { return self }
    return replacing(/(?i)([a-z][a-z0-9+.-]*(?::|%3A)\/\/|(?:https?|ftp|s3):\/)[^\/\s]*@/) { "\($0.1)…@" }
  }
}
