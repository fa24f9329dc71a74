internal import Core
internal import Foundation
internal import Pipeline

/// What a site has for people. No catalogue names these pages, so nothing vouches for them but the place they come from.
struct MirrorPages {
  private let files: any PublishedFiles
  private let place: MirrorPlace
  /// Reports are large for pages: they carry their pictures.
  private static let limit = 512 << 20

  init(_ files: any PublishedFiles, _ place: MirrorPlace) {
    self.files = files
    self.place = place
  }

  func bring(
    _ manifests: [(cycle: String, data: Data)], of catalogue: Catalog, againWhenThere: Bool
  ) throws {
    for (cycle, data) in manifests {
      try place.site.write(data, to: place.site.manifest(of: cycle))
      for name in names(of: catalogue, cycle) { try bring("cycles/\(cycle)/\(name)", againWhenThere) }
    }
    try bring(CycleFeed.path, againWhenThere)
  }

  /// What a site may have of a cycle; a server does not list its files.
  private func names(of catalogue: Catalog, _ cycle: String) -> [String] {
    let databases = catalogue.products.filter { $0.cycle == cycle && $0.kind == .database }.map(\.id)
    let changes = databases.isEmpty ? [] : ["changes"] + databases.map(ChangePages.name)
    return ["report.html"] + changes.flatMap { ["\($0).html", "\($0).json"] }
  }

  private func bring(_ path: String, _ againWhenThere: Bool) throws {
    if !againWhenThere, place.file(path).isRegularFile { return }
    try CancellationToken.current.check()
    guard let page = try at(path, { try files.data(path, limit: MirrorPages.limit) }) else {
      return try SitePruning(place.site).remove(path)
    }
    try place.site.write(page.data, to: place.file(path))
  }
}
