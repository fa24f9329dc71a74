import Airac
import Charts
import CryptoIO
import Fetch
import Foundation
import Pipeline

/// What every step needs, and the way from an item of the plan to its steps.
struct Workbench: Sendable {
  let cycle: AiracCycle
  let workspace: Workspace
  let sources: SourceFolder
  let jobs: Int
  let engine: WarpEngine
  /// Whether this run has all charts, so that they can be joined.
  let joins: Bool
  let progress: any ProgressReporter

  func steps(for item: PipelineItem) -> [Step] {
    switch item.content {
    case .chart(let chart, let family):
      let step = ChartStep(bench: self, item: item, chart: chart, family: family)
      guard family.seam == .fill else { return [Step(id: item.product, prepare: step.prepare)] }
      let fill = SeamStep(bench: self, item: item, chart: chart, family: family)
      let made = Step(id: item.product, prepare: step.prepare)
      return joins ? [made, Step(id: fill.id, last: fill.prepare)] : [made]
    case .mosaic(let mosaic, let family):
      return [
        Step(
          id: item.product, last: MosaicStep(bench: self, item: item, mosaic: mosaic, family: family).prepare)
      ]
    case .nasr(let definition):
      return [
        Step(id: item.product, prepare: DatabaseStep(bench: self, item: item, definition: definition).prepare)
      ]
    }
  }

  /// What decides whether the step has to be done again.
  func key(
    of item: PipelineItem, sources: [SHA256Hex], libraries: [String: String], step: String? = nil
  ) throws -> SHA256Hex {
    try StepIngredients(
      step: step ?? item.product, cycle: cycle.identifier, definitionSha256: item.definitionSha256(),
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
  ///
  /// - Parameter aside: a folder for what is not to be published as it is.
  func outputs(
    of item: PipelineItem, product: Product, made: URL, beside: [(name: String, content: Data)] = [],
    aside: String? = nil, detail: String
  ) throws -> StepOutputs {
    var folder = workspace.buildFolder(cycle: cycle.identifier, pipeline: item.pipeline)
    if let aside { folder.append(path: aside, directoryHint: .isDirectory) }
    var files = [StepOutputs.File(scratch: made, final: folder.appending(path: product.files[0].path))]
    for (name, content) in beside + [
      ("\(item.id).\(aside ?? "product").json", try CanonicalJSON.pretty(product))
    ] {
      let scratch = workspace.scratchFile(name)
      try content.write(to: scratch)
      files.append(.init(scratch: scratch, final: folder.appending(path: name)))
    }
    return StepOutputs(files: files, detail: detail)
  }
}
