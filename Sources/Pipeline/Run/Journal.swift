public import Core
internal import CryptoIO
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
  let workspace: Workspace?
  /// What can change a value besides its inputs, such as the versions of the program and its libraries.
  private let environment: [String: String]
  /// The cycles of the work folder, the own one first, then the latest one.
  let cycles: [String]
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
    try explaining({ Workspace.unwritable(workspace.journal, $0) }) { try workspace.journal.createFolder() }
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
    if let own: Value = read(place(cycle, step, key)) { return own }
    for other in cycles.dropFirst() {
      guard let known: Value = read(place(other, step, key)) else { continue }
      try keep(known, of: step, for: inputs)
      return known
    }
    return nil
  }

  /// Keeps a value. A failure only costs the next run time.
  public func keep(_ value: some Encodable, of step: String, for inputs: some Encodable) throws {
    let place = place(cycle, step, try key(of: step, for: inputs))
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

  /// Where a result is kept: `CYCLE/KIND/NAME/KEY`. A result begins with a hash of the part without the cycle.
  typealias Place = (cycle: String, name: String)

  func place(_ cycle: String, _ step: String, _ key: SHA256Hex) -> Place { (cycle, "\(step)/\(key)") }

  private func path(_ place: Place) -> String { "\(place.cycle)/\(place.name)" }

  /// The file of a result; nil if results are kept for this process only.
  func file(_ place: Place) -> URL? { workspace?.journal.appending(path: path(place)) }

  func read<Value: Decodable>(_ place: Place) -> Value? {
    guard place.name.isPlainPath, let content = data(at: place)?.unsealed(as: place.name) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: content)
  }

  private func data(at place: Place) -> Data? {
    guard let file = file(place) else { return memory.withLock { $0[path(place)] } }
    return try? Data(contentsOf: file)
  }

  /// - Parameter publish: gives a scratch file its name.
  func write(
    _ value: some Encodable, to place: Place, publish: (_ scratch: URL, _ file: URL) throws -> Void
  ) throws {
    guard place.name.isPlainPath else { return }
    let data = try CanonicalJSON.line(value).sealed(as: place.name)
    guard let workspace, let file = file(place) else { return memory.withLock { $0[path(place)] = data } }
    let scratch = workspace.scratchFile("result")
    do {
      for folder in [file.deletingLastPathComponent(), workspace.scratch] { try folder.createFolder() }
      try data.write(to: scratch)
      try publish(scratch, file)
    } catch {
      try? FileManager.default.removeItem(at: scratch)
      throw error
    }
  }
}

extension Data {
  /// A line with the hash of the content and its name or form, then the content.
  func sealed(as name: String) -> Data { Data("\(digest(as: name))\n".utf8) + self }

  /// The content of such data; nil if it is damaged, or has another name.
  func unsealed(as name: String) -> Data? {
    guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let content = self[(end + 1)...]
    return self[..<end].elementsEqual(content.digest(as: name).utf8) ? content : nil
  }

  private func digest(as name: String) -> String {
    (try? SHA256Hex(of: Array("\(name)\n".utf8) + self))?.text ?? ""
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
    (try? SHA256Hex(of: Array(cycle.utf8))).map { place(cycle, "refused", $0) }
  }
}
