internal import Core
internal import Foundation

extension Workspace {
  /// The names under which anything of a cycle may lie in the work folder: of its sources, its build and its journal. What a
  /// person put there has other names.
  public var cycleNames: Set<String> {
    Set(names(in: sources) + names(in: build) + Journal.cycles(in: self))
  }

  /// Removes a cycle's sources, its build and its journal. What was staged of it stands.
  public func forget(cycle: String) throws {
    let places = [
      sources.appending(path: cycle), build.appending(path: cycle), journal.appending(path: "\(cycle).jsonl"),
      refusals(cycle: cycle),
    ]
    for place in places where place.kindOnDisk != nil {
      do {
        try FileManager.default.removeItem(at: place)
      } catch {
        throw UserError(
          .failed, operation: "removing what is out of date", path: place.path, reason: error.fileErrorReason,
          suggestion: "Check the folder's permissions, or remove the folder yourself.", causes: [error])
      }
    }
  }

  private func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }
}
