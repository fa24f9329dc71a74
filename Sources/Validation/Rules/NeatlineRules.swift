internal import Core
internal import ImageIO

/// Reports the build's measurements of the edges where it cut the chart. A person has to check most of them; an edge in blank
/// paper is certainly wrong.
struct NeatlineCut: Rule {
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
      + lost(subject).map { error(subject.place, $0) } + cut.doubts.map { warning(subject.place, $0) }
  }

  /// An enroute chart with a listed inset that was not found shows the map of another place there.
  private func lost(_ subject: ProductUnderTest) -> [String] {
    guard subject.product.isEnroute else { return [] }
    return (subject.product.cut?.insets ?? []).filter { $0.verdict == .missing }.map {
      "it shows the inset \($0.name ?? "") as a part of its map; add a mask to `neatline`"
    }
  }

  /// Pixels. A smaller displacement shows in the printed graticule.
  private static let displacement = 40.0

  /// Finds opposite edges that are printed equally far to the same side of their places: then the whole sheet is misplaced,
  /// regardless of the FAA's files.
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
  /// Whether at most a few hundredths of the strips on both sides are printed, and nothing there looks like the end of a map. A map
  /// has tints, names and graticule ticks; even the whitest, a flyway chart, has a frame at its edge.
  fileprivate var liesInPaper: Bool {
    evidence == .unclear && inside.paper >= 0.97 && (outside?.paper ?? 1) >= 0.97
  }
}

extension Product.Cut {
  /// The place of the printed end of the map at the only edge of a name, in pixels outward; nil where it is unclear, and for a
  /// column or a row, which has no place on the earth.
  fileprivate func printedOffset(_ name: String) -> Double? {
    let own = edges.filter { $0.name == name }
    guard own.count == 1, [.frame, .step].contains(own[0].evidence), !["column", "row"].contains(own[0].kind)
    else { return nil }
    return own[0].offset
  }
}

/// Checks the pixels along the neatline: the chart must reach it, and show nothing beyond it.
struct NeatlinePixels: Rule {
  let name = "neatline-edges"
  let protects = "The map is complete up to its stated edge, and no collar is visible beyond it."

  /// Errors need more than this number of places and more than one in `share` of an edge, since specks occur.
  private static let fewest = 3
  private static let share = 20
  private static let sideLimit: UInt32 = 2048

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    guard let zoom = archive.summary.zooms.last?.zoom, let neatline = archive.neatline?.shown(at: zoom),
      StoredTile(zoom: zoom, column: 0, tmsRow: 0, data: []).id != nil, !archive.isPartial
    else { return [] }
    let places = neatline.edgePlaces(pixel: WebMercator.resolution(zoom: zoom))
    let within = try lookups(places.map(\.inside), zoom, archive)
    // A chart with completed edge tiles shows its neighbours beyond its edge.
    let isCompleted = archive.metadata["chartpipe:seams"]?.isEmpty == false
    let beyond = try isCompleted ? [:] : lookups(places.map(\.outside), zoom, archive)
    let rings = Dictionary(grouping: places.indices) { places[$0].ring }.sorted { $0.key < $1.key }
    return rings.flatMap { _, ring in
      [
        finding(ring.filter { within[$0] == false }, of: ring.count, places.map(\.inside), archive) {
          "it shows nothing a few pixels inside its neatline, \($0)"
        },
        finding(ring.filter { beyond[$0] == true }, of: ring.count, places.map(\.outside), archive) {
          "it shows something a few pixels beyond its neatline, \($0)"
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

  /// Returns whether the chart is opaque at each point, by its number. Points without a readable tile are left out; other rules
  /// report them.
  private func lookups(_ points: [PlanePoint], _ zoom: Int, _ archive: ArchiveUnderTest) throws -> [Int: Bool]
  {
    let side = 2 * WebMercator.halfWorld / Double(1 << zoom)
    let tiles = points.map { point in
      TileID(
        zoom: zoom, column: Int(((point.x + WebMercator.halfWorld) / side).rounded(.down)),
        row: Int(((WebMercator.halfWorld - point.y) / side).rounded(.down)))
    }
    var shows: [Int: Bool] = [:]
    for (id, numbers) in Dictionary(grouping: points.indices, by: { tiles[$0] }) {
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

/// Compares the measured edges of each chart with those of its last cycle: a new sheet layout shows there first.
struct NeatlineDrift: Rule {
  let name = "neatline-drift"
  let protects = "A sheet with a new layout is not cut like the old one."

  /// Pixels of the sheet.
  private static let limit = 3.0

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.compared(where: { $0.cut != nil }).flatMap { subject, before -> [Finding] in
      guard let old = before.product.cut, let cut = subject.product.cut else { return [] }
      return zip(old.edges, cut.edges).compactMap { old, new in
        drift(from: old, to: new).map { drift in
          finding(
            .warning, subject, new.name,
            "it lies \(drift) pixels from where cycle \(before.product.cycle) had it; "
              + "check whether the FAA changed the sheet's layout, and correct `neatline`")
        }
      }
    }
  }

  /// Nil for a small drift. Edges with another definition have other offsets.
  private func drift(from old: Product.Cut.Edge, to new: Product.Cut.Edge) -> Double? {
    guard old.kind == new.kind, old.values == new.values, let before = old.offset, let now = new.offset
    else { return nil }
    let drift = (abs(now - before) * 10).rounded() / 10
    return drift > NeatlineDrift.limit ? drift : nil
  }
}
