internal import Core
internal import CryptoIO

/// Which items of which pipelines to build, in what order.
struct BuildPlan: Sendable {
  let pipelines: [String]
  private(set) var items: [any PipelineItem]
  /// Whether other machines make the rest, so that nothing can be joined here.
  private(set) var isShard = false

  init(_ definitions: [any PipelineDefinition]) throws {
    let twice = Dictionary(grouping: definitions, by: \.name).filter { $1.count > 1 }.keys.sorted()
    if let name = twice.first {
      throw UserError(.badCall, operation: "planning", reason: "the pipeline \(name) is named twice")
    }
    pipelines = definitions.map(\.name)
    items = definitions.flatMap(\.items)
    try checkRegionIDs(items.compactMap { item in item.region.map { (id: $0, product: item.product) } }) {
      UserError(
        .badInput, operation: "planning", reason: $0, suggestion: "Give one of them another `regionSuffix`.")
    }
  }

  /// Keeps the items that are named by id or by `pipeline/id`. The name of a part of a database selects the database with that
  /// part's tables alone, and goes before an id that is the same.
  func only(_ wanted: [String]) throws -> BuildPlan {
    let parts = items.flatMap { item in
      wanted.compactMap { name in item.part(name).map { (name: name, item: $0, whole: item) } }
    }
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
    // A part that is made of its database brings it along.
    var brought: [any PipelineItem] = []
    for part in parts where part.item.parts.contains(part.whole.product) {
      if !brought.contains(where: { $0.product == part.whole.product }) { brought.append(part.whole) }
    }
    let made = Set((brought + parts.map(\.item)).map(\.product))
    var plan = self
    plan.items = brought + parts.map(\.item) + rest.filter { !made.contains($0.product) }
    return plan
  }

  /// A plan for each part that a definition names.
  var ofParts: [BuildPlan] {
    get throws { try Set(items.flatMap(\.partNames)).sorted().map { try only([$0]) } }
  }

  private func onlyItems(_ wanted: [String]) throws -> BuildPlan {
    var plan = self
    let named = items.filter { wanted.contains($0.id) || wanted.contains($0.product) }
    // What is made of other products brings them along.
    let parts = Set(named.flatMap(\.parts))
    plan.items = items.filter { parts.union(named.map(\.product)).contains($0.product) }
    let known = Set(items.flatMap { [$0.id, $0.product] })
    if let unknown = wanted.first(where: { !known.contains($0) }) {
      let names = items.flatMap(\.partNames)
      let list = Set(items.map(\.id) + names).sorted().joined(separator: ", ")
      throw UserError(
        .badCall, operation: "planning", reason: "no chart or database has the id \"\(unknown)\"",
        suggestion: didYouMean(unknown, among: known.union(names).sorted(), or: "Known ids: \(list)."))
    }
    return plan
  }

  /// The plan with other forms of some items; nil if no item has one.
  func replacing(_ form: (any PipelineItem) -> (any PipelineItem)?) -> BuildPlan? {
    var plan = self
    let forms = items.map(form)
    plan.items = zip(forms, items).map { $0 ?? $1 }
    return forms.contains { $0 != nil } ? plan : nil
  }

  /// Whether something is left to `join`: a mosaic, or edge tiles to be completed.
  var leavesJoining: Bool { isShard && items.contains { $0.joining != .none } }

  /// The mosaics. No shard has all their charts.
  var joined: [any PipelineItem] { items.filter { $0.joining == .made } }

  /// The products that one machine builds together: a chart, or a database with its exports. An export reads the finished
  /// database, and the machine with that database has it already.
  var units: [[any PipelineItem]] {
    var units: [[any PipelineItem]] = []
    var places: [String: Int] = [:]
    for item in items where item.joining != .made {
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
  func shard(_ products: [String]) -> BuildPlan {
    var plan = self
    plan.isShard = true
    let wanted = Set(products)
    plan.items = items.filter { wanted.contains($0.product) && $0.joining != .made }
    return plan
  }
}

extension ShardPlan {
  /// - Parameters:
  ///   - milliseconds: the expected duration of a product.
  ///   - measured: how many of these were measured.
  init(
    _ plan: BuildPlan, selection: ProductSelection, cycle: String?, shards count: Int, measured: Int,
    milliseconds: (any PipelineItem) -> Int
  ) throws {
    let units = plan.units
    let shares = ShardPlan.divide(
      units.map { unit in (unit[0].product, unit.reduce(0) { $0 + milliseconds($1) }) }, among: count)
    self.cycle = cycle
    self.selection = selection
    self.measured = measured
    pipelines = plan.pipelines
    definitions = try plan.definitions()
    products = plan.items.count
    afterwards = plan.joined.map(\.product)
    seams = plan.items.filter { $0.joining == .completed }.map(\.product)
    shards = shares.enumerated().map { index, share in
      Shard(
        shard: "\(index + 1)/\(count)", products: share.units.flatMap { units[$0].map(\.product) },
        seconds: Double(share.milliseconds) / 1000)
    }
  }

  /// Throws if the definitions are not those of the plan, or if the shards do not have each product once.
  func check(_ plan: BuildPlan, in place: String) throws {
    let now = try plan.definitions()
    let names = Set(now.keys).union(definitions.keys).sorted()
    let changed = names.filter { definitions[$0] != now[$0] }
    guard changed.isEmpty else {
      throw UserError(
        .badInput, operation: "reading the plan", path: place,
        reason: "since it was made, the definition of \(changed.joined(separator: " and ")) changed",
        suggestion: "Use the definitions of the machine that made the plan (--pipelines), or make it again.")
    }
    let units = plan.units.map { Set($0.map(\.product)) }
    let shared = shards.map { Set($0.products) }
    let isComplete =
      units.allSatisfy { unit in shared.count { !$0.isDisjoint(with: unit) } == 1 }
      && units.allSatisfy { unit in shared.contains { $0.isSuperset(of: unit) } }
      && shards.reduce(0) { $0 + $1.products.count } == units.reduce(0) { $0 + $1.count }
    guard isComplete, afterwards == plan.joined.map(\.product) else {
      throw UserError(
        .badInput, operation: "reading the plan", path: place,
        reason: "its shards do not have each product once", suggestion: ShardPlan.makeItAgain)
    }
  }
}

extension BuildPlan {
  /// The hash of each pipeline's definition, as far as it affects the plan's products.
  fileprivate func definitions() throws -> [String: SHA256Hex] {
    try Dictionary(grouping: items, by: \.pipeline).mapValues { items in
      let lines = try items.map { "\(try $0.definitionSha256()) \($0.product)\n" }
      return try SHA256Hex(of: Array(lines.joined().utf8))
    }
  }
}
