import Core
import Foundation
import RasterIO
import Testing

@testable import ChartpipeKit

@Suite("Placement of a sheet compared with the files beside it")
struct PlacementTests {
  @Test(arguments: FAAChart.all)
  func `every real page and world file agrees with its raster`(chart: FAAChart) throws {
    let evidence = try chart.check().evidence()
    #expect(evidence.map(\.source) == [.htmBounds, .htmProjection, .htmSize, .tfw])
    #expect(evidence.allSatisfy { $0.outcome == .agrees })
    #expect(evidence.allSatisfy { $0.pixels.map { $0 < 0.03 } == true })
  }

  @Test(arguments: FAAChart.some)
  func `rejects a shift of one file by two pixels or more and accepts one pixel`(chart: FAAChart) throws {
    for pixels in [-1.0, 1] {
      for part in FAAChart.Part.allCases {
        #expect(throws: Never.self) { try chart.check(part, east: pixels, south: 0).evidence() }
        #expect(throws: Never.self) { try chart.check(part, east: 0, south: pixels).evidence() }
      }
    }
    for pixels in [2.0, 3, 5, 9, 14, 20, 30, 50, 100].flatMap({ [$0, -$0] }) {
      for part in FAAChart.Part.allCases {
        for (east, south) in [(pixels, 0.0), (0, pixels)] {
          let fault = #expect(throws: UserError.self) {
            try chart.check(part, east: east, south: south).evidence()
          }
          let shown = Int((abs(pixels) * 21.17).rounded())
          #expect(fault?.reason.contains("pixels (") == true, "\(part) \(east) \(south) \(shown)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("Standard_Parallel: 38.6", "Standard_Parallel: 39.6"),
      ("Standard_Parallel: 33.3", "Standard_Parallel: 33.8"),
      ("Longitude_of_Central_Meridian: -121.416", "Longitude_of_Central_Meridian: -121.418"),
      ("Latitude_of_Projection_Origin: 38.333", "Latitude_of_Projection_Origin: 38.335"),
      ("False_Easting: 0.000000", "False_Easting: 85"), ("False_Northing: 0.000000", "False_Northing: -85"),
    ])
  func `rejects a projection that moves the sheet by two pixels`(right: String, wrong: String) throws {
    let chart = try #require(FAAChart.all.last)
    let page = chart.page(of: chart.bounds)
    try #require(page.contains(right))
    let check = try chart.check(page: page.replacing(right, with: wrong))
    let fault = #expect(throws: UserError.self) { try check.evidence() }
    #expect(fault?.reason.contains("the projection in \"San Francisco SEC.htm\"") == true)
  }

  @Test func `names feet and a false origin as the cause`() throws {
    let chart = try #require(FAAChart.all.first)
    let page = chart.page(of: chart.bounds)
    let feet = [
      chart.placing.pixelWidth, 0, 0, chart.placing.pixelHeight,
      chart.placing.originX + chart.placing.pixelWidth / 2,
      chart.placing.originY + chart.placing.pixelHeight / 2,
    ].map { "\($0 / 0.3048)\r\n" }.joined()
    let inFeet = #expect(throws: UserError.self) { try chart.check(world: feet).evidence() }
    #expect(inFeet?.reason.hasSuffix("\"Atlanta FLY.TFW\" is in feet") == true, "\(inFeet?.reason ?? "")")
    let shifted = page.replacing("False_Easting: 0.000000", with: "False_Easting: 600000")
      .replacing("False_Northing: 0.000000", with: "False_Northing: -2000")
    let fault = #expect(throws: UserError.self) { try chart.check(page: shifted).evidence() }
    let cause = "false easting of -600000 and a false northing of 2000 compared with \"Atlanta FLY.htm\""
    #expect(fault?.reason.contains(cause) == true, "\(fault?.reason ?? "")")
    #expect(fault?.suggestion?.contains("damaged") == false)
  }

  @Test func `accepts counts in either order and rejects other counts and another pixel size`() throws {
    let chart = try #require(FAAChart.all.first)
    let page = chart.page(of: chart.bounds)
    let swapped = page.replacing("Row_Count", with: "X").replacing("Column_Count", with: "Row_Count")
      .replacing("X", with: "Column_Count")
    #expect(throws: Never.self) { try chart.check(page: swapped).evidence() }
    for (right, wrong) in [
      ("Row_Count: \(chart.height)", "Row_Count: \(chart.height + 1)"),
      ("Abscissa_Resolution: 21.17", "Abscissa_Resolution: 21.18"),
    ] {
      let fault = #expect(throws: UserError.self) {
        try chart.check(page: page.replacing(right, with: wrong)).evidence()
      }
      #expect(fault?.reason.contains("Atlanta FLY.htm") == true)
    }
  }

  @Test func `reports omitted fields and files as missing`() throws {
    let chart = try #require(FAAChart.all.first)
    let bare = chart.page(of: chart.bounds).split(separator: "\n")
      .filter { $0.contains("_Date") || $0.contains("Bounding") }.joined(separator: "\n")
    let evidence = try chart.check(page: bare, hasWorld: false).evidence()
    #expect(evidence.map(\.outcome) == [.agrees, .missing, .missing, .missing])
    #expect(evidence.dropFirst().allSatisfy { $0.pixels == nil })
  }

  @Test(arguments: ["", "21.17\n0\n0\n-21.17\n5\n", "21.17 0 0 -21.17 x 7", "0 0 0 0 0 0", "<html></html>"])
  func `rejects an unreadable world file by name`(text: String) throws {
    let chart = try #require(FAAChart.all.first)
    let fault = #expect(throws: UserError.self) { try chart.check(world: text).evidence() }
    #expect(fault?.path?.contains("Atlanta FLY.TFW") == true)
    #expect(fault?.reason.contains("six numbers") == true)
  }

  @Test func `compares bounds across 180 degrees and ignores those of the whole earth`() throws {
    // 180 degrees is half a degree east of the sheet's middle.
    let chart = try FAAChart.across180()
    for (west, east, isRight) in [
      (chart.bounds.west, chart.bounds.east - 360, true), (-180, 180, true),
      (chart.bounds.west + 0.001, chart.bounds.east - 360, false),
    ] {
      var box = chart.bounds
      (box.west, box.east) = (west, east)
      let check = try chart.check(page: chart.page(of: box), hasWorld: false)
      if isRight {
        #expect(throws: Never.self) { try check.evidence() }
      } else {
        #expect(throws: UserError.self) { try check.evidence() }
      }
    }
  }
}

/// A chart with real or realistic numbers.
struct FAAChart: ConicSheet, CustomTestStringConvertible, Sendable {
  enum Part: CaseIterable {
    case tif
    case tfw
    case htm
  }

  let name: String
  let width: Int
  let height: Int
  let resolution: (Double, Double)
  var cone: LambertConformal
  let bounds: GeoBox
  /// Of the world file.
  let placing: GeoTransform

  var testDescription: String { name }

  static let all = FAAPlacements.lines.split(separator: "\n").map { FAAChart(line: $0) }
  /// A small one, a large one, and one whose page swaps rows and columns.
  static let some = all.filter { ["Tampa FLY", "Los Angeles FLY", "San Francisco SEC"].contains($0.name) }

  init(line: Substring) {
    let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    let numbers = parts.dropFirst().map { Double($0) ?? .nan }
    name = parts[0]
    // San Francisco's page calls the width the row count.
    (height, width) = name == "San Francisco SEC" ? (12_340, 16_658) : (Int(numbers[0]), Int(numbers[1]))
    resolution = (numbers[2], numbers[3])
    cone = LambertConformal(
      standardParallels: (numbers[6], numbers[7]),
      origin: GeoPoint(longitude: numbers[4], latitude: numbers[5]))
    bounds = GeoBox(west: numbers[8], south: numbers[11], east: numbers[9], north: numbers[10])
    placing = GeoTransform(
      originX: numbers[14] - numbers[12] / 2, originY: numbers[15] - numbers[13] / 2,
      pixelWidth: numbers[12], pixelHeight: numbers[13])
  }

  /// A sheet of the same size half a degree from 180 degrees.
  static func across180() throws -> FAAChart {
    var chart = try #require(all.first)
    let turn = 179.5 - chart.cone.origin.longitude
    chart.cone = LambertConformal(
      standardParallels: chart.cone.standardParallels,
      origin: GeoPoint(longitude: 179.5, latitude: chart.cone.origin.latitude))
    return FAAChart(chart, turnedBy: turn)
  }

  private init(_ other: FAAChart, turnedBy degrees: Double) {
    (name, width, height, resolution) = (other.name, other.width, other.height, other.resolution)
    (cone, placing) = (other.cone, other.placing)
    bounds = GeoBox(
      west: other.bounds.west + degrees, south: other.bounds.south, east: other.bounds.east + degrees,
      north: other.bounds.north)
  }

  func page(of box: GeoBox) -> String {
    let (first, second) = cone.standardParallels
    return [
      "Beginning_Date: 20231130", "Ending_Date: 20240124", "West_Bounding_Coordinate: \(box.west)",
      "East_Bounding_Coordinate: \(box.east)", "North_Bounding_Coordinate: \(box.north)",
      "South_Bounding_Coordinate: \(box.south)", "Row_Count: \(height)", "Column_Count: \(width)",
      "Standard_Parallel: \(first)", "Standard_Parallel: \(second)",
      "Longitude_of_Central_Meridian: \(cone.origin.longitude)",
      "Latitude_of_Projection_Origin: \(cone.origin.latitude)", "False_Easting: 0.000000",
      "False_Northing: 0.000000", "Abscissa_Resolution: \(resolution.0)",
      "Ordinate_Resolution: \(resolution.1)", "Planar_Distance_Units: Meters",
    ].joined(separator: "\n")
  }

  /// The check of a chart with one part shifted by some pixels.
  func check(_ part: Part, east: Double, south: Double) throws -> PlacementCheck {
    let moved = placing.shifted(by: east, south)
    let box = part == .htm ? try extent(of: moved) : bounds
    return try check(
      placing: part == .tif ? moved : placing, page: page(of: box),
      world: worldFile(part == .tfw ? moved : placing))
  }

  func check(page: String? = nil, world: String? = nil, hasWorld: Bool = true) throws -> PlacementCheck {
    try check(
      placing: placing, page: page ?? self.page(of: bounds),
      world: hasWorld ? world ?? worldFile(placing) : nil)
  }

  private func check(placing: GeoTransform, page: String, world: String?) throws -> PlacementCheck {
    let files = ChartFiles(
      path: "Some.zip", tifName: "\(name).tif", tif: ("", nil), htmName: "\(name).htm",
      htm: Array(page.utf8), world: world.map { ("\(name).TFW", Array($0.utf8)) }, records: [])
    return PlacementCheck(
      files: files, page: try ChartPage(htm: files.htm), placing: placing,
      sheet: try SheetProjection(
        projection: try SpatialReference(wkt: wkt), placing: placing, width: width, height: height))
  }

  private func worldFile(_ placing: GeoTransform) -> String {
    [
      placing.pixelWidth, 0, 0, placing.pixelHeight, placing.originX + placing.pixelWidth / 2,
      placing.originY + placing.pixelHeight / 2,
    ].map { "\($0)\r\n" }.joined()
  }
}

extension GeoTransform {
  fileprivate func shifted(by columns: Double, _ rows: Double) -> GeoTransform {
    var moved = self
    (moved.originX, moved.originY) = projected(column: columns, row: rows)
    return moved
  }
}
