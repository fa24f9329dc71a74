internal import Core

extension SiteHealth {
  /// Verifies that the files that a catalogue names exist, with their sizes and hashes.
  func fileFindings(of read: PublishedCatalogue, progress: any ProgressReporter) throws -> [Finding] {
    let named = read.catalogue.productFiles
    let tally = ByteProgress("verify", total: named.map(\.reference).expectedBytes, progress)
    tally.start()
    var findings: [Finding] = []
    var headers = HeaderSummary()
    headers.note(catalogue: read.headers, at: channel.path)
    try processInOrder(named, width: jobs) { [self] file in
      (file, try check(file.reference, tally))
    } consume: { file, found in
      if let problem = found.problem {
        let remedy =
          channel == .live
          ? "`run` writes it again once it is removed" : "`publish --check` or `mirror --check` replaces it"
        findings.append(
          .health(.whole, file.reference.path, "\(problem); it is a file of \(file.owner); \(remedy)"))
      }
      headers.note(file, found.headers)
    }
    tally.finish(Counts.of(named.count, "file"))
    return findings + headers.findings
  }

  private func check(
    _ file: FileReference, _ tally: ByteProgress
  ) throws -> (problem: String?, headers: ServedHeaders?) {
    do {
      let found = try found(file) { count in
        try CancellationToken.current.check()
        tally.advance(by: count)
      }
      return (problem(with: found, file), found.headers)
    } catch let trouble as Unreadable {
      return (trouble.problem, nil)
    }
  }

  private func found(_ file: FileReference, _ advance: (Int) throws -> Void) throws -> ObjectInfo {
    if let trouble = file.problem { throw Unreadable(trouble) }
    let found: ObjectInfo?
    if isQuick {
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
    return "its SHA-256 differs from the one in the catalogue"
  }
}

extension [FileReference] {
  /// The total size, for progress. Absurd sizes are not counted.
  var expectedBytes: Int {
    reduce(0) { sum, file in file.problem == nil ? Swift.min(1 << 56, sum + file.bytes) : sum }
  }
}

/// Summarizes the problems with a server's headers, grouped by problem.
struct HeaderSummary {
  private var groups: [(message: String, first: String, count: Int)] = []

  var findings: [Finding] {
    groups.map { group in
      let others = group.count == 1 ? "" : ", and the same for \(Counts.of(group.count - 1, "other file"))"
      return .health(.warning, .headers, group.first, group.message + others)
    }
  }

  mutating func note(catalogue headers: ServedHeaders?, at path: String) {
    guard let headers else { return }
    if !headers.isShortLived {
      add(
        path, "Cache-Control should be short-lived, such as max-age=60, and \(actual(headers.cacheControl))")
    }
    note(path, headers, "application/json")
  }

  mutating func note(_ file: NamedFile, _ headers: ServedHeaders?) {
    guard let headers else { return }
    let path = file.reference.path
    if !headers.isImmutable {
      add(
        path,
        "Cache-Control should be immutable, as the file never changes, and \(actual(headers.cacheControl))")
    }
    if !headers.isSized {
      add(path, "Content-Length is missing, so clients cannot show progress")
    }
    if let mediaType = file.mediaType { note(path, headers, mediaType) }
  }

  private mutating func note(_ path: String, _ headers: ServedHeaders, _ mediaType: String) {
    guard headers.mediaType != mediaType.lowercased() else { return }
    add(path, "Content-Type should be \(mediaType), and \(actual(headers.contentType))")
  }

  private func actual(_ value: String?) -> String { value.map { "is \"\($0)\"" } ?? "is missing" }

  private mutating func add(_ path: String, _ message: String) {
    if let index = groups.firstIndex(where: { $0.message == message }) {
      groups[index].count += 1
    } else if groups.count < 20 {
      groups.append((message, path, 1))
    }
  }
}
