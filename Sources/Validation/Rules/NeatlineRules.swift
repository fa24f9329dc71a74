internal import Core
internal import ImageIO
internal import Pipeline
internal import TileArchive

/// What the build measured where it cut the chart out of its sheet. Nearly all of it a person has to look at; an edge that
/// lies in blank paper is surely none of a map.
struct NeatlineCut: ProductRule {
  let name = "neatline-cut"
  let protects =
    "No legend hides a neighbouring chart, and no strip of the map with an airport in it is missing."

  func check(_ subject: ProductUnderTest) -> [Finding] {
    guard let cut = subject.product.cut else { return [] }
    let blank = cut.edges.filter(\.liesInPaper).map {
      error(
        subject.place,
        "its \($0.name) lies in blank paper: nothing is printed on either side; move it inward in `neatline`")
    }
    return blank + displaced(cut).map { error(subject.place, $0) }
      + cut.doubts.map { warning(subject.place, $0) }
  }

  /// Pixels. A smaller displacement shows in the printed graticule.
  private static let displacement = 40.0

  /// Two opposite edges that are both printed as far to one side of where they must be: then the whole sheet is, whatever the
  /// FAA's files say.
  private func displaced(_ cut: Product.Cut) -> [String] {
    guard cut.source == .given else { return [] }
    return [
      ("western edge", "eastern edge", "east", "west"), ("northern edge", "southern edge", "south", "north"),
    ]
    .compactMap { first, second, ahead, behind in
      guard let one = cut.printedOffset(first), let other = cut.printedOffset(second) else { return nil }
      let (way, back) = (-one, other)
      guard min(abs(way), abs(back)) > NeatlineCut.displacement, way.sign == back.sign,
        abs(way - back) <= max(5, 0.15 * abs(way))
      else { return nil }
      return
        "its \(first) and its \(second) are printed \(abs(way)) and \(abs(back)) pixels \(way < 0 ? behind : ahead) of "
        + "where `neatline` has them, so the sheet is misplaced as a whole; compare it with another map, and correct "
        + "`neatline` only if the sheet is right"
    }
  }
}

extension Product.Cut.Edge {
  /// Of the strips within and beyond it, no more than a few hundredths are printed, and nothing there looks like the end of a
  /// map. A map has tints, names and the graticule's ticks; even the whitest, a flyway chart, has a frame at its edge.
  fileprivate var liesInPaper: Bool {
    evidence == .unclear && inside.paper >= 0.97 && (outside?.paper ?? 1) >= 0.97
  }
}

extension Product.Cut {
  /// Where the printed map ends at the only edge of that name, in pixels outward; nil where that is unclear.
  fileprivate func printedOffset(_ name: String) -> Double? {
    let own = edges.filter { $0.name == name }
    guard own.count == 1, [.frame, .step].contains(own[0].evidence) else { return nil }
    return own[0].offset
  }
}

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

/// The measured edges of each chart against those of its last cycle: a sheet that was laid out anew shows there first.
struct NeatlineDrift: CycleRule {
  let name = "neatline-drift"
  let protects = "A sheet that the FAA laid out anew is not cut as the old one was."

  /// Pixels of the sheet.
  private static let limit = 3.0

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject, where: { $0.cut != nil })?.product, let old = before.cut,
        let cut = subject.product.cut
      else { return [] }
      return zip(old.edges, cut.edges).compactMap { old, new in
        drift(from: old, to: new).map { drift in
          finding(
            .warning, subject, new.name,
            "it lies \(drift) pixels from where cycle \(before.cycle) had it; "
              + "check whether the FAA changed the sheet's layout, and correct `neatline`")
        }
      }
    }
  }

  /// Nil for none that matters. Edges that are defined in another way have other offsets.
  private func drift(from old: Product.Cut.Edge, to new: Product.Cut.Edge) -> Double? {
    guard old.kind == new.kind, old.values == new.values, let before = old.offset, let now = new.offset
    else { return nil }
    let drift = (abs(now - before) * 10).rounded() / 10
    return drift > NeatlineDrift.limit ? drift : nil
  }
}
