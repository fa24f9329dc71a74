public import Core

/// Which items of which pipelines to build, in what order.
public struct BuildPlan: Sendable {
  public let pipelines: [String]
  public private(set) var items: [PipelineItem]
  /// Whether other machines make the rest, so that nothing can be joined here.
  public private(set) var isShard = false

  public init(_ definitions: [PipelineDefinition]) throws {
    let twice = Dictionary(grouping: definitions, by: \.name).filter { $1.count > 1 }.keys.sorted()
    if let name = twice.first {
      throw UserError(.badCall, operation: "planning", reason: "the pipeline \(name) is named twice")
    }
    pipelines = definitions.map(\.name)
    items = definitions.flatMap(\.items)
    try RegionIDs.check(items.compactMap { item in item.region.map { (id: $0, product: item.product) } }) {
      UserError(
        .badInput, operation: "planning", reason: $0, suggestion: "Give one of them another `regionSuffix`.")
    }
  }

  /// Keeps the items that are named by id or by `pipeline/id`. The name of a part of a database selects the database with that
  /// part's tables alone, and goes before an id that is the same.
  public func only(_ wanted: [String]) throws -> BuildPlan {
    let parts = items.flatMap { item in item.parts(named: wanted) }
    if parts.isEmpty { return try onlyItems(wanted) }
    let twice = Dictionary(grouping: parts, by: \.item.product).values.first { $0.count > 1 }
    if let twice {
      throw UserError(
        .badCall, operation: "planning",
        reason:
          "the parts \(twice.map(\.name).joined(separator: " and ")) are both made as \(twice[0].item.product)",
        suggestion: "Name one of them in each run.")
    }
    let names = Set(parts.map(\.name))
    let others = wanted.filter { !names.contains($0) }
    let rest = others.isEmpty ? [] : try onlyItems(others).items
    let made = Set(parts.map(\.item.product))
    var plan = self
    plan.items = parts.map(\.item) + rest.filter { !made.contains($0.product) }
    return plan
  }

  /// A plan for each part that a definition names.
  public var ofParts: [BuildPlan] {
    get throws { try Set(items.flatMap(\.partNames)).sorted().map { try only([$0]) } }
  }

  private func onlyItems(_ wanted: [String]) throws -> BuildPlan {
    var plan = self
    let named = items.filter { wanted.contains($0.id) || wanted.contains($0.product) }
    // What is made of other products brings them along.
    let parts = Set(named.flatMap(\.parts))
    plan.items = items.filter { named.contains($0) || parts.contains($0.product) }
    let known = Set(items.flatMap { [$0.id, $0.product] })
    if let unknown = wanted.first(where: { !known.contains($0) }) {
      throw UserError(
        .badCall, operation: "planning", reason: "no chart or database has the id \"\(unknown)\"",
        suggestion:
          "Known ids: \(Set(items.map(\.id) + items.flatMap(\.partNames)).sorted().joined(separator: ", ")).")
    }
    return plan
  }

  /// The same with each table of the subscription carried along in the databases; nil when no database is made.
  public var carryingRawTables: BuildPlan? {
    var plan = self
    plan.items = items.map { item in
      guard case .nasr(var definition) = item.content else { return item }
      definition.rawTables = true
      return PipelineItem(pipeline: item.pipeline, id: item.id, content: .nasr(definition))
    }
    return items.contains(where: \.isSubscription) ? plan : nil
  }

  /// Whether something is left to `join`: a mosaic, or edge tiles to be completed.
  public var leavesJoining: Bool { isShard && items.contains(where: \.isJoined) }

  /// The mosaics. No shard has all their charts.
  public var joined: [PipelineItem] { items.filter(\.isMosaic) }

  /// The products that one machine builds together: a chart, or a database with its exports. An export reads the finished
  /// database, and the machine with that database has it already.
  public var units: [[PipelineItem]] {
    var units: [[PipelineItem]] = []
    var places: [String: Int] = [:]
    for item in items where !item.isMosaic {
      if let place = item.parts.lazy.compactMap({ places[$0] }).first {
        units[place].append(item)
      } else {
        places[item.product] = units.count
        units.append([item])
      }
    }
    return units
  }

  /// The plan of one machine: these products only, in the order of the whole plan, without what `join` makes.
  public func shard(_ products: [String]) -> BuildPlan {
    var plan = self
    plan.isShard = true
    let wanted = Set(products)
    plan.items = items.filter { wanted.contains($0.product) && !$0.isMosaic }
    return plan
  }
}

/// Region ids: an app keeps a chart's archive as `<region id>.mbtiles`, so two charts with the same id would overwrite each other.
public enum RegionIDs {
  /// Throws when two products have the same region id, or ids that differ in upper and lower case only: many file systems take
  /// those for the same name.
  ///
  /// - Parameters:
  ///   - regions: the ids, each with the product that has it. The same product may occur in several cycles.
  ///   - fault: makes the error from a sentence that names both products.
  public static func check(_ regions: [(id: String, product: String)], _ fault: (String) -> UserError) throws
  {
    var owners: [String: (id: String, product: String)] = [:]
    for region in regions {
      let first = owners.updateValue(region, forKey: region.id.lowercased()) ?? region
      guard first.product != region.product else { continue }
      throw fault(
        first.id == region.id
          ? "\(first.product) and \(region.product) both have the region id \"\(region.id)\""
          : "the region ids \"\(first.id)\" of \(first.product) and \"\(region.id)\" of \(region.product) differ in case only"
      )
    }
  }
}
