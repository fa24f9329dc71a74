internal import Core
internal import Foundation

/// The arguments of a command, checked against its specification.
struct ParsedArguments: Equatable, Sendable {
  /// The name of the command, for errors.
  let command: String
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  func has(_ flag: String) -> Bool { flags.contains(flag) }
  func value(_ option: String) -> String? { values[option]?.first }
  /// The values of a repeatable option.
  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option, read by a closure that returns nil for a wrong one; nil if the option is absent.
  ///
  /// - Parameter form: what the option takes, for the error.
  func value<Value>(_ option: String, as form: String, _ read: (String) throws -> Value?) throws -> Value? {
    guard let text = value(option) else { return nil }
    if let value = try read(text) { return value }
    throw usageError("\(option) takes \(form), not \"\(text)\"")
  }

  /// The parts of `a,b,c`.
  func list(_ option: String) throws -> [String]? {
    try value(option, as: "a list such as a,b") { text in
      let parts = text.split(separator: ",").map(String.init)
      return parts.isEmpty ? nil : parts
    }
  }

  /// A whole number in a range.
  func count(_ option: String, in range: ClosedRange<Int> = 1...1024) throws -> Int? {
    try value(option, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// One zoom, or the first and the last one.
  func zooms(_ option: String, upTo limit: Int) throws -> ClosedRange<Int>? {
    try value(option, as: "one zoom or two up to \(limit), such as 6-12") { text in
      let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        0 <= first, first <= last, last <= limit
      else { return nil }
      return first...last
    }
  }

  /// A date (its end, UTC) or an ISO 8601 time.
  func time(_ option: String) throws -> Instant? {
    let form = "a date or a time, such as 2026-12-01 or 2026-12-01T15:00:00Z"
    guard let time = try value(option, as: form, { Instant($0) }) else { return nil }
    let years = "\(AiracCycle.years.lowerBound) to \(AiracCycle.years.upperBound)"
    return try value(option, as: "a date in the years \(years), for which AIRAC cycles have identifiers") {
      _ in
      AiracCycle(at: time).hasIdentifier ? time : nil
    }
  }

  /// The number of workers; by default one per core.
  func jobs() throws -> Int { try count("--jobs") ?? ProcessInfo.processInfo.activeProcessorCount }

  private static let shortNames = ["-h": "--help", "-o": "--output"]

  init(_ words: [String], for spec: CommandSpec) throws {
    command = spec.name
    var rest = words[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if word == "--" {
        onlyOperands = true
      } else if onlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else {
        try take(ParsedArguments.shortNames[word] ?? word, rest: &rest, spec)
      }
    }
    guard !has("--help") else { return }
    try checkComplete(spec)
    try checkPlaces(spec)
  }

  private mutating func take(_ word: String, rest: inout ArraySlice<String>, _ spec: CommandSpec) throws {
    let halves = word.split(separator: "=", maxSplits: 1).map(String.init)
    let name = halves.first ?? word
    guard let option = spec.allOptions.first(where: { $0.name == name }) else {
      throw usageError(
        "there is no option \(name)", remedy: didYouMean(name, among: spec.allOptions.map(\.name)))
    }
    guard option.value != nil else {
      guard halves.count == 1 else { throw usageError("\(name) takes no value") }
      flags.insert(name)
      return
    }
    let value = try halves.count == 2 ? halves[1] : nextValue(of: option, from: &rest)
    guard !value.isEmpty else { throw usageError("\(option.usage) needs a value") }
    guard option.isRepeatable || values[name] == nil else { throw usageError("\(name) occurs twice") }
    values[name, default: []].append(value)
  }

  /// Takes the next word as the value of an option, unless it is an option itself.
  private func nextValue(of option: OptionSpec, from rest: inout ArraySlice<String>) throws -> String {
    guard let next = rest.first else { return "" }
    guard next.hasPrefix("--") || next == "-h" else { return rest.removeFirst() }
    throw usageError(
      "\(option.usage) needs a value, and \(next) follows it",
      remedy: "For a value that begins with two dashes, write \(option.name)=VALUE.")
  }

  private func checkComplete(_ spec: CommandSpec) throws {
    let isReplaced = spec.options.contains { $0.replacesOperands && values[$0.name] != nil }
    if !isReplaced, let missing = spec.options.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw usageError("\(missing.usage) is missing")
    }
    let minimum = isReplaced ? 0 : spec.operands?.minimum ?? 0
    let maximum = spec.operands.map { $0.maximum ?? .max } ?? 0
    if operands.count < minimum {
      throw usageError("\(spec.operands?.usage ?? "") is missing")
    }
    if operands.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw usageError("an argument is empty", remedy: "An unset variable of the shell is the usual cause.")
    }
    if operands.count > maximum {
      throw usageError("\"\(operands[maximum])\" is an unexpected argument")
    }
  }

  func usageError(_ problem: String, remedy: String? = nil) -> UserError {
    ParsedArguments.usageError(command, problem, remedy: remedy)
  }

  /// An error in the call. The suggestion ends with a reference to the help.
  static func usageError(_ command: String, _ problem: String, remedy: String? = nil) -> UserError {
    let help = "See `chartpipe\(command.isEmpty ? "" : " ")\(command) --help`."
    return UserError(
      .badCall, operation: "reading the command line", reason: problem,
      suggestion: [remedy, help].compactMap(\.self).joined(separator: " "))
  }
}

extension ParsedArguments {
  /// The rules whose findings `--accept` accepts.
  func acceptances() throws -> [Acceptance] {
    let rules = Validator.rules.map(\.name)
    return try values("--accept").map { text in
      guard let acceptance = Acceptance(text) else {
        throw usageError(
          "--accept takes RULE:REASON or RULE@PRODUCT:REASON, not \"\(text)\"",
          remedy: "Add a reason: the report shows it.")
      }
      if rules.contains(acceptance.rule) { return acceptance }
      throw usageError(
        "--accept: there is no rule \(acceptance.rule)",
        remedy: didYouMean(
          acceptance.rule, among: rules, or: "`chartpipe validate --list` prints all rules."))
    }
  }
}
