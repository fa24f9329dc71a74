internal import Core
internal import Pipeline
internal import Validation

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
