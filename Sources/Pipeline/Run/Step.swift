public import Core
internal import CryptoIO
public import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// A unit of work of a run, such as building a chart or a database. Steps do not know each other; the runner connects them.
public struct Step: Sendable {
  public enum Preparation: Sendable {
    /// Finds and hashes the sources. The runner prepares all these steps before any work starts, so it reports a missing source
    /// at once.
    case fromSources(@Sendable () throws -> PreparedStep)
    /// For a step that uses the results of other steps. The runner prepares it after those, even if some of them failed. Returns
    /// nil if there is nothing to do; the failure of the other step was already reported.
    case fromResults(@Sendable (StepResults) throws -> PreparedStep?)
  }

  public let id: ID
  public let preparation: Preparation

  public init(id: ID, fromSources prepare: @escaping @Sendable () throws -> PreparedStep) {
    self.id = id
    preparation = .fromSources(prepare)
  }

  public init(id: ID, fromResults prepare: @escaping @Sendable (StepResults) throws -> PreparedStep?) {
    self.id = id
    preparation = .fromResults(prepare)
  }

  public var usesResults: Bool { if case .fromResults = preparation { true } else { false } }
}

extension Step {
  /// The identity of a step: the product that it builds, or the product whose edge tiles it completes.
  ///
  /// Its text is that of journals and events: `vfr-sectional/Seattle`, or `vfr-sectional/Seattle, seams`.
  public struct ID: Hashable, Sendable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The product's id: `vfr-sectional/Seattle`.
    public let product: String
    public let completesSeams: Bool

    private static let seams = ", seams"

    public init(product: String, completesSeams: Bool = false) {
      (self.product, self.completesSeams) = (product, completesSeams)
    }

    public init(_ text: String) {
      completesSeams = text.hasSuffix(ID.seams)
      product = completesSeams ? String(text.dropLast(ID.seams.count)) : text
    }

    public init(stringLiteral text: String) { self.init(text) }
    public init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

    public var description: String { completesSeams ? product + ID.seams : product }
  }
}

/// A step whose inputs are known.
public struct PreparedStep: Sendable {
  public let key: SHA256Hex
  /// Writes the outputs to scratch files; the runner moves them to their final places. Its argument returns the last result of
  /// the step with another key, if the files are unchanged. Parts of it may be copied; the outputs must not depend on it.
  public let make: @Sendable (_ earlier: () -> StepResult?) throws -> StepOutputs
}

/// What an output file of a step is for.
public enum OutputRole: String, Codable, Sendable {
  /// A file that a description lists.
  case file
  /// The description of a finished product, which can be staged.
  case product
  /// The description of a product that another step completes.
  case intermediate
}

/// The scratch files of a step and their final places.
public struct StepOutputs: Sendable {
  public struct File: Sendable {
    public let scratch: URL
    public let final: URL
    public var role: OutputRole = .file
    /// Nil if the step did not compute it.
    public var sha256: SHA256Hex?
  }

  /// The runner moves them in this order. The description comes last, since it vouches for the others.
  public let files: [File]
  /// A text for display: "1,154 tiles, 12.4 MB".
  public let detail: String
  /// Doubts about the product. A run that finds the step up to date repeats them.
  public var warnings: [String] = []
}

/// The result of a finished step.
public final class StepResult: Sendable {
  public struct File: Hashable, Sendable {
    public let url: URL
    public var role: OutputRole = .file
  }

  public let step: Step.ID
  public let key: SHA256Hex
  public let files: [File]
  public let warnings: [String]
  /// Decoded once for all steps that use the product.
  private let decoded = Mutex<Product?>(nil)

  init(step: Step.ID, key: SHA256Hex, files: [File], warnings: [String] = []) {
    (self.step, self.key, self.files, self.warnings) = (step, key, files, warnings)
  }

  /// The description of the finished product; nil if another step completes it.
  public var description: URL? { files.first { $0.role == .product }?.url }

  /// The product, finished or not, and the folder of its files.
  public func product() throws -> (product: Product, folder: URL)? {
    guard let description = files.first(where: { $0.role != .file })?.url else { return nil }
    let product = try decoded.withLock { decoded in
      let product = try decoded ?? Product(describedBy: description)
      decoded = product
      return product
    }
    return (product, description.deletingLastPathComponent())
  }
}

/// The results of this run's steps and, for steps that are not part of this run, of an earlier one.
public struct StepResults {
  private var results: [Step.ID: StepResult] = [:]
  private let earlier: (Step.ID) -> StepResult?

  public init(earlier: @escaping (Step.ID) -> StepResult?) { self.earlier = earlier }

  mutating func add(_ result: StepResult) { results[result.step] = result }

  /// Nil if the step failed or never ran.
  public subscript(step: Step.ID) -> StepResult? { results[step] ?? earlier(step) }
}

/// Everything that can change a step's output. Its hash is the key of the step: a step with the same key is up to date.
public struct StepIngredients: Codable, Sendable {
  public var step: Step.ID
  /// The cycle; for a product with the same files in all cycles of an edition, the first of them.
  public var cycle: String
  public var definitionSha256: SHA256Hex
  /// Each with its name, since the product states it, and the name can decide what the source is read as.
  public var sources: [String]
  public var libraries: [String: String]
  public var tool = ToolVersion.tool
  public var version = ToolVersion.version

  public func key() throws -> SHA256Hex { try SHA256Hex(of: Array(CanonicalJSON.line(self))) }
}

/// A remark about a source for the user. It does not stop the run.
public struct SourceNote: Codable, Hashable, Sendable {
  /// The name of its file: `Denver_TAC.zip`.
  public var source: String
  public var message: String
}

/// System components that can change the last digit of a sine or the order of results.
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

  /// The minor version; the compiler reveals no more than that.
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

/// The name and version in every product. A new version rebuilds everything.
public enum ToolVersion {
  public static let tool = "chartpipe"
  public static let version = "0.3.0"
}
