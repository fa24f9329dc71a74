internal import Foundation
internal import Geo
internal import Pipeline
internal import TileArchive

/// The printed meridians and parallels against those of the earth. Nothing of the build has a part in it, and so it holds
/// the FAA's own placing of the sheet to account too.
struct PlaceGraticule: ProductRule {
  let name = "place-graticule"
  let protects = "A sheet that was placed wrongly to begin with, or on another datum, moves no airport."

  /// Pixels of the largest zoom: what a person should look at, and what nobody prints.
  private static let oddity = 1.5
  private static let limit = 4.0

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let product = subject.product
    guard product.kind == .chart, let zoom = product.maxZoom, (0...24).contains(zoom),
      let box = product.boundingBox, box.isOnEarth, let archive = subject.tiles
    else { return [] }
    guard let neatline = try archive.metadata()["chartpipe:neatline"].flatMap({ Neatline(geoJSON: $0) }),
      let offset = try GraticuleSurvey(archive, neatline, zoom: zoom).offset(in: box)
    else { return [] }
    let distance = hypot(offset.x, offset.y)
    subject.facts.graticule = .init(
      points: offset.stations, median: distance.hundredths,
      worst: distance.hundredths)
    guard distance > PlaceGraticule.oddity else { return [] }
    let words =
      "its printed graticule lies \(offset.x.hundredths) pixels east and \(offset.y.hundredths) pixels south of the "
      + "true one; look whether the FAA placed the sheet anew or on another datum"
    return [distance > PlaceGraticule.limit ? error(subject.place, words) : warning(subject.place, words)]
  }
}

extension GeoBox {
  fileprivate var isOnEarth: Bool {
    [west, east].allSatisfy((-180...180).contains) && [south, north].allSatisfy((-90...90).contains)
  }
}
