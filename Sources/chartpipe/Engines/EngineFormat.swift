internal import Core
internal import CryptoIO
internal import Foundation

/// A form of a plan that an engine for many machines reads.
enum EngineFormat: String, CaseIterable {
  case github
  case slurm
  case kubernetes

  /// - Parameter place: where the shards are exchanged; nil for the folder `parts` of the plan.
  func text(_ plan: ShardPlan, place: String?) throws -> String {
    let cycle = plan.cycle ?? ""
    let hash = try plan.sha256().text.prefix(8)
    let job = EngineJob(
      plan: plan, json: String(decoding: try CanonicalJSON.pretty(plan), as: UTF8.self),
      name: "chartpipe-\(cycle)-\(hash)", parts: place ?? "parts/\(cycle)-\(hash)")
    return switch self {
    case .github: try GitHubMatrix.text(plan)
    case .slurm: SlurmScript.text(job)
    case .kubernetes: try KubernetesJobs.text(job)
    }
  }

  static func tooMany(_ count: Int, for engine: String, limit: Int) -> UserError {
    UserError(
      .badCall, operation: "printing the plan", path: "for \(engine)",
      reason: "it has \(count) shards, and \(engine) takes \(limit) at most",
      suggestion: "Give fewer with --shards.")
  }
}

/// The values that scripts for engines contain.
struct EngineJob {
  let plan: ShardPlan
  /// The plan as a file, with a line break at its end.
  let json: String
  /// Differs between plans, so that two of them never share a job.
  let name: String
  /// Where the shards are exchanged.
  let parts: String

  var cycle: String { plan.cycle ?? "" }
  var count: Int { plan.shards.count }
}

/// The matrix of a job in GitHub Actions, on one line.
enum GitHubMatrix {
  private struct Matrix: Encodable {
    var include: [Entry]
  }

  private struct Entry: Encodable {
    var shard: String
    var number: Int
    var products: Int
    var seconds: Double
  }

  /// GitHub refuses a larger matrix.
  private static let limit = 256

  static func text(_ plan: ShardPlan) throws -> String {
    guard plan.shards.count <= limit else {
      throw EngineFormat.tooMany(plan.shards.count, for: "GitHub", limit: limit)
    }
    let entries = zip(plan.numbers, plan.shards).map { number, shard in
      Entry(
        shard: shard.shard, number: number.number, products: shard.products.count, seconds: shard.seconds)
    }
    return String(decoding: try CanonicalJSON.line(Matrix(include: entries)), as: UTF8.self) + "\n"
  }
}
