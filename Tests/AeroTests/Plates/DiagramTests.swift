import Core
import Foundation
import RasterIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Airport diagrams, which have no georeference, by their printed meridians and parallels.
struct DiagramTests {
  private static let file = fixtureFolder.appending(path: "plates/CA-SFO-AIRPORT-DIAGRAM.pdf")

  private static func page() throws -> PlatePage { PlatePage(bytes: [UInt8](try file.data)) }

  private func transform(_ placement: PlatePlacement) -> GeoTransform {
    let six = placement.six
    return GeoTransform(
      originX: six[0], originY: six[3], pixelWidth: six[1], pixelHeight: six[5], rotationX: six[2],
      rotationY: six[4])
  }

  /// The ends of the two runways that have not been moved since, as in `samples/nasr-rows/APT_RWY_END.csv`.
  @Test func `runways of the FAA's diagram end where the FAA's database says`() throws {
    let placement = try PlatePlacement(diagram: Self.page())
    let picture = try RasterDataset(opening: Self.file.path, drivers: ["PDF"])
    let (width, height) = (picture.width, picture.height)
    let pixels = try picture.readBytes(
      band: 1, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    let runways = [
      ((-122.39339186, 37.62873872), (-122.35714111, 37.61353361)),
      ((-122.39310544, 37.62629111), (-122.35834916, 37.61171194)),
    ]
    for (one, other) in runways {
      for (end, opposite) in [(one, other), (other, one)] {
        let places = [end, opposite].map { transform(placement).pixel(x: $0.0, y: $0.1) }
          .map { SIMD2($0.column * Double(width), $0.row * Double(height)) }
        let outward = (places[0] - places[1]) / (places[0] - places[1]).length
        // The runway is black up to its end, and there is none beyond.
        let black = stride(from: -20.0, to: 20, by: 0.25).prefix { step in
          let place = places[0] + outward * step
          return pixels[Int(place.y) * width + Int(place.x)] < 100
        }
        #expect(abs((black.last ?? -99) as Double) < 2, "\(end)")
      }
    }
  }

  @Test(arguments: [
    (0, 0), (90, 0), (37, 0), (-120, 0), (0, 90), (12, 180), (-5, 270),
  ])
  func `a diagram is placed in whatever direction it lies`(turn: Double, rotate: Int) throws {
    let diagram = MadeDiagram(turn: turn, rotate: rotate)
    let placement = try PlatePlacement(diagram: diagram.page)
    for (north, east) in [(0.0, 0.0), (1, 0), (0, 1)] {
      let pixel = transform(placement).pixel(
        x: MadeDiagram.middle.longitude + east / 60, y: MadeDiagram.middle.latitude + north / 60)
      let share = diagram.share(north, east)
      #expect(abs(pixel.column - share.across) < 1e-6 && abs(pixel.row - share.down) < 1e-6)
    }
    let corners = placement.controlPoints.map { [$0.across, $0.down] }
    #expect(corners == [[0, 0], [1, 0], [0, 1], [1, 1]])
    for point in placement.controlPoints {
      let place = transform(placement).projected(column: point.across, row: point.down)
      #expect(abs(place.x - point.place.longitude) < 1e-8 && abs(place.y - point.place.latitude) < 1e-8)
    }
  }

  @Test func `other strokes and texts at a label do not matter`() throws {
    // Strokes on the label in the middle of the page, and the place of the airport, as in the margins of other charts.
    let others =
      "188 296 m 199 297 l S 185 290 m 202 304 l S 150 8 m 250 8 l S "
      + "BT /F1 5 Tf 1 0 0 1 180 6 Tm (40\\26031'N-100\\26015'W)Tj ET"
    let placement = try PlatePlacement(diagram: MadeDiagram(others: others).page)
    let plain = try PlatePlacement(diagram: MadeDiagram().page)
    #expect(placement.six == plain.six)
  }

  private static let refused: [(MadeDiagram, String)] = [
    (MadeDiagram(parallels: []), "lines with labels for 0 latitudes and 2 longitudes"),
    (MadeDiagram(parallels: [("40\\26030'N", 0)]), "lines with labels for 1 latitude and 2 longitudes"),
    (MadeDiagram(parallels: [], meridians: []), "no readable labels"),
    (MadeDiagram(stretch: 1.02), "pixels from those of a map true to scale"),
    (MadeDiagram(lean: 0.006), "pixels from those of a map true to scale"),
    // One label is wrong, and one is mirrored.
    (
      MadeDiagram(parallels: [("40\\26029'N", -1), ("40\\26033'N", 0), ("40\\26031'N", 1)]),
      "pixels from those of a map true to scale"
    ),
    (
      MadeDiagram(meridians: [("100\\26014.5'W", -0.5), ("100\\26015.5'W", 0.5)]),
      "pixels from those of a map true to scale"
    ),
    // All labels are on one line.
    (MadeDiagram(parallels: [("40\\26029'N", 0), ("40\\26030'N", 0)]), "from those of a map true to scale"),
    (
      MadeDiagram(others: String(repeating: "0 0 m 9 9 l S\n", count: 20_001)), "it draws too much"
    ),
  ]

  @Test(arguments: refused.indices)
  func `a diagram whose ticks do not agree is not placed`(index: Int) throws {
    let (diagram, reason) = Self.refused[index]
    let defect = #expect(throws: PlateDefect.self) { try PlatePlacement(diagram: diagram.page) }
    #expect("\(defect.map(\.description) ?? "")".contains(reason), "\(defect?.description ?? "")")
  }

  @Test func `a damaged diagram is not placed`() throws {
    let bytes = try Self.page().bytes
    for share in [1, 5, 9] {
      let page = PlatePage(bytes: Array(bytes.prefix(bytes.count * share / 10)))
      #expect(throws: PlateDefect.self) { try PlatePlacement(diagram: page) }
    }
    let good = String(decoding: MadeDiagram().page.bytes, as: UTF8.self)
    let nines = String(repeating: "9", count: 400)
    for (text, other) in [
      ("387 594", "387 0"), ("387 594", "387 \(nines)"), ("[ 0 0", "[ -99999999 0"),
      ("/Rotate 0", "/Rotate 45"),
      ("[ 2 0 R ]", "[ 5 0 R ]"), ("[ 2 0 R ]", "[ \(nines) 0 R ]"), ("endstream", ""),
      ("/Parent", "/Contents 3 0 R /Parent"),
    ] {
      let page = PlatePage(bytes: Array(good.replacing(text, with: other).utf8))
      #expect(throws: PlateDefect.self, "\(other)") { try PlatePlacement(diagram: page) }
    }
  }

  @Test func `a set says how its diagrams are placed, or why they are not`() throws {
    for (pdf, row) in [
      (try Self.page(), "ticks|NULL|1|4"),
      (
        MadeDiagram(parallels: []).page,
        "NULL|it has lines with labels for 0 latitudes and 2 longitudes, and two of each are needed|NULL|0"
      ),
    ] {
      let plates = try PlatePipeline()
      try Data(pdf.bytes).write(to: plates.folder.file("from/00989AD.PDF"))
      try plates.edit("cycle=\"2002\"", to: "cycle=\"1404\"")
      let outcome = try plates.make(cycle: "1404")
      #expect(outcome.failures.isEmpty, "\(outcome.failures)")
      let query =
        "SELECT placedBy, unplaced, projection LIKE '%WGS 84%', (SELECT count(*) FROM controlPoints) FROM pdfs WHERE name = '00989AD.PDF'"
      #expect(try plates.rows(query, of: "KSBP.sqlite", cycle: "1404") == [row])
      let counts = try #require(try outcome["dtpp/KSBP"]?.product()?.product.build.counts)
      #expect(counts["placedByTicks"] == (row.hasPrefix("ticks") ? 1 : 0))
      #expect(counts["unplacedDiagrams"] == (row.hasPrefix("ticks") ? 0 : 1))
    }
  }

  @Test func `only airport diagrams are placed by ticks`() throws {
    let plates = try PlatePipeline()
    try Data(MadeDiagram().page.bytes).write(to: plates.folder.file("from/SW3TO.PDF"))
    _ = try plates.make()
    let query = "SELECT placedBy, unplaced FROM pdfs WHERE content IS NOT NULL ORDER BY name"
    #expect(try plates.rows(query, of: "KSBP.sqlite") == ["pdf|NULL", "NULL|NULL"])
  }
}
