internal import Foundation
internal import Pipeline
internal import TileArchive

/// The colours of the sheet as the tiles of the largest zoom show them, at the places where each is printed most solidly.
struct TilesInks: ProductRule {
  let name = "tiles-inks"
  let protects =
    "Every ink of the sheet keeps its colour: magenta and blue tell airports without and with a tower."

  /// By CIEDE2000, of the mean of a few pixels. Palettes were off by up to 7.4, in mixes of rare inks; other inks are 20 and more
  /// apart.
  private static let limit = 10.0
  /// Of lossy formats, which keep the colour of thin lines at half the size: up to 24 was measured at quality 80. Magenta and
  /// blue are 40 apart.
  private static let lossyLimit = 28.0

  func check(_ subject: ProductUnderTest) throws -> [Finding] {
    let product = subject.product
    guard product.kind == .chart, let control = product.control, control.projection != nil else { return [] }
    guard let inkPoints = control.inkPoints, !inkPoints.isEmpty else { return missing(subject) }
    guard let archive = subject.tiles, let strip = subject.file(role: Product.Control.role) else { return [] }
    let pieces = try ControlPieces(control, in: strip)
    let painter = try TilePainter(archive)
    guard let zoom = product.maxZoom, (0...24).contains(zoom),
      let map = SheetMap(control, on: PixelGrid(zoom: zoom, tileSize: painter.tileSize))
    else { return [] }
    let survey = InkSurvey(pieces: pieces, map: map, painter: painter, zoom: zoom)
    let sightings = try pieces.points.indices.flatMap { number in
      try Task.checkCancellation()
      return try survey.sightings(number)
    }
    let limit = try archive.anyTile().map(ImageKind.isLossy) == true ? TilesInks.lossyLimit : TilesInks.limit
    return wrong(sightings, limit: limit, subject)
  }

  /// Each ink once, at the place where it is most wrong.
  private func wrong(
    _ sightings: [InkSurvey.Sighting], limit: Double, _ subject: ProductUnderTest
  ) -> [Finding] {
    Dictionary(grouping: sightings.filter { $0.difference > limit }, by: \.ink.hex).sorted { $0.key < $1.key }
      .compactMap { ink, places in
        guard
          let worst = places.max(by: {
            ($0.difference, $1.row, $1.column) < ($1.difference, $0.row, $0.column)
          })
        else { return nil }
        return error(
          "\(subject.place) tile \(worst.tile)",
          "the ink \(ink) at column \(worst.column), row \(worst.row) of its sheet comes out as \(worst.found.hex) "
            + "where \(worst.expected.hex) is expected, \(worst.difference.hundredths) off by CIEDE2000 "
            + "(\(Counts.of(places.count, "place"))); build it again")
      }
  }

  /// Every build keeps pieces for the colours.
  private func missing(_ subject: ProductUnderTest) -> [Finding] {
    guard subject.product.cut != nil else { return [] }
    return [
      error(
        subject.place,
        "its `control` has no `inkPoints`, so its colours cannot be compared with its sheet; build it again")
    ]
  }
}
