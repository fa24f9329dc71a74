public import Core
internal import CryptoIO
public import Foundation
internal import HTTPIO

/// Keeps the files of a snapshot up to date in a folder, with one conditional request for each file.
///
/// A file that fails its check never takes the place of a good one. So a file in the folder is the last good one, and its note says
/// when its publisher last confirmed it.
public final class SourcePoll {
  /// What is known of a file in the folder.
  public struct Note: Codable, Equatable, Sendable {
    var sha256: SHA256Hex?
    var known = HTTPValidators()
    /// When the publisher last confirmed that this is the newest file.
    public var fetched: Instant?
    /// The newest observation in the file; nil for a file without observations.
    public var observed: Instant?
    /// The failures since then, and when to ask again.
    var failures: Int?
    var retry: Instant?
  }

  /// With the good files. The caller locks it.
  public let folder: URL
  public let now: Instant
  private let origin: SourceOrigin
  private let progress: any ProgressReporter
  private let client: HTTPClient
  /// The files of the folder from which sources are taken; empty for a server.
  private let offered: [URL]
  /// The files that could not be brought up to date.
  public private(set) var faults: [UserError] = []
  /// How many answers had about the time of this machine, and how many another one.
  private var clocks = (right: 0, wrong: 0)
  /// Whether all servers that answered have another time than this machine.
  public var isClockWrong: Bool { clocks.right == 0 && clocks.wrong > 0 }

  /// A clock that differs more from that of a server is wrong, in seconds.
  private static let clockTolerance = 600
  /// How long a file counts as a measure of the next one, in seconds.
  private static let memory = 3600
  /// The longest pause after failures, in seconds.
  private static let longestPause = 900

  public init(
    into folder: URL, from origin: SourceOrigin, now: Instant, progress: any ProgressReporter
  ) throws {
    (self.folder, self.origin, self.now, self.progress) = (folder, origin, now, progress)
    client = try HTTPClient(
      agent: "\(ToolVersion.tool)/\(ToolVersion.version)",
      timeouts: HTTPTimeouts(connectSeconds: 10, stallSeconds: 15))
    if let source = origin.localFolder { try SourceFolder.check(source) }
    offered = origin.localFolder.map { source in source.names.map { source.appending(path: $0) } } ?? []
    try UserError.wrapping("preparing the folder of sources", folder.path) { try folder.createFolder() }
  }

  /// The note of a file that is there and whole; nil for a missing or damaged one.
  public func note(_ name: String) -> Note? {
    guard let note = stored(name), note.sha256 != nil,
      (try? SHA256Hex(ofFile: folder.appending(path: name))) == note.sha256
    else { return nil }
    return note
  }

  /// The bytes of a good file.
  public func data(_ name: String) -> Data? {
    note(name) == nil ? nil : try? Data(contentsOf: folder.appending(path: name))
  }

  /// Asks for a file once, and takes it if it passes the check. A failure is reported and remembered in `faults`.
  ///
  /// - Parameters:
  ///   - limit: the largest size in bytes.
  ///   - isOptional: whether the file may be missing in a folder of saved files.
  ///   - leastShare: how much of its bytes a file must have at least that replaces one of the last hour.
  ///   - check: throws for a file that is cut, damaged or something else. Returns its newest observation.
  /// - Returns: whether the file in the folder is the newest one.
  @discardableResult
  public func fetch(
    _ name: String, from url: String, limit: Int, isOptional: Bool = false, leastShare: Double = 0,
    check: (Data) throws -> Instant?
  ) throws -> Bool {
    try CancellationToken.current.check()
    // A note of the future is from a clock that was wrong.
    let before = note(name).flatMap { ($0.fetched ?? now) > now.adding(SourcePoll.clockTolerance) ? nil : $0 }
    if let retry = stored(name)?.retry, retry > now, retry < now.adding(SourcePoll.longestPause + 1) {
      return false
    }
    do {
      guard let answer = try ask(name, url, limit, before) else { return try confirm(name, before) }
      try checkLoss(answer, name, leastShare, before)
      try accept(answer, as: name, check, before)
      return true
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      if isOptional, error is Missing { return false }
      try fail(name, url, error, before)
      return false
    }
  }

  /// Removes a file that its publisher no longer has.
  public func remove(_ name: String) {
    for file in [folder.appending(path: name), noteFile(name)] {
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Links a file of this machine into the folder, such as a database of the cycle, and removes the link if there is no such file.
  public func link(_ name: String, to candidates: [URL]) throws {
    let (place, file) = (folder.appending(path: name), candidates.first { $0.isRegularFile })
    if let file, file.resolvingSymlinksInPath().path == place.resolvingSymlinksInPath().path { return }
    try? FileManager.default.removeItem(at: place)
    guard let file else { return }
    try UserError.wrapping("linking", place.path) {
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: file)
    }
  }

  // MARK: - One file

  private struct Answer {
    let data: Data
    let known: HTTPValidators
    let fetched: Instant
  }

  private struct Missing: Error {}

  /// Where a file is asked for.
  private func address(_ name: String, _ url: String) -> String {
    switch origin {
    case .publisher: url
    case .mirror(let base): "\(base)/\(name)"
    case .folder(let folder): folder.appending(path: name).path
    }
  }

  private var isFolder: Bool { origin.localFolder != nil }

  /// Returns nil if the server still has the known file.
  private func ask(_ name: String, _ url: String, _ limit: Int, _ before: Note?) throws -> Answer? {
    if isFolder { return try saved(name, limit) }
    let known = before?.known ?? HTTPValidators()
    let conditions = [("If-None-Match", known.etag), ("If-Modified-Since", known.lastModified)]
    let request = HTTPRequest(
      .get, address(name, url), headers: conditions.compactMap { name, value in value.map { (name, $0) } },
      deadline: TransferDeadline(.document.starting(at: .seconds(30))))
    let (response, body) = try client.fetch(request, limit: limit)
    try checkClock(response)
    if response.status == 304, !known.isEmpty { return nil }
    guard response.status == 200 else { throw HTTPStatusError(response) }
    return Answer(data: body, known: HTTPValidators(response), fetched: now)
  }

  /// With a wrong clock an old file would look new, or the new one old.
  private func checkClock(_ response: HTTPResponse) throws {
    guard let date = response.headers["date"].flatMap({ Instant(httpDate: $0) }) else { return }
    guard abs(date.secondsSince1970 - now.secondsSince1970) > SourcePoll.clockTolerance else {
      clocks.right += 1
      return
    }
    clocks.wrong += 1
    throw HTTPError(
      .unusable, "the server's clock says \(date), this machine's \(now): one of them is wrong")
  }

  /// A file that suddenly has far less is cut, or made by a server that is ill.
  private func checkLoss(_ answer: Answer, _ name: String, _ share: Double, _ before: Note?) throws {
    guard let fetched = before?.fetched, fetched > now.adding(-SourcePoll.memory),
      let bytes = folder.appending(path: name).byteCount, Double(answer.data.count) < Double(bytes) * share
    else { return }
    throw SourcePoll.unusable(
      name, "it has \(Counts.bytes(answer.data.count)), and the one before had \(Counts.bytes(bytes))")
  }

  private static func unusable(_ url: String, _ reason: String) -> UserError {
    UserError(
      .badInput, operation: "fetching", path: url, reason: reason,
      suggestion: "The last good file is used until it is too old. The next turn asks again.")
  }

  private func accept(
    _ answer: Answer, as name: String, _ check: (Data) throws -> Instant?, _ before: Note?
  ) throws {
    let sha256 = try SHA256Hex(of: Array(answer.data))
    var note = Note(sha256: sha256, known: answer.known, fetched: answer.fetched)
    if sha256 == before?.sha256 {
      note.observed = before?.observed
    } else {
      do {
        note.observed = try check(answer.data)
      } catch let error where !(error is CancellationError) {
        throw SourcePoll.unusable(name, (error as? UserError)?.reason ?? "\(error)")
      }
      if let old = before?.observed, let new = note.observed, new < old {
        throw SourcePoll.unusable(
          name, "it is an older file: its newest observation is of \(new), not of \(old)")
      }
      try DurableFile.write(answer.data, to: folder.appending(path: name), scratch: scratch(name))
    }
    try write(note, name)
  }

  private func confirm(_ name: String, _ before: Note?) throws -> Bool {
    guard var note = before else { return false }
    (note.fetched, note.failures, note.retry) = (now, nil, nil)
    try write(note, name)
    return true
  }

  /// The pause doubles with each failure. A server may ask for more.
  private func fail(_ name: String, _ url: String, _ error: any Error, _ before: Note?) throws {
    var note = before ?? Note()
    let failures = (stored(name)?.failures ?? 0) + 1
    let pause = min(30 << min(failures, 5), SourcePoll.longestPause)
    let asked = (error as? HTTPStatusError)?.retryAfter.map { Int($0.components.seconds) } ?? 0
    (note.failures, note.retry) = (failures, now.adding(min(max(pause, asked), SourcePoll.longestPause)))
    if !isFolder { try write(note, name) }
    let reason =
      error is Missing
      ? "the folder of --from does not hold it" : UserError.fetching(error, at: url).reason
    let fault = SourcePoll.unusable(address(name, url), reason)
    faults.append(fault)
    progress.report(.failed(step: name, fault: fault))
  }

  // MARK: - Saved files

  /// A saved file has its own name, also with the time of its download before it: `2026-08-22T1756-metars.cache.xml.gz`. The newest
  /// one counts that is not of the future. Without such a time it is the file's time of change.
  private func saved(_ name: String, _ limit: Int) throws -> Answer? {
    let files = offered.compactMap { file -> (file: URL, time: Instant)? in
      let own = file.lastPathComponent
      guard own.hasSuffix(name), file.isRegularFile,
        let changed = try? file.resolvingSymlinksInPath().resourceValues(forKeys: [
          .contentModificationDateKey
        ])
        .contentModificationDate
      else { return nil }
      guard own != name else { return (file, Instant(secondsSince1970: Int(changed.timeIntervalSince1970))) }
      return Instant(savedName: own.dropLast(name.count)).map { (file, $0) }
    }.filter { $0.time <= now }
    guard let newest = files.max(by: { ($0.time, $0.file.path) < ($1.time, $1.file.path) }) else {
      throw Missing()
    }
    guard (newest.file.byteCount ?? 0) <= limit else {
      throw HTTPError(.unusable, "it has more than \(Counts.grouped(limit)) bytes")
    }
    return Answer(
      data: try Data(contentsOf: newest.file), known: HTTPValidators(), fetched: newest.time)
  }

  // MARK: - Notes

  private func noteFile(_ name: String) -> URL { folder.appending(path: ".\(name).json") }
  private func scratch(_ name: String) -> URL { folder.appending(path: ".\(name).part") }

  private func stored(_ name: String) -> Note? {
    (try? Data(contentsOf: noteFile(name))).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
  }

  private func write(_ note: Note, _ name: String) throws {
    try DurableFile.write(CanonicalJSON.pretty(note), to: noteFile(name), scratch: scratch(name))
  }
}

extension Instant {
  /// Reads the start of a saved file's name: `2026-08-22T1756-`, also with seconds and `Z`.
  fileprivate init?(savedName text: some StringProtocol) {
    guard let match = String(text).wholeMatch(of: /(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)?Z?-/) else {
      return nil
    }
    self.init("\(match.1)T\(match.2):\(match.3):\(match.4 ?? "00")Z")
  }

  /// Reads the `Date` header of a server: `Sat, 28 Nov 2026 11:34:58 GMT`.
  fileprivate init?(httpDate text: String) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = formatter.date(from: text) else { return nil }
    self.init(secondsSince1970: Int(date.timeIntervalSince1970))
  }
}
