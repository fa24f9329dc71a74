internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Validation

/// Whether `regions.json` and `latest.json` say what the catalogue says.
///
/// A `regions.json` at the site's root that belongs to the replaced catalogue is a warning: a publication was interrupted, or a
/// cache is behind, and all files that it names are still there. Any other difference is an error. `latest.json` holds hashes
/// only, so another one costs a client a request and is a warning.
struct RootCheck {
  private let files: any PublishedFiles
  private let read: PublishedCatalogue
  private static let limit = PublishedCatalogue.limit
  private static let remedy = "publish again to repair it"

  init(_ files: any PublishedFiles, _ read: PublishedCatalogue) {
    (self.files, self.read) = (files, read)
  }

  /// None for a catalogue of an earlier version, which has no list of regions.
  func findings() throws -> [Finding] {
    guard let reference = read.catalogue.regions else { return [] }
    let replaced = replaced()
    let data: Data
    do {
      data = try reference.regions(in: files)
    } catch let trouble as Unreadable {
      return [.health(.regions, reference.path, trouble.problem)]
    }
    let before = replaced?.catalogue.regions.flatMap { try? $0.regions(in: files) }
    let answer = try LatestAnswer(read.catalogue, sha256: read.sha256).data
    return try content(data, reference.path)
      + root(RegionList.path, is: data) {
        $0 == before
          ? (.warning, "it belongs to the catalogue before this one")
          : (.error, "it is not the one of this catalogue")
      }
      + root(LatestAnswer.path, is: answer) { _ in (.warning, "it is not the one of this catalogue") }
  }

  private func replaced() -> PublishedCatalogue? {
    guard let file = read.catalogue.replaces, file.trouble == nil,
      let data = try? files.data(file.path, limit: RootCheck.limit)?.data
    else { return nil }
    return try? PublishedCatalogue(data)
  }

  private func root(
    _ path: String, is wanted: Data, otherwise: (Data) -> (Finding.Severity, String)
  ) throws -> [Finding] {
    let found: Data?
    do {
      found = try files.data(path, limit: RootCheck.limit)?.data
    } catch let trouble as Unreadable {
      return [.health(.regions, path, trouble.problem)]
    }
    guard let found else { return [.health(.regions, path, "it is not there; \(RootCheck.remedy)")] }
    if found == wanted { return [] }
    let (severity, problem) = otherwise(found)
    return [.health(severity, .regions, path, "\(problem); \(RootCheck.remedy)")]
  }

  /// Each region must be an archive that the catalogue names, with the catalogue's dates, and each id be there once.
  private func content(_ data: Data, _ path: String) -> [Finding] {
    guard let regions = try? JSONDecoder().decode([RegionList.Region].self, from: data) else {
      return [.health(.regions, path, "it is no list of regions")]
    }
    let known = Dictionary(grouping: read.catalogue.products, by: \.id).mapValues {
      $0.compactMap(RegionList.Region.init)
    }
    var seen: Set<String> = []
    return regions.compactMap { region in
      guard seen.insert(region.id.lowercased()).inserted else {
        return .health(.regions, path, "the region \(region.id) is there twice")
      }
      guard known[region.product]?.contains(region) != true else { return nil }
      return .health(
        .regions, path, "the region \(region.id) is not what the catalogue says of \(region.product)")
    }
  }
}
