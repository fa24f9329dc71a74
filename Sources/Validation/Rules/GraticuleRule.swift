internal import Core
internal import Foundation

/// Compares the printed meridians and parallels with their true places. The comparison uses nothing from the build, so it also
/// verifies the FAA's georeference.
struct PlaceGraticule: Rule {
  let name = "place-graticule"
  let protects = "A sheet that was placed wrongly to begin with, or on another datum, is detected."

  /// Pixels of the sheet on one axis that make a warning, and an error. A part of the sheet has fewer lines, so its limit is
  /// wider.
  private static let oddity = 1.2
  private static let limit = 1.5
  private static let partLimit = 2.0
  /// The least limit, in pixels of the tiles, where these are larger than those of the sheet.
  private static let leastLimit = 0.75

  func check(_ subject: ProductUnderTest) throws -> RuleResult {
    let product = subject.product
    guard product.kind == .chart, !subject.isOfImage, let zoom = product.maxZoom, (0...24).contains(zoom),
      let box = product.extent, box.isOnEarth, let archive = subject.tiles
    else { return RuleResult() }
    guard let neatline = try MercatorNeatline(metadata: archive.metadata()) else {
      return RuleResult(missing: .graticule, of: subject, "its archive has no neatline")
    }
    let grid = PixelGrid(zoom: zoom, tileSize: try TilePainter(archive).tileSize)
    let scale = Self.scale(of: product, on: grid)
    guard let survey = try GraticuleSurvey(archive, neatline, box: box, zoom: zoom, scale: scale.tilePixels)
    else {
      return RuleResult(
        missing: .graticule, of: subject, "its largest zoom is too coarse to distinguish the printed lines")
    }
    let areas = try survey.areas()
    return RuleResult(findings(areas, scale, subject), facts: [product.id: facts(areas)])
  }

  private func facts(_ areas: [GraticuleSurvey.Area]) -> ProductFacts {
    let whole = areas[0]
    let isFound = { (line: ProductFacts.Line) in (line == .meridians ? whole.x : whole.y) != nil }
    let lines = ProductFacts.Line.allCases.filter(isFound)
    let unfound = ProductFacts.Line.allCases.filter { !isFound($0) }.map(\.rawValue)
    var facts =
      unfound.isEmpty
      ? ProductFacts()
      : .missing(.graticule, "its printed \(unfound.joined(separator: " and ")) do not stand out")
    guard !lines.isEmpty else { return facts }
    let worst = areas.map { hypot($0.x?.offset ?? 0, $0.y?.offset ?? 0) }.max() ?? 0
    facts.graticule = .init(
      points: (whole.x?.stations ?? 0) + (whole.y?.stations ?? 0),
      median: hypot(whole.x?.offset ?? 0, whole.y?.offset ?? 0).hundredths, worst: worst.hundredths,
      lines: lines,
      lost: ProductFacts.Line.allCases.filter { line in
        !isFound(line) && !(line == .meridians ? whole.lacks.x : whole.lacks.y)
      })
    return facts
  }

  /// Returns a finding about the whole chart, else about the worst of its parts.
  private func findings(
    _ areas: [GraticuleSurvey.Area], _ scale: SheetScale, _ subject: ProductUnderTest
  ) -> [Finding] {
    func excess(_ area: GraticuleSurvey.Area) -> Double {
      let limit = max(
        area.name == nil ? PlaceGraticule.limit : PlaceGraticule.partLimit,
        PlaceGraticule.leastLimit / scale.tilePixels)
      return area.largest / scale.tilePixels / limit
    }
    let worst = areas.dropFirst().max { excess($0) < excess($1) }
    guard let area = excess(areas[0]) > 1 ? areas[0] : worst, excess(area) > 1 else {
      guard
        areas[0].largest / scale.tilePixels
          > max(PlaceGraticule.oddity, PlaceGraticule.leastLimit / scale.tilePixels)
      else { return [] }
      return [warning(subject.place, words(areas[0], scale))]
    }
    return [error(subject.place, words(area, scale))]
  }

  private func words(_ area: GraticuleSurvey.Area, _ scale: SheetScale) -> String {
    let axes = [(area.x, "east", "west"), (area.y, "south", "north")].compactMap { reading, ahead, behind in
      reading.map { reading in
        let pixels = reading.offset / scale.tilePixels
        let metres = scale.metres.map { " (\(Counts.grouped(Int((abs(pixels) * $0).rounded()))) m)" } ?? ""
        return "\(abs(pixels).hundredths) pixels\(metres) \(pixels < 0 ? behind : ahead)"
      }
    }
    return
      "its printed graticule\(area.name.map { ", \($0)," } ?? "") lies \(axes.joined(separator: " and ")) of the "
      + "true one, in pixels of the sheet; the georeference is wrong: download the sheet again, and if that does not "
      + "help, report it to the FAA"
  }
}

extension GraticuleSurvey.Area {
  /// The offset on the worse axis; zero where no line was found.
  fileprivate var largest: Double { max(abs(x?.offset ?? 0), abs(y?.offset ?? 0)) }
}

extension PlaceGraticule {
  /// The size of a pixel of the sheet, in pixels of the largest zoom (1 where the product does not give it) and in metres on the
  /// ground.
  private typealias SheetScale = (tilePixels: Double, metres: Double?)

  private static func scale(of product: Product, on grid: PixelGrid) -> SheetScale {
    guard let placing = product.control?.placing, placing.count == 6, let box = product.extent else {
      return (1, nil)
    }
    let side = hypot(placing[1], placing[4])
    let scale = side / (grid.metresPerPixel * cos(box.center.latitude * .pi / 180))
    return scale.isFinite && (1 / 64...64).contains(scale) ? (scale, side) : (1, nil)
  }
}

extension Product {
  /// The bounding box; the east of a chart across 180 degrees is beyond 180.
  fileprivate var extent: GeoBox? {
    guard let boxes = boundingBoxes, boxes.count == 2 else { return boundingBox }
    var box = boxes[0]
    (box.east, box.south) = (boxes[1].east + 360, min(box.south, boxes[1].south))
    box.north = max(box.north, boxes[1].north)
    return box
  }
}

extension GeoBox {
  fileprivate var isOnEarth: Bool {
    (-180...180).contains(west) && (-180...540).contains(east) && west < east
      && [south, north].allSatisfy((-89...89).contains) && south < north
  }
}
