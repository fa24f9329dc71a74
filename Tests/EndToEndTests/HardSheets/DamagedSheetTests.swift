import Core
import Foundation
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit
@testable import SyntheticSheet

/// Sheets whose source is damaged, although all files agree with each other.
@Suite(.slow) struct DamagedSheetTests {
  /// A frame of rows and columns as far from the image's rim on all sides, as terminal charts have.
  private static let design = Result { () throws -> SheetDesign in
    let (width, height, metres) = (1900, 1700, 42.333)
    let projection = LambertConformal(
      standardParallels: (38.0 + 40.0 / 60, 33.0 + 20.0 / 60),
      origin: GeoPoint(longitude: -122, latitude: 37.5))
    let middle = projection.project(GeoPoint(longitude: -122.09, latitude: 37.56))
    return SheetDesign(
      name: "Framed", series: .sectional, projection: projection, metresPerPixel: metres, width: width,
      height: height, originX: (middle.x - Double(width) / 2 * metres).rounded(),
      originY: (middle.y + Double(height) / 2 * metres).rounded(),
      neatline: NeatlineDefinition(outline: [
        .column(60), .row(Double(height - 40)), .column(Double(width - 60)), .row(40),
      ]),
      edition: Edition(of: try DrawnChart.cycle.get()),
      features: try SampleSet(samples: samplesFolder, cycle: DrawnChart.cycle.get()).features)
  }

  private static let drawing = Result { SheetDrawing(try design.get()) }
  private static let intact = Result { try build { _ in } }

  /// Only the smaller blank areas need a larger zoom to be found.
  private static func build(
    maxZoom: Int = 11, _ damage: (inout SheetDrawing) -> Void
  ) throws -> DrawnChart.Built {
    var drawing = try drawing.get()
    damage(&drawing)
    return try DrawnChart(design.get(), drawing).build(zooms: 8...maxZoom)
  }

  private static func errors(_ built: DrawnChart.Built, against: [PlacedProduct] = []) throws -> [Finding] {
    try built.allFindings(against: against).filter { $0.severity == .error }
  }

  @Test func `warns that the graticule alone cannot show which meridian is which`() throws {
    let findings = try Self.intact.get().allFindings()
    #expect(findings.map(\.rule) == ["place-evidence"], "\(findings)")
    #expect(findings.first?.severity == .warning)
    #expect(findings.first?.message.hasPrefix("its graticule repeats every half degree") == true)
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `refuses a mirrored sheet in an unchanged frame`(columns: Bool, rows: Bool) throws {
    let errors = try Self.errors(Self.build { $0.mirror(columns: columns, rows: rows) })
    #expect(errors.map(\.rule) == ["place-evidence"], "\(errors)")
    #expect(errors.first?.message.contains("nothing printed confirms its place from") == true)
  }

  @Test(arguments: [
    ("half black", 60..<950, 40..<1660, UInt8(8)), ("a white quarter", 950..<1840, 40..<850, 0),
    ("a white patch of 25 x 17 km", 400..<990, 300..<700, 0),
  ])
  func `refuses a blank rectangle`(name: String, columns: Range<Int>, rows: Range<Int>, index: UInt8) throws {
    let errors = try Self.errors(Self.build(maxZoom: 12) { $0.fill(columns, rows, index) })
    #expect(
      errors.contains { $0.rule == "sheet-blanks" && $0.message.contains("no print") }, "\(name): \(errors)")
  }

  @Test(arguments: [1, 200])
  func `refuses repeated rows`(period: Int) throws {
    let errors = try Self.errors(Self.build { $0.repeatRows(500..<700, period: period) })
    #expect(
      errors.contains { $0.rule == "sheet-blanks" && $0.message.contains("repeat earlier rows") }, "\(errors)"
    )
  }

  @Test func `compares areas with the last edition`() throws {
    let before = try Self.intact.get()
    var last = before.product
    (last.cycle, last.edition) = ("2302", "2023-02-23")
    let against = [PlacedProduct(last, in: before.folder.url)]
    let built = try Self.build { $0.exchange((200, 150), (900, 800), width: 590, height: 400) }
    let findings = try built.allFindings(against: against).filter { $0.rule == "areas-changed" }
    #expect(findings.count == 1, "\(findings)")
    let same = try before.allFindings(against: against)
    #expect(!same.contains { $0.rule == "areas-changed" }, "\(same)")
    #expect(same.contains { $0.rule == "tiles-changed" && $0.severity == .error }, "\(same)")
  }

  @Test func `refuses a map that is another one inside the same frame`() throws {
    let before = try Self.intact.get()
    var last = before.product
    (last.cycle, last.edition) = ("2302", "2023-02-23")
    let built = try Self.build { $0.exchange((60, 60), (950, 60), width: 880, height: 1560) }
    let findings = try built.allFindings(against: [PlacedProduct(last, in: before.folder.url)])
    #expect(findings.contains { $0.rule == "areas-changed" && $0.severity == .error }, "\(findings)")
  }

  @Test func `finds a dent around an airport with the cycle's database`() async throws {
    let work = try await Samples.cycle()
    let database = work.file("build/2304/sample-nasr/aviation.product.json")
    let aviation = try database.decoded(Product.self)
    let beside = [PlacedProduct(aviation, in: database.deletingLastPathComponent())]
    let intact = try Self.intact.get().allFindings(beside: beside)
    #expect(intact == [], "\(intact)")
    let design = try Self.design.get()
    let airport = try #require(design.features.airports.first { $0.id == "PAO" })
    let place = design.pixel(of: airport.position)
    let built = try Self.build { $0.dent(Int(place.x), Int(place.y), reach: 150, depth: 24) }
    let findings = try built.allFindings(beside: beside)
    #expect(findings.map(\.rule) == ["place-airports"], "\(findings)")
    #expect(findings.first?.message.hasPrefix("KPAO is drawn") == true, "\(findings)")
  }

  @Test func `warns of a palette with red and blue exchanged`() throws {
    var design = try Self.design.get()
    design.scenery.hasRedForBlue = true
    let built = try DrawnChart(design).build(zooms: 8...11)
    let findings = try built.allFindings().filter { $0.rule == "tiles-inks" }
    #expect(findings.count == 1 && findings[0].message.contains("red and blue were exchanged"), "\(findings)")
  }
}

extension SheetDrawing {
  fileprivate mutating func mirror(columns: Bool, rows: Bool) {
    let (old, width, height) = (pixels, width, height)
    old.withUnsafeBufferPointer { old in
      pixels.withUnsafeMutableBufferPointer { pixels in
        for row in 0..<height {
          let from = (rows ? height - 1 - row : row) * width
          for column in 0..<width {
            pixels[row * width + column] = old[from + (columns ? width - 1 - column : column)]
          }
        }
      }
    }
  }

  fileprivate mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ index: UInt8) {
    let line = [UInt8](repeating: index, count: columns.count)
    for row in rows {
      let start = row * width + columns.lowerBound
      pixels.replaceSubrange(start..<start + columns.count, with: line)
    }
  }

  /// Copies each row from the one that is some rows above it.
  fileprivate mutating func repeatRows(_ rows: Range<Int>, period: Int) {
    for row in rows {
      let from = (row - period) * width
      pixels.replaceSubrange(row * width..<(row + 1) * width, with: Array(pixels[from..<from + width]))
    }
  }

  fileprivate mutating func exchange(
    _ one: (Int, Int), _ other: (Int, Int), width across: Int, height down: Int
  ) {
    for row in 0..<down {
      let (first, second) = ((one.1 + row) * width + one.0, (other.1 + row) * width + other.0)
      let line = Array(pixels[first..<first + across])
      pixels.replaceSubrange(first..<first + across, with: Array(pixels[second..<second + across]))
      pixels.replaceSubrange(second..<second + across, with: line)
    }
  }

  /// Moves the print around a pixel eastward, less towards the rim of the dent.
  fileprivate mutating func dent(_ column: Int, _ row: Int, reach: Int, depth: Double) {
    let old = pixels
    for y in row - reach...row + reach {
      for x in column - reach...column + reach {
        let (across, down) = (Double(x - column) / Double(reach), Double(y - row) / Double(reach))
        let share = max(0, 1 - across * across) * max(0, 1 - down * down)
        pixels[y * width + x] = old[y * width + x - Int((depth * share).rounded())]
      }
    }
  }
}
