internal import Core
public import CryptoIO
internal import Foundation

/// The finished steps of a cycle: an append-only file with one line of JSON for each step.
///
/// A line is written after the outputs are in place. If a run is killed in between, the next run repeats the step and gets the
/// same bytes. An incomplete last line is ignored.
public final class Journal {
  public struct Entry: Codable, Equatable, Sendable {
    public struct Output: Codable, Hashable, Sendable {
      /// Relative to the work folder, so you can move that folder.
      public var path: String
      public var role: OutputRole
      public var sha256: SHA256Hex
      public var bytes: Int
    }

    public var step: Step.ID
    public var key: SHA256Hex
    public var outputs: [Output]
    public var seconds: Double
    public var finished: String
    /// The cycle that built the files; nil if the step ran in this cycle.
    public var reusedFrom: String?

    /// The size of all outputs. Limited, since an edited file can contain any number.
    public var bytes: Int { outputs.reduce(0) { $0 + min(max($1.bytes, 0), 1 << 42) } }
  }

  let cycle: String
  private let file: URL
  private let root: URL
  private let hashes: FileHashes
  private var latest: [Step.ID: Entry] = [:]

  /// Opens the journal of one cycle.
  ///
  /// - Parameter hashes: the remembered hashes of the outputs.
  public init(cycle: String, in workspace: Workspace, hashes: FileHashes = FileHashes()) throws {
    self.hashes = hashes
    self.cycle = cycle
    file = workspace.journal.appending(path: "\(cycle).jsonl")
    root = workspace.root
    try explaining({ Workspace.unwritable(workspace.journal, $0) }) {
      try FileManager.default.createDirectory(
        at: workspace.journal, withIntermediateDirectories: true)
      if FileManager.default.fileExists(atPath: file.path) {
        read(try Data(contentsOf: file))
      }
    }
  }

  private func read(_ data: Data) {
    let decoder = JSONDecoder()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      // An incomplete line of a killed run, or one of an older version: its step runs again.
      guard let entry = try? decoder.decode(Entry.self, from: line) else { continue }
      latest[entry.step] = entry
    }
  }

  /// The last entry of each step, in the order of their completion.
  public var entries: [Entry] {
    latest.values.sorted { ($0.finished, $0.step.description) < ($1.finished, $1.step.description) }
  }

  /// The last entry of a step; nil if it never ran.
  public subscript(step: Step.ID) -> Entry? { latest[step] }

  /// The identifiers of the cycles that have a journal.
  public static func cycles(in workspace: Workspace) -> [String] {
    workspace.journal.names.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()
  }

  /// The result of a step if it ran with this key and its files are unchanged.
  public func result(of step: Step.ID, key: SHA256Hex) -> StepResult? {
    latest[step]?.key == key ? result(of: step) : nil
  }

  /// The last result of a step with any key, if its files are unchanged.
  func result(of step: Step.ID) -> StepResult? {
    guard let entry = latest[step] else { return nil }
    let isUnchanged = entry.outputs.allSatisfy { (try? hashes.sha256(of: url(of: $0))) == $0.sha256 }
    guard isUnchanged else { return nil }
    let files = entry.outputs.map { StepResult.File(url: url(of: $0), role: $0.role) }
    return StepResult(step: step, key: entry.key, files: files)
  }

  /// Whether the step ran with this key, or with any key if nil. Compares only the sizes of its files.
  func isProbablyUpToDate(_ step: Step.ID, key: SHA256Hex? = nil) -> Bool {
    guard let entry = latest[step], key == nil || key == entry.key else { return false }
    return entry.outputs.allSatisfy { url(of: $0).byteCount == $0.bytes }
  }

  private func url(of output: Entry.Output) -> URL { root.appending(path: output.path) }

  /// Records a step whose outputs are in place.
  ///
  /// - Parameter origin: the cycle that built the files; nil if the step ran.
  public func append(
    _ result: StepResult, seconds: Double, finished: String, reusedFrom origin: String? = nil
  ) throws {
    let entry = Entry(
      step: result.step, key: result.key, outputs: try result.files.map(describe), seconds: seconds,
      finished: finished, reusedFrom: origin)
    try UserError.wrapping("writing the journal", file.path) { try appendLine(CanonicalJSON.line(entry)) }
    latest[entry.step] = entry
  }

  private func describe(_ file: StepResult.File) throws -> Entry.Output {
    Entry.Output(
      path: file.url.path.trimmingPrefix(root.path + "/").description, role: file.role,
      sha256: try hashes.sha256(ofFinished: file.url), bytes: file.url.byteCount ?? 0)
  }

  /// Ends an incomplete line of a killed run first.
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

/// The sizes and durations of steps when they last ran, in any cycle: an estimate for the next run.
public struct StepHistory: Sendable {
  private var latest: [Step.ID: Journal.Entry] = [:]

  public init(in workspace: Workspace) throws {
    for cycle in Journal.cycles(in: workspace) {
      for entry in try Journal(cycle: cycle, in: workspace).entries
      where entry.reusedFrom == nil && latest[entry.step].map({ $0.finished < entry.finished }) ?? true {
        latest[entry.step] = entry
      }
    }
  }

  /// Nil for a step that never ran.
  public func bytes(of step: Step.ID) -> Int? { latest[step]?.bytes }
  public func seconds(of step: Step.ID) -> Double? { latest[step]?.seconds }
}
