internal import Core
internal import Foundation

/// A pipeline whose products are made anew every few minutes, from files that their publishers replace. Its products are in `live.json`,
/// and belong to no cycle.
protocol LiveDefinition: PipelineDefinition {
  /// Brings its source files up to date.
  func poll(_ poll: SourcePoll, _ cycle: CycleFiles) throws
}

/// A product of such a pipeline: a snapshot.
///
/// Its files depend on the sources alone, so that the same sources give the same bytes. The step states as `effectiveDate` the newest
/// observation, and as `expirationDate` when the files must no longer be used.
protocol LiveItem: PipelineItem {
  /// The forms of the source whose last fetch counts as that of the snapshot. The first that is there decides.
  var confirmingSources: [String] { get }
  /// For how many seconds after that fetch it may be used, for sources without observations; nil to keep the dates of the step.
  var secondsAfterFetch: Int? { get }
}

extension LiveItem {
  var secondsAfterFetch: Int? { nil }
  /// Of no effect: a snapshot belongs to no cycle.
  var schedule: Schedule { .every28Days }
}

/// The files of the cycle in force in the work folder, which a snapshot may use.
struct CycleFiles {
  let workspace: Workspace
  let cycle: AiracCycle
  /// The folder of `--from`; nil without one.
  let from: URL?

  /// The places of a source, such as a terrain model.
  func sources(_ name: String) -> [URL] {
    [from, workspace.sources(cycle: cycle.identifier), workspace.sources].compactMap(\.self)
      .map { $0.appending(path: name) }
  }

  /// The place of a built file: `nasr` and `aviation.sqlite`.
  func built(_ pipeline: String, _ name: String) -> [URL] {
    [workspace.buildFolder(cycle: cycle.identifier, pipeline: pipeline).appending(path: name)]
  }
}
