import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// That the sectionals join without gaps, as far as that can be known without their images.
@Suite(.slow) struct CoverageTests {
  /// The cells of the graticule that the sheets are made for: west, south, east, north. Where no sheet adjoins, the
  /// sheet's own cut may come before the whole degree.
  private static let states: [String: [Double]] = [
    "Seattle": [-125, 44.5, -117, 49], "Great_Falls": [-117, 44.5, -109, 49],
    "Billings": [-109, 44.5, -101, 49], "Twin_Cities": [-101, 44.5, -93, 49],
    "Green_Bay": [-93, 44, -85, 48],
    "Lake_Huron": [-85, 44, -77, 48], "Montreal": [-77, 44, -69, 48], "Halifax": [-69, 44, -61, 48],
    "Klamath_Falls": [-125, 40, -117, 44.5], "Salt_Lake_City": [-117, 40, -109, 44.5],
    "Cheyenne": [-109, 40, -101, 44.5], "Omaha": [-101, 40, -93, 44.5], "Chicago": [-93, 40, -85, 44],
    "Detroit": [-85, 40, -77, 44], "New_York": [-77, 40, -69, 44], "San_Francisco": [-125, 36, -118, 40],
    "Las_Vegas": [-118, 36, -111, 40], "Denver": [-111, 36, -104, 40], "Wichita": [-104, 36, -97, 40],
    "Kansas_City": [-97, 36, -90, 40], "St_Louis": [-91, 36, -85, 40], "Cincinnati": [-85, 36, -78, 40],
    "Washington": [-79, 36, -72, 40], "Los_Angeles": [-120, 32.1, -115, 36],
    "Phoenix": [-116, 31.4, -109, 36], "Albuquerque": [-109, 32, -102, 36],
    "Dallas-Ft_Worth": [-102, 32, -95, 36], "Memphis": [-95, 32, -88, 36], "Atlanta": [-88, 32, -81, 36],
    "Charlotte": [-82, 32, -75.2, 36], "El_Paso": [-109, 28, -103, 32], "San_Antonio": [-103, 28, -97, 32],
    "Houston": [-97, 28, -91, 32], "New_Orleans": [-91, 28, -85, 32], "Jacksonville": [-85, 28, -79, 32],
    "Brownsville": [-103, 24, -97, 28], "Miami": [-83, 24, -77, 28],
  ]
  private static let alaska: [String: [Double]] = [
    "Anchorage": [-151, 60, -141, 64], "Bethel": [-173, 60, -162, 64], "Cape_Lisburne": [-171, 68, -157, 72],
    "Cold_Bay": [-164, 54, -155, 56], "Dawson": [-145, 64, -132, 68], "Dutch_Harbor": [-173, 52, -164, 56],
    "Fairbanks": [-158, 64, -145, 68], "Juneau": [-141, 56, -130.4, 60], "Ketchikan": [-139, 52, -130, 56],
    "Kodiak": [-162, 57.1, -152, 60], "McGrath": [-162, 60, -151, 64], "Nome": [-171, 64, -158, 68],
    "Point_Barrow": [-157, 68, -141, 72], "Seward": [-152, 59.5, -141, 61],
    "Western_Aleutian_Islands_East": [178, 51, 187, 53],
    "Western_Aleutian_Islands_West": [170, 51, 178.5, 53],
  ]

  /// Images in one zip, far from all others.
  private static let pacific: Set = [
    "Hawaiian_Islands", "Honolulu_Inset", "Mariana_Islands_Inset", "Samoan_Islands_Inset",
  ]

  /// Each of them but those by its nominal projection.
  private func sheets() throws -> [String: NominalSheet] {
    let charts = try family("vfr-sectional").charts.filter { !CoverageTests.pacific.contains($0.id) }
    return try Dictionary(
      uniqueKeysWithValues: charts.map { ($0.id, try NominalSheet(#require($0.neatline))) })
  }

  @Test func `every sheet except the Pacific has a cell`() throws {
    let cells = Set(CoverageTests.states.keys).union(CoverageTests.alaska.keys)
    #expect(try cells == Set(sheets().keys))
  }

  /// At every tenth of a degree of the 48 states, and at every fifth of Alaska.
  @Test(arguments: [(states, 0.1), (alaska, 0.2)])
  func `every place in a cell is on a sheet`(cells: [String: [Double]], step: Double) throws {
    let sheets = try sheets()
    var gaps: [GeoPoint] = []
    for (id, box) in cells {
      let own = try #require(sheets[id])
      for place in lattice(box, step)
      where !own.contains(place)
        && !sheets.values.contains(where: { $0.contains(place) })
      { gaps.append(place) }
    }
    let shown = gaps.prefix(5)
    #expect(shown.isEmpty)
  }

  /// Validation compares the coverage with the charts, so the definition must not declare more than they cover.
  @Test func `the declared coverage is on the sheets`() throws {
    let sheets = try sheets()
    for box in try #require(family("vfr-sectional").covers) {
      let inner = [box[0] + 0.05, box[1] + 0.05, box[2] - 0.05, box[3] - 0.05]
      let gaps = lattice(inner, 0.2).filter { place in !sheets.values.contains { $0.contains(place) } }
      #expect(gaps.isEmpty, "\(box): \(gaps.prefix(3))")
    }
  }

  @Test func `each corner of a cell is on its sheet or a neighbouring one`() throws {
    let sheets = try sheets()
    for (id, box) in CoverageTests.states.merging(CoverageTests.alaska, uniquingKeysWith: { $1 }) {
      let corners = lattice(box, (box[2] - box[0], box[3] - box[1]))
      #expect(corners.count == 4)
      for place in corners { #expect(sheets.values.contains { $0.contains(place) }, "\(id): \(place)") }
    }
  }

  /// What lies beyond the sheets is not on one of them, or the test above would say nothing.
  @Test(arguments: [(-126.0, 42.0), (-100, 50), (-80, 46.0), (-90, 26), (-176, 50), (175, 54)])
  func `sea and neighbouring countries are on no sheet`(longitude: Double, latitude: Double) throws {
    let place = GeoPoint(longitude: longitude, latitude: latitude)
    let holders = try sheets().filter { $0.value.contains(place) }.map(\.key)
    #expect(holders == (longitude == -80 ? ["Lake_Huron"] : []))
  }

  /// On both sides of the steps in the borders.
  @Test(arguments: [
    ("Halifax", -65.9, 43.8, true), ("Halifax", -64.5, 43.8, false), ("Halifax", -67, 43.8, false),
    ("Los_Angeles", -121.8, 33.8, true), ("Los_Angeles", -121.8, 34.5, false),
    ("Los_Angeles", -121, 33, false), ("Los_Angeles", -119.9, 32.2, true), ("Miami", -82.5, 28.4, true),
    ("Miami", -81.5, 28.4, false), ("Kodiak", -152, 56.5, false), ("Kodiak", -152, 57.5, true),
    ("Kodiak", -154, 56.5, true),
  ])
  func `follows steps in the border`(id: String, longitude: Double, latitude: Double, isMap: Bool) throws {
    let sheet = try #require(try sheets()[id])
    #expect(sheet.contains(GeoPoint(longitude: longitude, latitude: latitude)) == isMap)
  }

  private func lattice(_ box: [Double], _ step: Double) -> [GeoPoint] { lattice(box, (step, step)) }

  private func lattice(_ box: [Double], _ step: (Double, Double)) -> [GeoPoint] {
    let columns = Int(((box[2] - box[0]) / step.0).rounded())
    let rows = Int(((box[3] - box[1]) / step.1).rounded())
    return (0...rows).flatMap { row in
      (0...columns).map { column in
        GeoPoint(longitude: box[0] + Double(column) * step.0, latitude: box[1] + Double(row) * step.1)
      }
    }
  }
}
