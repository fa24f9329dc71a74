internal import Core
internal import Pipeline
internal import Validation

/// Whether the files that a catalogue names are there and are what it says.
struct FileCheck {
  private let files: any ObjectStore
  private let request: SiteHealth.Request

  private struct Outcome: Sendable {
    var file: NamedFile
    var problem: String?
    var headers: ServedHeaders?
  }

  init(_ files: any ObjectStore, _ request: SiteHealth.Request) {
    self.files = files
    self.request = request
  }

  func findings(of read: PublishedCatalogue, progress: any ProgressReporter) throws -> [Finding] {
    let named = read.catalogue.productFiles
    let tally = ByteProgress("verify", total: named.map(\.reference).expectedBytes, progress)
    tally.start()
    var findings: [Finding] = []
    var headers = HeaderCensus()
    headers.note(catalogue: read.headers)
    try processInOrder(named, width: request.jobs) { [files, request] file in
      try FileCheck(files, request).examine(file, tally)
    } consume: { outcome in
      if let problem = outcome.problem {
        let place = outcome.file.reference.path
        findings.append(.health(.whole, place, "\(problem); it is a file of \(outcome.file.owner)"))
      }
      headers.note(outcome.file, outcome.headers)
    }
    tally.finish(Counts.of(named.count, "file"))
    return findings + headers.findings
  }

  private func examine(_ file: NamedFile, _ tally: ByteProgress) throws -> Outcome {
    var outcome = Outcome(file: file)
    do {
      let found = try found(file.reference) { count in
        try CancellationToken.current.check()
        tally.advance(by: count)
      }
      outcome.headers = found.headers
      outcome.problem = problem(with: found, file.reference)
    } catch let trouble as Unreadable {
      outcome.problem = trouble.problem
    }
    return outcome
  }

  private func found(_ file: FileReference, _ advance: (Int) throws -> Void) throws -> ObjectInfo {
    if let trouble = file.problem { throw Unreadable(trouble) }
    let found: ObjectInfo?
    if request.isQuick {
      found = try files.info(file.path)
      try advance(file.bytes)
    } else {
      found = try files.fingerprint(file.path, limit: file.bytes, advance)
    }
    guard let found else { throw Unreadable.absent() }
    return found
  }

  private func problem(with found: ObjectInfo, _ file: FileReference) -> String? {
    if let bytes = found.bytes, bytes != file.bytes {
      return "it has \(Counts.grouped(bytes)) bytes, not \(Counts.grouped(file.bytes))"
    }
    guard let sha256 = found.sha256, sha256 != file.sha256 else { return nil }
    return "its SHA-256 is not the one that the catalogue gives"
  }
}

extension [FileReference] {
  /// What there is to be read, for people; sizes that make no sense count for nothing.
  var expectedBytes: Int {
    reduce(0) { sum, file in file.problem == nil ? Swift.min(1 << 56, sum + file.bytes) : sum }
  }
}

/// What is wrong with the headers under which a server sends a site's files: a few sorts of many files.
struct HeaderCensus {
  private var sorts: [(message: String, first: String, count: Int)] = []

  var findings: [Finding] {
    sorts.map { sort in
      let others = sort.count == 1 ? "" : ", and so it is with \(Counts.of(sort.count - 1, "other file"))"
      return .health(.warning, .headers, sort.first, sort.message + others)
    }
  }

  mutating func note(catalogue headers: ServedHeaders?) {
    guard let headers else { return }
    let path = PublishedCatalogue.path
    if !headers.isShortLived {
      add(path, "Cache-Control should be short-lived, such as max-age=60, and \(told(headers.cacheControl))")
    }
    note(path, headers, "application/json")
  }

  mutating func note(_ file: NamedFile, _ headers: ServedHeaders?) {
    guard let headers else { return }
    let path = file.reference.path
    if !headers.isImmutable {
      add(
        path,
        "Cache-Control should be immutable, as the file never changes, and \(told(headers.cacheControl))")
    }
    if !headers.isSized {
      add(path, "Content-Length is missing, so clients cannot show progress")
    }
    if let mediaType = file.mediaType { note(path, headers, mediaType) }
  }

  private mutating func note(_ path: String, _ headers: ServedHeaders, _ mediaType: String) {
    guard headers.mediaType != mediaType.lowercased() else { return }
    add(path, "Content-Type should be \(mediaType), and \(told(headers.contentType))")
  }

  private func told(_ value: String?) -> String { value.map { "is \"\($0)\"" } ?? "is not there" }

  private mutating func add(_ path: String, _ message: String) {
    if let index = sorts.firstIndex(where: { $0.message == message }) {
      sorts[index].count += 1
    } else if sorts.count < 20 {
      sorts.append((message, path, 1))
    }
  }
}
