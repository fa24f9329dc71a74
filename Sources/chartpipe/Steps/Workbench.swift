import Airac
import Fetch
import Foundation
import Pipeline

/// What every step needs, and the way from an item of the plan to its step.
struct Workbench: Sendable {
  let cycle: AiracCycle
  let workspace: Workspace
  let sources: SourceFolder
  let jobs: Int
  let progress: any ProgressReporter

  func step(for item: BuildPlan.Item, of plan: BuildPlan) throws -> Step {
    let definition = plan.definitions[item.pipeline]
    let sha256 = try definition.sha256(ofItem: item.id)
    switch definition.content {
    case .charts(let family):
      let chart = family.charts.first { $0.id == item.id }
      return try ChartStep(bench: self, item: item, chart: chart, family: family, definitionSha256: sha256)
        .step
    case .nasr(let definition):
      return DatabaseStep(bench: self, item: item, definition: definition, definitionSha256: sha256).step
    }
  }

  /// The first of these names in the sources, or a fault that says where to get it.
  func source(_ names: [String], getItFrom place: String) throws -> SourceFile {
    if let file = try sources.locate(names) { return file }
    throw Fault(
      .badInput, doing: "looking for", subject: names.joined(separator: " or "),
      problem: "it is not in \(sources.root.path)",
      remedy: "Download it from \(place) into that folder, or name the right one with --from.")
  }

  /// The product's own description goes last: where it stands, the files it vouches for stand too.
  func outputs(
    of item: BuildPlan.Item, product: Product, made: URL, beside: [(name: String, content: Data)] = [],
    detail: String
  ) throws -> StepOutputs {
    let folder = workspace.buildFolder(cycle: cycle.identifier, pipeline: item.pipelineName)
    var files = [StepOutputs.File(scratch: made, final: folder.appending(path: product.files[0].path))]
    for (name, content) in beside + [("\(item.id).product.json", try CanonicalJSON.pretty(product))] {
      let scratch = workspace.scratchFile(name)
      try content.write(to: scratch)
      files.append(.init(scratch: scratch, final: folder.appending(path: name)))
    }
    return StepOutputs(files: files, detail: detail)
  }
}
