/// What steps took when they were last done, in whatever cycle: the best guess of what they will take again.
public struct StepHistory: Sendable {
  private var latest: [String: Journal.Entry] = [:]

  public init(in workspace: Workspace) throws {
    for cycle in Journal.cycles(in: workspace) {
      for entry in try Journal(cycle: cycle, in: workspace).entries
      where latest[entry.step].map({ $0.finished < entry.finished }) ?? true {
        latest[entry.step] = entry
      }
    }
  }

  /// Nil for a step that was never done.
  public func bytes(of step: String) -> Int? { latest[step]?.bytes }
  public func seconds(of step: String) -> Double? { latest[step]?.seconds }
}
