internal import Core
public import CryptoIO
public import Foundation

#if canImport(Glibc)
  internal import Glibc
#endif

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

/// Something about a source that stops nothing, and that a person should know of.
public struct SourceNote: Codable, Equatable, Sendable {
  /// The name of its file: `Denver_TAC.zip`.
  public var source: String
  public var message: String

  public init(source: String, message: String) {
    self.source = source
    self.message = message
  }
}

/// What everything else stands on, and can change the last digit of a sine or the order in which things are found.
public enum SystemLibraries {
  /// By their names.
  public static let versions = ["libc": libc, "swift": compiler]

  private static var libc: String {
    #if canImport(Glibc)
      var text = [CChar](repeating: 0, count: 64)
      let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
      return String(decoding: text.prefix(max(1, count) - 1).map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      return ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }

  /// A program does not know what compiled it but in steps.
  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}

/// The name and version that go into every product; a new version builds everything anew.
public enum ToolVersion {
  public static let tool = "chartpipe"
  public static let version = "0.3.0"
}
