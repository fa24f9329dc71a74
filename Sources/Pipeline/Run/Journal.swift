internal import Core
public import CryptoIO
public import Foundation
internal import Synchronization

/// The finished steps of a work folder. This is the one place that knows what is up to date.
///
/// Each result of a step is a file `journal/CYCLE/KIND/NAME/KEY`. The key is the hash of everything that the result depends on.
/// The result of a step that builds a product is the list of its files; that of any other step, such as the rules of a file or
/// a staging, is a value. A result is written after the files that it lists are in place: if a run is killed in between, the next
/// run repeats the step and gets the same bytes. A result begins with the hash of its place and content. A missing, damaged or
/// moved one is made again.
///
/// A result with the same key in the journal of another cycle counts too: an edition of 56 days is in force in two cycles, and
/// the key of a chart's step contains the edition.
public final class Journal: Sendable {
  public let cycle: String
  /// The hashes of the files that the results depend on.
  public let hashes: FileHashes
  private let workspace: Workspace?
  /// What can change a value besides its inputs, such as the versions of the program and its libraries.
  private let environment: [String: String]
  /// The cycles of the work folder, the own one first, then the latest one.
  private let cycles: [String]
  /// The results of this process, by their places, if no work folder keeps them.
  private let memory = Mutex<[String: Data]>([:])

  /// Keeps results for this process only.
  public init() {
    (cycle, hashes, workspace, environment, cycles) = ("", FileHashes(), nil, [:], [""])
  }

  /// Opens the journal of one cycle.
  public init(
    cycle: String, in workspace: Workspace, hashes: FileHashes = FileHashes(),
    environment: [String: String] = [:]
  ) throws {
    (self.cycle, self.hashes, self.workspace, self.environment) = (cycle, hashes, workspace, environment)
    cycles = [cycle] + Journal.cycles(in: workspace).reversed().filter { $0 != cycle }
    try explaining({ Workspace.unwritable(workspace.journal, $0) }) {
      try FileManager.default.createDirectory(at: workspace.journal, withIntermediateDirectories: true)
    }
  }

  /// The identifiers of the cycles that have a journal.
  public static func cycles(in workspace: Workspace) -> [String] {
    workspace.journal.names.filter { workspace.journal.appending(path: $0).kindOnDisk == .folder }.sorted()
  }

  /// The work folder; nil if results are kept for this process only.
  public var root: URL? { workspace?.root }

  // MARK: - Values

  /// Returns the value that a step with these inputs had, or makes it and keeps it.
  ///
  /// - Parameters:
  ///   - step: the kind and the name of the step: `rules/vfr-sectional/Denver/Denver.mbtiles`.
  ///   - inputs: everything that the value depends on.
  public func value<Value: Codable>(
    of step: String, for inputs: some Encodable, make: () throws -> Value
  ) throws -> Value {
    if let known: Value = try value(of: step, for: inputs) { return known }
    let made = try make()
    try keep(made, of: step, for: inputs)
    return made
  }

  /// Returns the value that a step with these inputs had; nil if there is none that can be read.
  public func value<Value: Codable>(of step: String, for inputs: some Encodable) throws -> Value? {
    let key = try key(of: step, for: inputs)
    if let own: Value = read(Place(cycle, step, key)) { return own }
    for other in cycles.dropFirst() {
      guard let known: Value = read(Place(other, step, key)) else { continue }
      try keep(known, of: step, for: inputs)
      return known
    }
    return nil
  }

  /// Keeps a value. A failure only costs the next run time.
  public func keep(_ value: some Encodable, of step: String, for inputs: some Encodable) throws {
    let place = Place(cycle, step, try key(of: step, for: inputs))
    // Not flushed: a value that a power failure damages is made again.
    try? write(value, to: place) { scratch, file in try scratch.replace(file) }
  }

  private struct Key<Inputs: Encodable>: Encodable {
    let tool = "\(ToolVersion.tool) \(ToolVersion.version)"
    let environment: [String: String]
    let step: String
    let inputs: Inputs
  }

  private func key(of step: String, for inputs: some Encodable) throws -> SHA256Hex {
    try SHA256Hex(of: Array(CanonicalJSON.line(Key(environment: environment, step: step, inputs: inputs))))
  }

  // MARK: - Files

  /// Where a result is kept.
  private struct Place {
    let cycle: String
    /// The part of the path that a result begins with the hash of.
    let name: String

    init(_ cycle: String, _ step: String, _ key: SHA256Hex) { (self.cycle, name) = (cycle, "\(step)/\(key)") }

    var path: String { "\(cycle)/\(name)" }
  }

  private func read<Value: Decodable>(_ place: Place) -> Value? {
    guard place.name.isPlainPath, let data = data(at: place),
      let end = data.firstIndex(of: UInt8(ascii: "\n")),
      case let content = data[(end + 1)...],
      data[..<end].elementsEqual(Journal.digest(of: content, at: place))
    else { return nil }
    return try? JSONDecoder().decode(Value.self, from: content)
  }

  private func data(at place: Place) -> Data? {
    guard let workspace else { return memory.withLock { $0[place.path] } }
    return try? Data(contentsOf: workspace.journal.appending(path: place.path))
  }

  /// - Parameter publish: gives a scratch file its name.
  private func write(
    _ value: some Encodable, to place: Place, publish: (_ scratch: URL, _ file: URL) throws -> Void
  )
    throws
  {
    guard place.name.isPlainPath else { return }
    let content = try CanonicalJSON.line(value)
    let data = Data(Journal.digest(of: content, at: place)) + Data("\n".utf8) + content
    guard let workspace else { return memory.withLock { $0[place.path] = data } }
    let file = workspace.journal.appending(path: place.path)
    let scratch = workspace.scratchFile("result")
    do {
      for folder in [file.deletingLastPathComponent(), workspace.scratch] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      try data.write(to: scratch)
      try publish(scratch, file)
    } catch {
      try? FileManager.default.removeItem(at: scratch)
      throw error
    }
  }

  private static func digest(of content: Data, at place: Place) -> String.UTF8View {
    ((try? SHA256Hex(of: Array("\(place.name)\n".utf8) + content))?.text ?? "").utf8
  }
}

// MARK: - Refused charts

extension Journal {
  /// The charts of the cycle that validation refused when it was staged last, each with the key of its step. The next run begins
  /// without them, so that it does not complete the edges of their neighbours twice.
  public var refusedCharts: [String: SHA256Hex] { refusedPlace.flatMap(read) ?? [:] }

  /// A failure only costs the next run time.
  public func keep(refusedCharts charts: [String: SHA256Hex]) {
    guard let place = refusedPlace, charts != refusedCharts else { return }
    try? write(charts, to: place) { try $0.replace($1) }
  }

  private var refusedPlace: Place? {
    (try? SHA256Hex(of: Array(cycle.utf8))).map { Place(cycle, "refused", $0) }
  }
}

// MARK: - Products

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
      finished: finished, reusedFrom: origin)
    let place = Place(cycle, entry.step.path, entry.key)
    try UserError.wrapping("writing the journal", workspace?.journal.appending(path: place.path).path ?? "") {
      try write(entry, to: place) { try DurableFile.publish($0, as: $1) }
    }
    // The step replaced the files of these.
    for other in keys(at: entry.step.path, in: cycle) where other != entry.key {
      let place = Place(cycle, entry.step.path, other)
      try? workspace.map { try FileManager.default.removeItem(at: $0.journal.appending(path: place.path)) }
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
      return (StepOutputs(files: files, detail: "the same as in cycle \(origin)"), origin)
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
    keys(at: step, in: cycle).compactMap { read(Place(cycle, step, $0)) as Entry? }
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
    return StepResult(step: entry.step, key: entry.key, files: files.map(\.file))
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
