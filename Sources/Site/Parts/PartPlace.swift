public import Core
internal import CryptoIO
public import Foundation

/// A part in a folder or in a store.
public struct FoundPart: Sendable {
  public let part: BuildPart
  let sha256: SHA256Hex
  fileprivate let store: any ObjectStore
  fileprivate let prefix: String
  /// The sizes of its files, by path. A link is not a file.
  fileprivate let sizes: [String: Int]

  /// For messages: `/srv/parts/part-2-of-3`
  public var name: String { FoundPart.name(prefix, in: store) }

  fileprivate static func name(_ prefix: String, in store: any ObjectStore) -> String {
    prefix.isEmpty ? store.name : "\(store.name)/\(prefix.dropLast())"
  }

  /// Its first file that is not there with its whole size; nil if all are.
  var incompleteFile: String? {
    part.files.lazy.compactMap { file -> String? in
      guard let bytes = sizes[file.path] else { return "\(file.path) is missing" }
      guard bytes != file.bytes else { return nil }
      return "\(file.path) has \(Counts.grouped(bytes)) of \(Counts.grouped(file.bytes)) bytes"
    }.first
  }

  /// Copies a file and verifies its hash.
  public func copy(_ file: Journal.Entry.Output, to scratch: URL) throws {
    let info = try Unreadable.explained({ damaged(file, $0) }) {
      try store.copy(prefix + file.path, to: scratch, limit: file.bytes) { _ in
        try CancellationToken.current.check()
      }
    }
    guard let info else { throw damaged(file, "it is not there any more") }
    guard info.bytes == file.bytes, info.sha256 == file.sha256 else {
      throw damaged(file, "its bytes are not those that \(BuildPart.fileName) lists")
    }
  }

  public func damaged(_ file: Journal.Entry.Output, _ reason: String) -> UserError {
    UserError(
      .badInput, operation: "joining", path: "\(name)/\(file.path)", reason: reason,
      suggestion: "Remove the part \(name), build shard \(part.shard) again, and join again.")
  }

  /// The duration of each product's step, as far as the part has it. It is for estimates only.
  public func seconds() -> [String: Double] {
    let data = try? store.data(prefix + BuildPart.timesName, limit: BuildPart.limit)?.data
    let times = data.flatMap { try? JSONDecoder().decode([String: Double].self, from: $0) } ?? [:]
    return times.filter { (0...1e7).contains($0.value) }
  }
}

/// The parts below the folders and prefixes that the user named.
public struct PartSearch: Sendable {
  public private(set) var found: [FoundPart] = []
  /// Why some of them cannot be used.
  private(set) var problems: [String] = []
  /// The names of folders of parts without a description yet, by the name of the folder.
  private(set) var unfinished: [String: String] = [:]

  public init(in places: [PublishTarget]) throws {
    for place in places { try search(place.store) }
  }

  private mutating func search(_ store: any WritableObjectStore) throws {
    let objects = try store.list("")
    let (before, known) = (found.count + problems.count, unfinished.count)
    let prefixes = PartSearch.prefixes(objects)
    for prefix in prefixes {
      let isPart = objects.contains { $0.key == prefix + BuildPart.fileName }
      if isPart {
        try read(prefix, objects, in: store)
      } else {
        unfinished[String(prefix.dropLast())] = FoundPart.name(prefix, in: store)
      }
    }
    if found.count + problems.count == before, unfinished.count == known {
      problems.append("\(store.name) holds no part")
    }
  }

  /// The place itself if it is a part. Otherwise the folders in it that are parts, or that are named like a part.
  private static func prefixes(_ objects: [ListedObject]) -> [String] {
    if objects.contains(where: { $0.key == BuildPart.fileName }) { return [""] }
    let folders = objects.compactMap { object -> String? in
      let steps = object.key.split(separator: "/")
      guard steps.count > 1 else { return nil }
      let isPart = steps.count == 2 && steps[1] == BuildPart.fileName
      return isPart || steps[0].wholeMatch(of: /part-\d+-of-\d+/) != nil ? steps[0] + "/" : nil
    }
    return Set(folders).sorted()
  }

  private mutating func read(
    _ prefix: String, _ objects: [ListedObject], in store: any WritableObjectStore
  ) throws {
    let name = FoundPart.name(prefix, in: store)
    var content: Data?
    do {
      guard let data = try store.data(prefix + BuildPart.fileName, limit: BuildPart.limit)?.data else {
        throw Unreadable.absent()
      }
      content = data
      guard String(validating: data, as: UTF8.self) != nil else { throw Unreadable("it is no text in UTF-8") }
      let part = try JSONDecoder().decode(BuildPart.self, from: data)
      if let problem = try part.problem() { throw Unreadable(problem) }
      let inside = objects.filter { $0.key.hasPrefix(prefix) }
        .map { (String($0.key.dropFirst(prefix.count)), $0.bytes) }
      let sizes = Dictionary(inside) { $1 }
      let sha256 = try SHA256Hex(of: Array(data))
      found.append(FoundPart(part: part, sha256: sha256, store: store, prefix: prefix, sizes: sizes))
    } catch let error as Unreadable {
      problems.append("\(name): \(error.problem.printable)")
    } catch let error as DecodingError {
      problems.append(
        "\(name): \(BuildPart.fileName) cannot be read: \(error.whereAndWhy(in: content).printable)")
    }
  }
}

extension PublishTarget {
  /// Sends a part, its description last, so that a reader sees a whole part or none.
  ///
  /// - Parameters:
  ///   - work: the folder to which the paths of the part's files are relative.
  ///   - seconds: the duration of each product's step.
  /// - Returns: the name of the part, and whether it was not there before.
  public func send(
    _ part: BuildPart, from work: URL, seconds: [String: Double], progress: any ProgressReporter
  ) throws -> (name: String, isNew: Bool) {
    let prefix = part.number.folderName + "/"
    let name = FoundPart.name(prefix, in: store)
    let data = try CanonicalJSON.pretty(part)
    if try has(part, data, at: prefix) { return (name, false) }
    // Or a reader could see the old description with new files.
    try store.remove(prefix + BuildPart.fileName)
    var done = 0
    try processInOrder(
      part.files, width: 4,
      work: { [store] file in
        let body = ObjectBody.file(
          work.appending(path: file.path), bytes: file.bytes, sha256: file.sha256)
        try store.put(body, at: prefix + file.path, .blob(nil), if: .always)
      },
      consume: { _ in
        done += 1
        progress.report(
          .advanced(step: "shard \(part.shard)", done: done, total: part.files.count, unit: "files sent"))
      })
    try store.put(
      .data(CanonicalJSON.pretty(seconds)), at: prefix + BuildPart.timesName, .uncached, if: .always)
    try store.put(.data(data), at: prefix + BuildPart.fileName, .uncached, if: .always)
    return (name, true)
  }

  /// Whether the same part is there, whole.
  private func has(_ part: BuildPart, _ data: Data, at prefix: String) throws -> Bool {
    guard try store.read(prefix + BuildPart.fileName)?.data == data else { return false }
    let sizes = Dictionary(try store.list(prefix).map { ($0.key, $0.bytes) }) { $1 }
    return part.files.allSatisfy { sizes[prefix + $0.path] == $0.bytes }
  }
}
