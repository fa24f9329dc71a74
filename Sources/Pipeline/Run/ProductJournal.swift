public import Core
internal import Foundation

extension Journal {
  /// The result of a step that builds a product.
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
    /// Nil if there are none.
    public var warnings: [String]?

    /// The size of all outputs. Limited, since an edited file can contain any number.
    public var bytes: Int { outputs.reduce(0) { $0 + min(max($1.bytes, 0), 1 << 42) } }
  }

  /// The last entry of each step, in the order of their completion.
  public var entries: [Entry] {
    guard let folder = workspace?.journal.appending(path: "\(cycle)/\(Step.ID.folder)") else { return [] }
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    let steps = Set(paths.compactMap { path in path.lastIndex(of: "/").map { path[..<$0] } })
    return steps.compactMap { entry(at: "\(Step.ID.folder)/\($0)", in: cycle) }
      .sorted { ($0.finished, $0.step.description) < ($1.finished, $1.step.description) }
  }

  /// The last entry of a step in this cycle; nil if it never ran.
  public subscript(step: Step.ID) -> Entry? { entry(at: step.path, in: cycle) }

  /// The result of a step if it ran in this cycle with this key and its files are unchanged.
  public func result(of step: Step.ID, key: SHA256Hex) -> StepResult? {
    self[step].flatMap { $0.key == key ? result($0) : nil }
  }

  /// The last result of a step in this cycle with any key, if its files are unchanged.
  func result(of step: Step.ID) -> StepResult? { self[step].flatMap(result) }

  /// The same for the latest other cycle that has the step.
  func resultOfOtherCycle(_ step: Step.ID) -> StepResult? {
    cycles.dropFirst().lazy.compactMap { self.entry(at: step.path, in: $0) }.first.flatMap(result)
  }

  /// Whether the step ran in any cycle with this key, or with any key if nil. Compares only the sizes of its files.
  func isProbablyUpToDate(_ step: Step.ID, key: SHA256Hex? = nil) -> Bool {
    cycles.contains { cycle in
      guard let entry = entry(at: step.path, in: cycle), key == nil || key == entry.key else { return false }
      return entry.outputs.allSatisfy { url(of: $0)?.byteCount == $0.bytes }
    }
  }

  /// Records a step whose outputs are in place.
  ///
  /// - Parameter origin: the cycle that built the files; nil if the step ran.
  public func append(
    _ result: StepResult, seconds: Double, finished: String, reusedFrom origin: String? = nil
  ) throws {
    let entry = Entry(
      step: result.step, key: result.key, outputs: try result.files.map(describe), seconds: seconds,
      finished: finished, reusedFrom: origin, warnings: result.warnings.isEmpty ? nil : result.warnings)
    let own = place(cycle, entry.step.path, entry.key)
    try UserError.wrapping("writing the journal", file(own)?.path ?? "") {
      try write(entry, to: own) { try DurableFile.publish($0, as: $1) }
    }
    // The step replaced the files of these.
    for other in keys(at: entry.step.path, in: cycle) where other != entry.key {
      try? file(place(cycle, entry.step.path, other)).map { try FileManager.default.removeItem(at: $0) }
    }
  }

  /// Links the files of a step, if another cycle has them unchanged with the same key, to scratch files. The descriptions of
  /// products are written for the own cycle. This is safe, since a build replaces a file by renaming another one and never writes into it.
  func outputsOfOtherCycle(_ step: Step.ID, key: SHA256Hex) throws -> (outputs: StepOutputs, cycle: String)? {
    for other in cycles where other != cycle {
      guard let entry = entry(at: step.path, in: other), entry.key == key, result(entry) != nil,
        let files = try outputs(entry, of: other)
      else { continue }
      let origin = entry.reusedFrom ?? other
      let detail = "the same as in cycle \(origin)"
      return (StepOutputs(files: files, detail: detail, warnings: entry.warnings ?? []), origin)
    }
    return nil
  }

  /// Nil if a file is outside the build folder of its cycle.
  private func outputs(_ entry: Entry, of other: String) throws -> [StepOutputs.File]? {
    guard let workspace else { return nil }
    var files: [StepOutputs.File] = []
    for output in entry.outputs {
      let folder = "build/\(other)/"
      guard output.path.hasPrefix(folder) else { return nil }
      let source = workspace.root.appending(path: output.path)
      let scratch = workspace.scratchFile(source.lastPathComponent)
      if output.role == .file {
        try source.linkOrCopy(to: scratch)
      } else {
        var product = try Product(describedBy: source)
        product.cycle = AiracCycle(cycle) ?? product.cycle
        try CanonicalJSON.pretty(product).write(to: scratch)
      }
      let final = workspace.build.appending(path: "\(cycle)/\(output.path.dropFirst(folder.count))")
      files.append(
        StepOutputs.File(
          scratch: scratch, final: final, role: output.role,
          sha256: output.role == .file ? output.sha256 : nil))
    }
    return files
  }

  private func entry(at step: String, in cycle: String) -> Entry? {
    keys(at: step, in: cycle).compactMap { read(place(cycle, step, $0)) as Entry? }
      .max { $0.finished < $1.finished }
  }

  private func keys(at step: String, in cycle: String) -> [SHA256Hex] {
    workspace?.journal.appending(path: "\(cycle)/\(step)").names.compactMap { SHA256Hex($0) } ?? []
  }

  private func result(_ entry: Entry) -> StepResult? {
    let files = entry.outputs.compactMap { output in
      url(of: output).map { (file: StepResult.File(url: $0, role: output.role), sha256: output.sha256) }
    }
    guard files.allSatisfy({ (try? hashes.sha256(of: $0.file.url)) == $0.sha256 }) else { return nil }
    return StepResult(
      step: entry.step, key: entry.key, files: files.map(\.file), warnings: entry.warnings ?? [])
  }

  private func url(of output: Entry.Output) -> URL? { workspace?.root.appending(path: output.path) }

  private func describe(_ file: StepResult.File) throws -> Entry.Output {
    Entry.Output(
      path: file.url.path.trimmingPrefix((workspace?.root.path ?? "") + "/").description, role: file.role,
      sha256: try hashes.sha256(ofFinished: file.url), bytes: file.url.byteCount ?? 0)
  }
}

extension URL {
  /// Gives this file a second name, or copies it where the file system has no links.
  fileprivate func linkOrCopy(to other: URL) throws {
    do {
      try FileManager.default.linkItem(at: self, to: other)
    } catch {
      try FileManager.default.copyItem(at: self, to: other)
    }
  }
}

extension Step.ID {
  /// The folder of the journal with these steps.
  fileprivate static let folder = "products"

  /// `products/vfr-sectional/Seattle`, or `products/vfr-sectional/Seattle, seams`
  fileprivate var path: String { "\(Step.ID.folder)/\(self)" }
}

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
