internal import Core
internal import Foundation
internal import Pipeline

/// `changes.html` and `changes.json` beside a cycle's report.
struct ChangePages {
  let site: SiteFolder
  let cycle: String

  /// Writes them, and removes those that an earlier staging left and that hold no more.
  ///
  /// - Returns: what the report shows, by product.
  func write(_ changes: [CycleChanges.Change]) throws -> [String: ChangeDigest] {
    var digests: [String: ChangeDigest] = [:]
    var written: Set<String> = []
    for change in changes {
      var digest = change.digest
      if case .success(let difference) = change.difference {
        let name = changes.count == 1 ? "changes" : ChangePages.name(change.product.id)
        try site.write(DifferencePage(difference).data, to: file("\(name).html"))
        try site.write(CanonicalJSON.pretty(difference), to: file("\(name).json"))
        written.formUnion(["\(name).html", "\(name).json"])
        digest.link = "\(name).html"
      }
      digests[change.product.id] = digest
    }
    try removeOthers(than: written)
    return digests
  }

  private func file(_ name: String) -> URL { site.cycles.appending(path: cycle).appending(path: name) }

  /// Of one database of several, without the ending.
  static func name(_ id: String) -> String {
    "changes-" + String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  private func removeOthers(than written: Set<String>) throws {
    let folder = site.cycles.appending(path: cycle)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix("changes") && !written.contains(name) {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
}
