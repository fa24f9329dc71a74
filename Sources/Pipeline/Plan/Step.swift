internal import Core
public import CryptoIO
public import Foundation

/// One thing to be made. Steps know nothing of each other; the runner puts them together.
public struct Step: Sendable {
  public enum Preparation: Sendable {
    /// Finds and hashes the inputs. It runs for all steps before any work starts, so that a missing source is told at
    /// once and not after hours.
    case first(@Sendable () throws -> PreparedStep)
    /// For what is made of what other steps made: all of those have run by then, well or not. Nil when there is nothing
    /// to be made of it; why was told when the other step failed.
    case last(@Sendable (UpToDateSteps) throws -> PreparedStep?)
  }

  /// The product's id: `vfr-sectional/San_Francisco`.
  public let id: String
  public let preparation: Preparation

  public init(id: String, prepare: @escaping @Sendable () throws -> PreparedStep) {
    self.id = id
    preparation = .first(prepare)
  }

  public init(id: String, last prepare: @escaping @Sendable (UpToDateSteps) throws -> PreparedStep?) {
    self.id = id
    preparation = .last(prepare)
  }
}

/// What other steps left, by their ids: those of this run, and of those that are not of it what they left earlier.
public struct UpToDateSteps {
  public typealias Left = (key: SHA256Hex, files: [URL])

  private var steps: [String: Left] = [:]
  private let earlier: (String) -> Left?

  public init(earlier: @escaping (String) -> Left?) {
    self.earlier = earlier
  }

  mutating func add(_ id: String, _ left: Left) { steps[id] = left }

  /// The key that the step had, and the files that it made; nil when it failed, or was never done.
  public subscript(id: String) -> Left? { steps[id] ?? earlier(id) }
}

/// A step whose inputs are known.
public struct PreparedStep: Sendable {
  public let key: SHA256Hex
  /// Writes the outputs aside; the runner moves them to their names.
  public let make: @Sendable () throws -> StepOutputs

  public init(key: SHA256Hex, make: @escaping @Sendable () throws -> StepOutputs) {
    self.key = key
    self.make = make
  }
}

public struct StepOutputs: Sendable {
  public struct File: Sendable {
    public let scratch: URL
    public let final: URL

    public init(scratch: URL, final: URL) {
      self.scratch = scratch
      self.final = final
    }
  }

  /// In the order in which they are put in place; the one that vouches for the others comes last.
  public let files: [File]
  /// For people: "1,154 tiles, 12.4 MB".
  public let detail: String

  public init(files: [File], detail: String) {
    self.files = files
    self.detail = detail
  }
}

/// All that can change a step's output. Its hash decides whether work has to be done again.
public struct StepIngredients: Codable, Sendable {
  public var step: String
  public var cycle: String
  public var definitionSha256: SHA256Hex
  public var sources: [SHA256Hex]
  public var libraries: [String: String]
  public var tool = ToolVersion.tool
  public var version = ToolVersion.version

  public init(
    step: String, cycle: String, definitionSha256: SHA256Hex, sources: [SHA256Hex],
    libraries: [String: String]
  ) {
    self.step = step
    self.cycle = cycle
    self.definitionSha256 = definitionSha256
    self.sources = sources
    self.libraries = libraries
  }

  public func key() throws -> SHA256Hex {
    try SHA256Hex(of: Array(CanonicalJSON.line(self)))
  }
}
