internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// Checks that the page is there, and that `style.json` and the TileJSON files name archives of the catalogue.
///
/// Their bytes depend on the site's public address, which only the publisher knows, so the archives are compared. An archive of the
/// replaced catalogue is a warning, since it still exists.
struct WebMapCheck {
  private let files: any ObjectStore
  private let catalogue: Catalog
  private let named: Set<String>
  private let namedBefore: Set<String>
  private static let remedy = "publish again to repair it"

  init(_ files: any ObjectStore, _ catalogue: Catalog, replaced: Catalog?) {
    self.files = files
    self.catalogue = catalogue
    named = Set(catalogue.productFiles.map(\.reference.path))
    namedBefore = Set(replaced?.productFiles.map(\.reference.path) ?? [])
  }

  func findings() throws -> [Finding] {
    let descriptions = [WebMap.stylePath] + WebMap(catalogue).paths.sorted()
    return try read(SitePage.path).findings + descriptions.flatMap { try findings(in: $0) }
  }

  private func findings(in path: String) throws -> [Finding] {
    let (data, findings) = try read(path)
    guard let data else { return findings }
    let archives = String(decoding: data, as: UTF8.self)
      .matches(of: /blobs\/[0-9a-f]{2}\/[0-9a-f]{64}\.pmtiles/).map { String($0.output) }
    guard let foreign = archives.first(where: { !named.contains($0) }) else { return [] }
    let severity: Finding.Severity = namedBefore.contains(foreign) ? .warning : .error
    return [
      .health(
        severity, .regions, path,
        "it names \(foreign), which the catalogue does not have; \(WebMapCheck.remedy)")
    ]
  }

  private func read(_ path: String) throws -> (data: Data?, findings: [Finding]) {
    do {
      if let found = try files.data(path, limit: largestDocument) { return (found.data, []) }
      return (nil, [.health(.warning, .regions, path, "it is missing; \(WebMapCheck.remedy)")])
    } catch let trouble as Unreadable {
      return (nil, [.health(.regions, path, trouble.problem)])
    }
  }
}
