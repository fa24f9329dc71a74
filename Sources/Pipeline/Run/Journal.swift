internal import Core
public import CryptoIO
public import Foundation

/// What has been made, one line of JSON a step, only ever appended to.
///
/// A line is written after the outputs are in place. A run that was killed in between makes them once more, to the
/// same bytes; a line that was cut off by the kill is not read.
public final class Journal {
  public struct Entry: Codable, Equatable, Sendable {
    public struct Output: Codable, Equatable, Sendable {
      /// Relative to the work folder, so that the folder can be moved.
      public var path: String
      public var sha256: SHA256Hex
      public var bytes: Int
    }

    public var step: String
    public var key: SHA256Hex
    public var outputs: [Output]
    public var seconds: Double
    public var finished: String

    /// Of all outputs. Whoever has tampered with the file may have written any number into it.
    public var bytes: Int { outputs.reduce(0) { $0 + min(max($1.bytes, 0), 1 << 42) } }
  }

  private let file: URL
  private let root: URL
  private var latest: [String: Entry] = [:]

  /// Opens the journal of one cycle.
  public init(cycle: String, in workspace: Workspace) throws {
    file = workspace.journal.appending(path: "\(cycle).jsonl")
    root = workspace.root
    do {
      try FileManager.default.createDirectory(
        at: workspace.journal, withIntermediateDirectories: true)
      if FileManager.default.fileExists(atPath: file.path) {
        read(try Data(contentsOf: file))
      }
    } catch {
      throw Workspace.unwritable(workspace.journal, error)
    }
  }

  private func read(_ data: Data) {
    let decoder = JSONDecoder()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      // Only a line that a kill cut off cannot be read; its step is done again.
      guard let entry = try? decoder.decode(Entry.self, from: line) else { continue }
      latest[entry.step] = entry
    }
  }

  /// The last line of each step, in the order in which they were finished.
  public var entries: [Entry] { latest.values.sorted { ($0.finished, $0.step) < ($1.finished, $1.step) } }

  /// The identifiers of the cycles that have a journal.
  public static func cycles(in workspace: Workspace) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: workspace.journal.path)) ?? []
    return names.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
  }

  /// The outputs of a step, if it was done with this key and they still are what was written.
  public func standing(step: String, key: SHA256Hex) -> [URL]? {
    latest[step]?.key == key ? left(by: step)?.files : nil
  }

  /// Whether the step seems to be done with this key, or with any where that is not known yet. By the files' sizes alone: what
  /// they hold is looked at when it matters.
  func seemsToStand(step: String, key: SHA256Hex? = nil) -> Bool {
    guard let entry = latest[step], key == nil || key == entry.key else { return false }
    return entry.outputs.allSatisfy { size(of: $0) == $0.bytes }
  }

  /// How many bytes of the step's files lie there by now.
  public func bytesOnDisk(of step: String) -> Int {
    latest[step]?.outputs.compactMap(size).reduce(0, +) ?? 0
  }

  private func size(of output: Entry.Output) -> Int? {
    let facts = try? FileManager.default.attributesOfItem(atPath: root.appending(path: output.path).path)
    return facts?[.size] as? Int
  }

  /// What a step left when it was last done, whatever its key was.
  func left(by step: String) -> UpToDateSteps.Left? {
    guard let entry = latest[step] else { return nil }
    let whole = entry.outputs.allSatisfy { output in
      let url = root.appending(path: output.path)
      return (try? SHA256Hex(ofFile: url)) == output.sha256
    }
    return whole ? (entry.key, entry.outputs.map { root.appending(path: $0.path) }) : nil
  }

  /// Records a step whose outputs are in place.
  public func append(step: String, key: SHA256Hex, outputs: [URL], seconds: Double, finished: String) throws {
    let entry = Entry(
      step: step, key: key, outputs: try outputs.map(describe), seconds: seconds, finished: finished)
    do {
      try appendLine(CanonicalJSON.line(entry))
    } catch {
      throw UserError(
        .failed, operation: "writing the journal", path: file.path, reason: error.fileErrorReason,
        suggestion: "Check the folder's permissions and the free space.", causes: [error])
    }
    latest[step] = entry
  }

  private func describe(_ output: URL) throws -> Entry.Output {
    let size = try FileManager.default.attributesOfItem(atPath: output.path)[.size] as? Int
    return Entry.Output(
      path: output.path.trimmingPrefix(root.path + "/").description,
      sha256: try SHA256Hex(ofFile: output), bytes: size ?? 0)
  }

  /// A new line first ends whatever an earlier kill left unended.
  private func appendLine(_ line: Data) throws {
    if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let end = try handle.seekToEnd()
    var ended = true
    if end > 0 {
      try handle.seek(toOffset: end - 1)
      ended = try handle.read(upToCount: 1) == Data("\n".utf8)
      try handle.seekToEnd()
    }
    try handle.write(contentsOf: Data((ended ? "" : "\n").utf8) + line + Data("\n".utf8))
    try handle.synchronize()
  }
}

@available(*, unavailable)
extension Journal: Sendable {}

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
