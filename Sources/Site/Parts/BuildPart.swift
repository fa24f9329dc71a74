public import Core
public import Foundation

/// What one machine built of a plan: the content of `part.json`, which is written after all files that it lists.
///
/// It has no times and no names of machines: the same shard, built twice, has the same bytes.
public struct BuildPart: Codable, Equatable, Sendable {
  public struct Built: Codable, Equatable, Sendable {
    public var product: String
    /// The key of the step, as in a journal.
    public var key: SHA256Hex
    /// The description of the product is the last one.
    public var files: [Journal.Entry.Output]
  }

  public struct Failure: Codable, Equatable, Sendable {
    public var product: String
    /// The exit code of a run in which nothing else happened.
    public var exitCode: Int
    public var operation: String
    public var path: String?
    public var reason: String
    public var suggestion: String?
  }

  public var format = BuildPart.currentFormat
  public var number: ShardNumber
  public var planSha256: SHA256Hex
  public var plan: ShardPlan
  /// The versions of the libraries that can change a byte.
  public var libraries: [String: String]
  /// In the order of the plan.
  public var built: [Built]
  public var failures: [Failure]
  public var notes: [SourceNote]

  private enum CodingKeys: String, CodingKey {
    case format, planSha256, plan, libraries, built, failures, notes
    case number = "shard"
  }

  public static let fileName = "part.json"
  /// The durations, which the journal of the join gets. They are not part of the part: they differ each time.
  static let timesName = "part.times.json"
  private static let currentFormat = 1
  /// More than a part of ten thousand products needs.
  static let limit = 32 << 20

  /// `2/3`
  public var shard: String { number.description }
  var files: [Journal.Entry.Output] { built.flatMap(\.files) }
}

extension BuildPart.Built {
  public init(_ entry: Journal.Entry) {
    self.init(product: entry.step.product, key: entry.key, files: entry.outputs)
  }
}

extension BuildPart.Failure {
  /// - Parameter folders: the folders of this machine. Paths below them become relative, since other machines do not have them.
  public init(_ step: Step.ID, _ error: UserError, leavingOut folders: [URL]) {
    let relative = { (text: String) in text.relative(to: folders) }
    self.init(
      product: step.product, exitCode: Int(error.kind.rawValue), operation: relative(error.operation),
      path: error.path.map(relative), reason: relative(error.reason),
      suggestion: error.suggestion.map(relative))
  }

  /// The error, as a run reports it.
  public var error: UserError {
    let kind = Int32(exactly: exitCode).flatMap(UserError.Kind.init) ?? .failed
    return UserError(
      kind, operation: operation.printable, path: path?.printable, reason: reason.printable,
      suggestion: suggestion?.printable)
  }
}

extension String {
  /// The text without control characters, which could change what a terminal shows, and not longer than an honest message.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }.prefix(4000)))
  }
}

// MARK: - Checks

extension BuildPart {
  /// The bounds of an honest part. A part comes from another machine, so no number and no name in it is trusted.
  private static let mostBytes = 1 << 42
  private static let mostFiles = 64
  private static let longestName = 200

  /// Why the part cannot be used; nil if it can. Does not read its files.
  func problem() throws -> String? {
    guard format == BuildPart.currentFormat else { return "its format \(format) is not known" }
    if let problem = plan.problem { return problem }
    guard planSha256 == (try plan.sha256()) else { return "its plan does not have the hash that it states" }
    guard let shard = plan[number] else { return "its plan has no shard \(number)" }
    let reported = built.map(\.product) + failures.map(\.product)
    guard Set(reported).count == reported.count else { return "it reports a product twice" }
    if let stray = reported.first(where: { !shard.products.contains($0) }) {
      return "\(stray) is not a product of shard \(number)"
    }
    let paths = files.map(\.path)
    guard Set(paths).count == paths.count else { return "it lists a file twice" }
    return built.lazy.compactMap { problem(of: $0) }.first
  }

  private func problem(of built: Built) -> String? {
    guard 1...BuildPart.mostFiles ~= built.files.count, built.files.last?.role != .file,
      built.files.dropLast().allSatisfy({ $0.role == .file })
    else { return "the files of \(built.product) do not end with its description" }
    if let bad = built.files.first(where: { !isPlace($0.path, of: built.product) }) {
      return "\"\(bad.path.prefix(BuildPart.longestName))\" is not a path of \(built.product)"
    }
    guard built.files.allSatisfy({ 0...BuildPart.mostBytes ~= $0.bytes }) else {
      return "a file of \(built.product) has an impossible size"
    }
    return nil
  }

  /// Whether a path is `build/CYCLE/PIPELINE/FILE` or one folder deeper.
  private func isPlace(_ path: String, of product: String) -> Bool {
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard 4...5 ~= steps.count, let cycle = plan.cycle, let pipeline = product.split(separator: "/").first,
      steps[0] == "build", steps[1] == cycle, steps[2] == pipeline
    else { return false }
    return steps.dropFirst(2).allSatisfy { step in
      !step.isEmpty && !step.hasPrefix(".") && step.utf8.count <= BuildPart.longestName
        && step.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "\\") }
    }
  }
}
