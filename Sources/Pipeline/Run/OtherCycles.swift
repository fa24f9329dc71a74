internal import Core
internal import CryptoIO
internal import Foundation

/// Takes over finished files from the other cycles of a work folder.
///
/// The key of a chart's step contains the edition, not the cycle: an edition of 56 days is in force in two cycles. The second one
/// links to the files of the first. This is safe, since a build replaces a file by renaming another one and never writes into it.
final class OtherCycles {
  private let workspace: Workspace
  private let cycle: String
  /// The latest cycle first.
  private lazy var journals: [Journal] = Journal.cycles(in: workspace).reversed().filter { $0 != cycle }
    .compactMap { try? Journal(cycle: $0, in: workspace) }

  init(_ workspace: Workspace, besides cycle: String) { (self.workspace, self.cycle) = (workspace, cycle) }

  /// Whether another cycle has the files of this step, judged by their sizes. Without a key, any result of the step counts.
  func probablyHas(_ step: Step.ID, key: SHA256Hex?) -> Bool {
    journals.contains { $0.isProbablyUpToDate(step, key: key) }
  }

  /// The last result of the step in another cycle, if its files are unchanged.
  func result(of step: Step.ID) -> StepResult? {
    journals.first { $0[step] != nil }?.result(of: step)
  }

  /// Links the files of this step, if another cycle has them unchanged, to scratch files. The descriptions of products are
  /// written for the own cycle.
  func outputs(of step: Step.ID, key: SHA256Hex) throws -> (outputs: StepOutputs, cycle: String)? {
    for journal in journals where journal.result(of: step, key: key) != nil {
      guard let entry = journal[step], let files = try outputs(entry, of: journal.cycle) else {
        continue
      }
      let origin = entry.reusedFrom ?? journal.cycle
      return (StepOutputs(files: files, detail: "the same as in cycle \(origin)"), origin)
    }
    return nil
  }

  /// Nil if a file is outside the build folder of its cycle.
  private func outputs(_ entry: Journal.Entry, of other: String) throws -> [StepOutputs.File]? {
    let (there, here) = (workspace.build.appending(path: other), workspace.build.appending(path: cycle))
    var files: [StepOutputs.File] = []
    for output in entry.outputs {
      let source = workspace.root.appending(path: output.path)
      guard source.path.hasPrefix(there.path + "/") else { return nil }
      let scratch = workspace.scratchFile(source.lastPathComponent)
      if output.role == .file {
        try OtherCycles.link(source, as: scratch)
      } else {
        var product = try Product(describedBy: source)
        product.cycle = cycle
        try CanonicalJSON.pretty(product).write(to: scratch)
      }
      let final = here.appending(path: String(source.path.dropFirst(there.path.count + 1)))
      files.append(StepOutputs.File(scratch: scratch, final: final, role: output.role))
    }
    return files
  }

  /// Copies the file where the file system has no links.
  private static func link(_ source: URL, as scratch: URL) throws {
    do {
      try FileManager.default.linkItem(at: source, to: scratch)
    } catch {
      try FileManager.default.copyItem(at: source, to: scratch)
    }
  }
}
