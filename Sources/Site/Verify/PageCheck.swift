internal import Core
internal import Foundation

/// Compares the pages of a site with the list that the catalogue names, and `latest.json` with the catalogue.
///
/// Pages are sent after the flip. So a page of the list before is a warning: a publication is under way or was interrupted, or a cache
/// is stale. Any other difference is an error, and so is a page with active content that no list has. Another link or a name that is not
/// UTF-8 is a warning.
struct PageCheck: Sendable {
  let health: SiteHealth
  let read: PublishedCatalogue
  /// The endings of files in which a browser or a server runs scripts, or which a server sends in place of a page.
  private static let active: Set = [
    "html", "htm", "shtml", "xhtml", "xht", "xml", "xsl", "js", "mjs", "svg", "svgz", "pdf", "wasm", "php",
    "phtml", "phar", "cgi", "pl", "py", "asp", "aspx", "jsp", "gz", "br", "zst",
  ]
  private static let mostLists = 200

  func findings() throws -> [Finding] {
    guard let regions = read.catalogue.regions else { return try coverage() }
    return try coverage()
      + health.reading(regions.path, .pages) {
        _ = try files.data(of: regions, "the list of regions")
        return []
      } + health.reading(LatestAnswer.path, .pages) { try latest() }
  }

  /// Compares the listed pages. A catalogue of an earlier version lists none.
  private func coverage() throws -> [Finding] {
    guard let file = read.catalogue.pages else {
      let problem = "an earlier version wrote it, so no hash covers the pages; publish again to list them"
      return [.health(.warning, .pages, PublishedCatalogue.path, problem)]
    }
    return try health.reading(file.path, .pages) { try differences(from: PageList.read(file, in: files)) }
  }

  private var files: any ObjectStore { health.files }

  /// An old one costs a client a request; it does not mislead it.
  private func latest() throws -> [Finding] {
    guard let found = try files.data(LatestAnswer.path, limit: PublishedCatalogue.limit)?.data else {
      throw Unreadable.absent()
    }
    if try found == LatestAnswer(read.catalogue, sha256: read.sha256).data { return [] }
    let serial = (try? JSONDecoder().decode(LatestAnswer.self, from: found))?.serial
    let isOld = serial.map { $0 < read.catalogue.serial } ?? false
    return [
      .health(
        isOld ? .warning : .error, .pages, LatestAnswer.path,
        "it does not belong to this catalogue; publish again to repair it")
    ]
  }

  private func differences(from list: PageList) throws -> [Finding] {
    let wanted = list.byPath
    let before = list.replaced(in: files)?.byPath ?? wanted
    var findings = try unlisted(beside: list)
    try processInOrder(Set(wanted.keys).union(before.keys).sorted(), width: health.jobs) { path in
      try health.reading(path, .pages) { try check(path, wanted[path], before: before[path]) }
    } consume: {
      findings += $0
    }
    return findings
  }

  /// The pages with active content of a published site that can be listed, and are not in its lists: the publisher removes pages of
  /// earlier lists after two days, and those lists with them. A site that is only staged may have old cycles.
  private func unlisted(beside list: PageList) throws -> [Finding] {
    guard read.catalogue.term != nil, let store = files as? any WritableObjectStore else { return [] }
    let lists = sequence(first: list) { $0.replaced(in: store) }
    let listed = Set(lists.prefix(PageCheck.mostLists).flatMap(\.files).map(\.path))
    let hidden = (files as? FolderStore)?.unlisted.filter { !BlobPath.isValid($0) } ?? []
    let links = hidden.filter { !(Retention.prefixes + ["live/"]).contains($0 + "/") }
    let keys = try store.list("").map(\.key).filter(PageCheck.isActive) + links
    let problem = "no catalogue lists it; find out who put it there, and remove it"
    return keys.filter { !listed.contains($0) }.sorted().map {
      .health(PageCheck.isActive($0) ? .error : .warning, .pages, $0, problem)
    }
  }

  private static func isActive(_ key: String) -> Bool {
    let ending = URL(filePath: key).pathExtension.lowercased()
    return active.contains(ending) && !(ending == "gz" && BlobPath.isValid(key))
  }

  /// A page that only the list before has may stay, for readers of that catalogue.
  private func check(_ path: String, _ wanted: FileReference?, before: FileReference?) throws -> [Finding] {
    let limit = max(wanted?.bytes ?? 0, before?.bytes ?? 0)
    let found =
      try health.isQuick
      ? files.info(path)
      : files.fingerprint(path, limit: limit) { _ in try CancellationToken.current.check() }
    let isOld = PageCheck.matches(found, before)
    if PageCheck.matches(found, wanted) || isOld && wanted == nil { return [] }
    let problem =
      found == nil
      ? "it is missing"
      : isOld ? "it belongs to the catalogue before" : "it is not the page that the catalogue lists"
    return [.health(isOld ? .warning : .error, .pages, path, "\(problem); publish again to repair it")]
  }

  private static func matches(_ found: ObjectInfo?, _ page: FileReference?) -> Bool {
    guard let found, let page else { return found == nil && page == nil }
    return found.bytes ?? page.bytes == page.bytes && found.sha256 ?? page.sha256 == page.sha256
  }
}
