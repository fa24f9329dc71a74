internal import Core

/// All parts of one plan, each shard once.
public struct PartSet: Sendable {
  public let plan: ShardPlan
  /// In the order of the shards.
  public let parts: [FoundPart]

  /// Throws an error that lists all problems of the parts: a missing one, one of another plan, two different ones of a shard, and
  /// files that are missing or too short.
  ///
  /// - Parameters:
  ///   - expected: the plan of the join; nil to take the plan of the parts.
  ///   - libraries: the versions of this machine. A run would build a product of other versions again.
  public init(_ search: PartSearch, of expected: ShardPlan?, libraries: [String: String]) throws {
    var problems = search.problems
    let plans = Dictionary(grouping: search.found, by: \.part.planSha256)
    let wanted = try expected?.sha256() ?? (plans.count == 1 ? plans.keys.first : nil)
    if let wanted {
      for part in search.found where part.part.planSha256 != wanted {
        problems.append("\(part.name) is a part of another plan (\(part.planText))")
      }
    } else if plans.count > 1 {
      let names = search.found.map { "\($0.name) (\($0.planText))" }
      problems.append("the parts belong to different plans: \(names.joined(separator: ", "))")
    }
    let own = search.found.filter { $0.part.planSha256 == wanted }
    let plan = expected ?? own.first?.part.plan
    for part in own where part.part.libraries != libraries {
      problems.append("\(part.name) was built with other libraries: \(part.differences(libraries).printable)")
    }
    problems += own.compactMap { part in part.incompleteFile.map { "\(part.name): \($0)" } }
    let byShard = Dictionary(grouping: own, by: \.part.shard)
    problems += PartSet.doubles(byShard)
    problems += plan.map { PartSet.missing(in: byShard, of: $0, search) } ?? []
    guard let plan, problems.isEmpty else { throw PartSet.refusal(problems) }
    self.plan = plan
    parts = plan.numbers.compactMap { byShard[$0.description]?.first }
  }

  private static func doubles(_ byShard: [String: [FoundPart]]) -> [String] {
    byShard.sorted { $0.key < $1.key }.compactMap { shard, parts in
      guard Set(parts.map(\.sha256)).count > 1 else { return nil }
      return "\(parts.map(\.name).joined(separator: " and ")) are different parts of shard \(shard)"
    }
  }

  private static func missing(
    in byShard: [String: [FoundPart]], of plan: ShardPlan, _ search: PartSearch
  ) -> [String] {
    plan.numbers.filter { byShard[$0.description] == nil }.map { number in
      guard let folder = search.unfinished[number.folderName] else { return "shard \(number) is missing" }
      return "shard \(number) is missing: \(folder) has no \(BuildPart.fileName) yet"
    }
  }

  private static func refusal(_ problems: [String]) -> UserError {
    UserError(
      .badInput, operation: "joining", path: "the parts",
      reason: problems.isEmpty ? "there is no part" : problems.joined(separator: "; "),
      suggestion:
        "Build the named shards again with this plan (`chartpipe build --plan FILE --shard I/N --to "
        + "PLACE`), remove the parts that do not belong to it, and join again. Nothing was changed.")
  }

  /// Throws if a product has neither a result nor a failure. An export of a failed database has neither.
  ///
  /// - Parameter units: the products of the plan that one machine builds together.
  public func checkProducts(of units: [[String]]) throws {
    let failed = Set(parts.flatMap(\.part.failures).map(\.product))
    let known = failed.union(parts.flatMap(\.part.built).map(\.product))
    for unit in units where !failed.contains(unit[0]) {
      guard let lost = unit.first(where: { !known.contains($0) }) else { continue }
      let part = parts.first { part in
        part.part.plan[part.part.number]?.products.contains(lost) ?? false
      }
      throw UserError(
        .badInput, operation: "joining", path: part?.name ?? lost,
        reason: "it has neither \(lost) nor the reason why that was not built",
        suggestion: "Build that shard again, and join again.")
    }
  }
}

extension FoundPart {
  fileprivate var planText: String {
    "cycle \(part.plan.cycle ?? "?"), plan \(part.planSha256.text.prefix(8)), shard \(part.shard)"
  }

  /// `libpng 1.6.39, here 1.6.40`
  fileprivate func differences(_ libraries: [String: String]) -> String {
    let names = Set(part.libraries.keys).union(libraries.keys).sorted()
    return names.filter { part.libraries[$0] != libraries[$0] }.prefix(8)
      .map { "\($0) \(part.libraries[$0] ?? "none"), here \(libraries[$0] ?? "none")" }
      .joined(separator: "; ")
  }
}
