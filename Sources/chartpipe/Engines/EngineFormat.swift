internal import Core

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
    case .github: try job.gitHubMatrix()
    case .slurm: job.slurmScript
    case .kubernetes: try job.kubernetesJobs()
    }
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

extension EngineJob {
  private struct MatrixEntry: Encodable {
    var shard: String
    var number: Int
    var products: Int
    var seconds: Double
  }

  /// GitHub refuses a larger matrix.
  private static let largestMatrix = 256

  /// The matrix of a job in GitHub Actions, on one line.
  fileprivate func gitHubMatrix() throws -> String {
    guard count <= EngineJob.largestMatrix else {
      throw UserError(
        .badCall, operation: "printing the plan", path: "for GitHub",
        reason: "it has \(count) shards, and GitHub takes \(EngineJob.largestMatrix) at most",
        suggestion: "Give fewer with --shards.")
    }
    let entries = zip(plan.numbers, plan.shards).map { number, shard in
      MatrixEntry(
        shard: shard.shard, number: number.number, products: shard.products.count, seconds: shard.seconds)
    }
    return try JSONValue.line(["include": entries]) + "\n"
  }
}
