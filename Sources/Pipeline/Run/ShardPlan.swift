public import Core
internal import CryptoIO
public import Foundation

/// The options that decide which products a run has, and how they are built.
public struct ProductSelection: Codable, Equatable, Sendable {
  /// The pipelines as the user named them.
  public var pipelines: [String]
  /// The values of `--only` and `--variant`; nil if the option is absent.
  public var only: [String]?
  public var variants: [String]?
  /// Nil if false.
  public var rawTables: Bool?
}

/// The number of a shard and the number of all shards: `2/3`.
public struct ShardNumber: Hashable, Sendable, CodableText {
  public static let form = "I/N, such as 2/3"
  public let number: Int
  public let count: Int

  public static let most = 1024

  /// Returns nil for a text that is not I/N with 1 <= I <= N.
  public init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    // Plain digits: `Int` also takes a sign.
    guard halves.count == 2, halves.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let number = Int(halves[0]), let count = Int(halves[1]), 1 <= number, number <= count,
      count <= ShardNumber.most
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  public var description: String { "\(number)/\(count)" }
  /// For a folder: `part-2-of-3`.
  public var folderName: String { "part-\(number)-of-\(count)" }
}

/// The division of a cycle among machines. All machines read the same file, so they agree on it.
public struct ShardPlan: Codable, Equatable, Sendable {
  public struct Shard: Codable, Equatable, Sendable {
    /// `2/3`
    public var shard: String
    public var products: [String]
    /// The expected duration of the build.
    public var seconds: Double
  }

  public var format = ShardPlan.currentFormat
  public var tool = ToolVersion.tool
  public var version = ToolVersion.version
  /// Nil for a division that was printed without a cycle. No machine builds from it.
  public var cycle: String?
  public var selection: ProductSelection
  /// The names of the definitions, with their variants.
  public var pipelines: [String]
  /// The hash of each pipeline's definition, as far as it affects the products of the plan.
  public var definitions: [String: SHA256Hex]
  /// The number of products, with those of the join.
  public var products: Int
  /// The number of products whose duration was measured; that of the others is estimated.
  public var measured: Int
  public var shards: [Shard]
  /// The mosaics, which `join` builds from the charts of all shards.
  public var afterwards: [String]
  /// The charts whose edge tiles `join` completes.
  public var seams: [String]

  private static let currentFormat = 1

  /// Identifies the plan: two machines with the same hash build parts of the same division.
  public func sha256() throws -> SHA256Hex { try SHA256Hex(of: Array(CanonicalJSON.line(self))) }

  /// The products of a shard; nil if the plan has no such shard.
  public subscript(number: ShardNumber) -> Shard? {
    number.count == shards.count ? shards.first { $0.shard == number.description } : nil
  }

  public var numbers: [ShardNumber] { shards.compactMap { ShardNumber($0.shard) } }
}

extension ShardPlan {
  /// Divides work among machines so that each has about the same amount.
  ///
  /// The longest unit goes first, each to the machine with the least work so far. No machine then has more than 4/3 of the best
  /// possible share. Times are whole milliseconds, and ties have a fixed order, so every machine finds the same division.
  ///
  /// - Parameter units: The name orders two that take equally long.
  /// - Returns: the indexes of each machine's units in their order, and its milliseconds.
  static func divide(
    _ units: [(name: String, milliseconds: Int)], among count: Int
  ) -> [(units: [Int], milliseconds: Int)] {
    var shares: [(units: [Int], milliseconds: Int)] = Array(repeating: ([], 0), count: count)
    let longestFirst = units.indices.sorted {
      (units[$1].milliseconds, units[$0].name) < (units[$0].milliseconds, units[$1].name)
    }
    for unit in longestFirst {
      let least = shares.indices.min { shares[$0].milliseconds < shares[$1].milliseconds } ?? 0
      shares[least].units.append(unit)
      shares[least].milliseconds += units[unit].milliseconds
    }
    return shares.map { ($0.units.sorted(), $0.milliseconds) }
  }

  /// More than a plan of ten thousand products needs.
  private static let limit = 16 << 20
  static let makeItAgain = "Make the plan again with `chartpipe plan --shards N --cycle C --output FILE`."

  /// Reads the file of a plan.
  public init(contentsOf file: URL) throws {
    func refuse(_ kind: UserError.Kind, _ reason: String, _ causes: [any Error] = []) -> UserError {
      UserError(
        kind, operation: "reading the plan", path: file.path, reason: reason,
        suggestion: ShardPlan.makeItAgain, causes: causes)
    }
    let data: Data
    do {
      guard file.isRegularFile else { throw CocoaError(.fileReadNoSuchFile) }
      data = try Data(contentsOf: file)
    } catch {
      throw refuse(.badCall, error.fileErrorReason, [error])
    }
    guard data.count <= ShardPlan.limit else { throw refuse(.badInput, "it is too large for a plan") }
    self = try explaining(
      { refuse(.badInput, ($0 as? DecodingError)?.whereAndWhy(in: data) ?? "it is not a plan", [$0]) }
    ) { try JSON5.decode(ShardPlan.self, from: data) }
    if let problem = problem { throw refuse(.badInput, problem) }
  }

  /// Whether a file is a plan, of any version.
  public static func isPlan(_ file: URL) -> Bool {
    guard let data = try? Data(contentsOf: file), data.count <= limit else { return false }
    return (try? JSON5.decode(ShardPlan.self, from: data)) != nil
  }

  /// Why this program cannot build from the plan; nil if it can.
  public var problem: String? {
    guard format == ShardPlan.currentFormat else { return "its format \(format) is not known" }
    guard tool == ToolVersion.tool, version == ToolVersion.version else {
      return "it is a plan of \(tool) \(version), and this is \(ToolVersion.tool) \(ToolVersion.version)"
    }
    guard let cycle else { return "it was made without --cycle" }
    guard AiracCycle(identifier: cycle) != nil else { return "there is no AIRAC cycle \"\(cycle)\"" }
    guard 1...ShardNumber.most ~= shards.count,
      shards.indices.allSatisfy({ shards[$0].shard == "\($0 + 1)/\(shards.count)" })
    else { return "its shards are not numbered 1/N to N/N" }
    return nil
  }
}
