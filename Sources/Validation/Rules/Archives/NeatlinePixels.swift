internal import Core
internal import ImageIO
internal import Pipeline
internal import TileArchive

/// The pixels along the neatline that the archive tells: the chart shows right up to it, and nothing beyond.
struct NeatlinePixels: ArchiveRule {
  let name = "neatline-edges"
  let protects = "The map is not cut short, and no collar shows, where the chart says that it ends."

  /// So few places may be some speck; more than a twentieth of an edge is not.
  private static let fewest = 3
  private static let share = 20
  private static let sideLimit: UInt32 = 2048

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    guard let neatline = archive.neatline, let zoom = archive.summary.zooms.last?.zoom,
      StoredTile(zoom: zoom, column: 0, tmsRow: 0, data: []).id != nil
    else { return [] }
    let places = EdgePlaces(neatline, pixel: WebMercator.resolution(zoom: zoom)).places
    let within = try lookups(places.map(\.inside), zoom, archive)
    // What lies beyond the edge of a chart whose edge tiles were completed is its neighbours' picture.
    let isCompleted = archive.metadata["chartpipe:seams"]?.isEmpty == false
    let beyond = try isCompleted ? [:] : lookups(places.map(\.outside), zoom, archive)
    let rings = Dictionary(grouping: places.indices) { places[$0].ring }.sorted { $0.key < $1.key }
    return rings.flatMap { _, ring in
      [
        finding(ring.filter { within[$0] == false }, of: ring.count, places.map(\.inside), archive) {
          "a few pixels within its neatline it shows nothing \($0)"
        },
        finding(ring.filter { beyond[$0] == true }, of: ring.count, places.map(\.outside), archive) {
          "a few pixels beyond its neatline something shows \($0)"
        },
      ].compactMap(\.self)
    }
  }

  private func finding(
    _ wrong: [Int], of count: Int, _ points: [PlanePoint], _ archive: ArchiveUnderTest,
    _ message: (_ where: String) -> String
  ) -> Finding? {
    guard wrong.count >= NeatlinePixels.fewest, wrong.count * NeatlinePixels.share > count else { return nil }
    let first = WebMercator.unproject(x: points[wrong[0]].x, y: points[wrong[0]].y)
    let degrees = [first.longitude, first.latitude].map { "\(($0 * 1000).rounded() / 1000)" }
    return error(
      archive.place,
      message(
        "at \(wrong.count) of \(count) places along an edge, the first near \(degrees.joined(separator: ","))"
      ))
  }

  /// Whether the chart shows at each point, by its number; nothing of those whose tile is not there or is no image, which other
  /// rules tell.
  private func lookups(_ points: [PlanePoint], _ zoom: Int, _ archive: ArchiveUnderTest) throws -> [Int: Bool]
  {
    let side = 2 * WebMercator.halfWorld / Double(1 << zoom)
    let homes = points.map { point in
      TileID(
        zoom: zoom, column: Int(((point.x + WebMercator.halfWorld) / side).rounded(.down)),
        row: Int(((WebMercator.halfWorld - point.y) / side).rounded(.down)))
    }
    var shows: [Int: Bool] = [:]
    for (id, numbers) in Dictionary(grouping: points.indices, by: { homes[$0] }) {
      guard let data = try archive.reader.tile(id),
        let image = try? TileImage.decode(data, sideLimit: NeatlinePixels.sideLimit),
        image.width == image.height
      else { continue }
      let (west, north, _) = id.mercator
      let scale = Double(image.width) / side
      for number in numbers {
        let column = Int((points[number].x - west) * scale)
        let row = Int((north - points[number].y) * scale)
        guard (0..<image.width).contains(column), (0..<image.height).contains(row) else { continue }
        shows[number] = image[column, row].alpha >= 128
      }
    }
    return shows
  }
}
