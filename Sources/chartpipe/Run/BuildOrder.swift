internal import Core
internal import Foundation

/// The products to build, as the operands and options of a command or a plan select them.
struct BuildOrder: Sendable {
  let selection: ProductSelection
  let plan: BuildPlan
  /// The plan from `--plan`; nil without that option.
  let divided: ShardPlan?

  static let planOption = OptionSpec(
    "--plan", value: "FILE", replacesOperands: true,
    "use the plan that `chartpipe plan --output` wrote, in place of PIPELINE, --cycle and the options that select products"
  )

  /// The options that a plan contains.
  private static let contained: [OptionSpec] = [.cycle, .only, .variant, .rawTables]

  init(_ arguments: ParsedArguments) throws {
    guard let file = arguments.value(BuildOrder.planOption.name) else {
      try self.init(ProductSelection(arguments), arguments, divided: nil)
      return
    }
    let given = BuildOrder.contained.filter { arguments.value($0.name) != nil || arguments.has($0.name) }
    if let name = arguments.operands.first ?? given.first?.name {
      throw arguments.usageError("\(name) cannot be given with --plan", remedy: "The plan contains it.")
    }
    try self.init(ShardPlan(contentsOf: URL(filePath: file)), from: file, arguments)
  }

  /// - Parameter place: where the plan comes from, for errors.
  init(_ divided: ShardPlan, from place: String, _ arguments: ParsedArguments) throws {
    try self.init(divided.selection, arguments, divided: divided)
    try divided.check(plan, in: place)
  }

  private init(_ selection: ProductSelection, _ arguments: ParsedArguments, divided: ShardPlan?) throws {
    (self.selection, self.divided) = (selection, divided)
    plan = try BuildOrder.plan(selection, arguments)
  }

  /// Nil without a plan.
  var cycle: AiracCycle? { divided?.cycle.flatMap { AiracCycle(identifier: $0) } }

  /// The plan for the selected pipelines, filtered by `--only`.
  static func plan(_ selection: ProductSelection, _ arguments: ParsedArguments) throws -> BuildPlan {
    let library = arguments.library
    // The names may come from another machine. Reading a device or a pipe could block forever.
    if let odd = selection.pipelines.first(where: {
      let file = library.file($0)
      return file.kindOnDisk != nil && !file.isRegularFile
    }) {
      throw UserError(
        .badCall, operation: "reading the pipeline", path: odd, reason: "it is not a regular file",
        suggestion: "Name a pipeline of the folder given with --pipelines, or the path of a file.")
    }
    let definitions = try selection.pipelines.map(library.definition)
    if let live = definitions.first(where: { $0 is any LiveDefinition }) {
      throw arguments.usageError(
        "\(live.name) makes snapshots, which belong to no cycle", remedy: "Make them with `chartpipe run`.")
    }
    let plan = try BuildPlan(variants(of: definitions, selection.variants, arguments))
    let chosen = try selection.only.map(plan.only) ?? plan
    guard selection.rawTables == true else { return chosen }
    if let chosen = chosen.carryingRawTables { return chosen }
    throw arguments.usageError(
      "--raw-tables is for a database of the subscription (kind nasr), and none is to be made")
  }

  /// The definitions in each variant from `--variant`. A pipeline without tiles stays as it is.
  private static func variants(
    of definitions: [any PipelineDefinition], _ names: [String]?, _ arguments: ParsedArguments
  ) throws -> [any PipelineDefinition] {
    guard let names else { return definitions }
    let variants = try names.map { name in
      guard let variant = ChartVariant(rawValue: name) else {
        throw arguments.usageError(
          "--variant takes \(ChartVariant.allCases.map(\.rawValue).sorted().joined(separator: ", ")), not \"\(name)\""
        )
      }
      return variant
    }
    let made = try definitions.map { definition in try variants.compactMap { try definition.variant($0) } }
    guard made.contains(where: { !$0.isEmpty }) else {
      throw arguments.usageError("--variant is for charts, and none is to be made")
    }
    return zip(definitions, made).flatMap { $1.isEmpty ? [$0] : $1 }
  }
}

extension ProductSelection {
  init(_ arguments: ParsedArguments) throws {
    self.init(
      pipelines: arguments.operands, only: try arguments.list(OptionSpec.only.name),
      variants: try arguments.list(OptionSpec.variant.name),
      rawTables: arguments.has(OptionSpec.rawTables.name) ? true : nil)
  }
}
