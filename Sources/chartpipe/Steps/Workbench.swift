import Airac
import CryptoIO
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

  func step(for item: PipelineItem) -> Step {
    Step(id: item.product) {
      switch item.content {
      case .chart(let chart, let family):
        try ChartStep(bench: self, item: item, chart: chart, family: family).prepare()
      case .nasr(let definition):
        try DatabaseStep(bench: self, item: item, definition: definition).prepare()
      }
    }
  }

  /// What decides whether the step has to be done again.
  func key(of item: PipelineItem, sources: [SHA256Hex], libraries: [String: String]) throws -> SHA256Hex {
    try StepIngredients(
      step: item.product, cycle: cycle.identifier, definitionSha256: item.definitionSha256(),
      sources: sources,
      libraries: libraries
    ).key()
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
    of item: PipelineItem, _ made: MadeProduct, beside: [(name: String, content: Data)] = [], detail: String
  ) throws -> StepOutputs {
    let folder = workspace.buildFolder(cycle: cycle.identifier, pipeline: item.pipeline)
    var files = zip(made.files, made.product.files).map { scratch, file in
      StepOutputs.File(scratch: scratch, final: folder.appending(path: file.path))
    }
    for (name, content) in beside + [("\(item.id).product.json", try CanonicalJSON.pretty(made.product))] {
      let scratch = workspace.scratchFile(name)
      try content.write(to: scratch)
      files.append(.init(scratch: scratch, final: folder.appending(path: name)))
    }
    return StepOutputs(files: files, detail: detail)
  }
}
