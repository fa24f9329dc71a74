import Core
import CryptoIO
import Foundation
import Pipeline

/// The charts of a cycle that validation refused, each with the key of the step that built it: nothing else is made of them until
/// they are built again or pass. The file lies beside the journal, so that a later run does not first join them again.
struct RefusedCharts: Equatable, Sendable {
  private(set) var keys: [String: SHA256Hex] = [:]

  init(_ keys: [String: SHA256Hex] = [:]) {
    self.keys = keys
  }

  /// Reads what an earlier run noted. A file that cannot be read costs time and nothing else.
  init(cycle: String, in workspace: Workspace) {
    let data = try? Data(contentsOf: workspace.refusals(cycle: cycle))
    keys = data.flatMap { try? JSONDecoder().decode([String: SHA256Hex].self, from: $0) } ?? [:]
  }

  func write(cycle: String, in workspace: Workspace) throws {
    let file = workspace.refusals(cycle: cycle)
    if keys.isEmpty {
      if file.kindOnDisk != nil { try FileManager.default.removeItem(at: file) }
    } else {
      try DurableFile.write(
        CanonicalJSON.pretty(keys), to: file, scratch: workspace.scratchFile(file.lastPathComponent))
    }
  }

  /// Whether the chart is refused as it was built by this key.
  func contains(_ product: String, builtAs key: SHA256Hex) -> Bool { keys[product] == key }

  func contains(_ product: String, builtIn standing: UpToDateSteps) -> Bool {
    keys[product] != nil && standing[product].map { contains(product, builtAs: $0.key) } ?? false
  }

  /// The same, with this as the word on the charts of a run.
  func replacing(_ charts: Set<String>, with refused: [String: SHA256Hex]) -> RefusedCharts {
    RefusedCharts(keys.filter { !charts.contains($0.key) }.merging(refused) { $1 })
  }
}
