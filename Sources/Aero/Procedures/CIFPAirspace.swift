internal import RasterIO

/// A part of a line on the ellipsoid: an arc around a centre, or a geodesic.
enum CIFPLine {
  /// Metres by which the sides may differ from the line.
  static let chordError = 5.0
  private static let longestSide = 10_000.0
  private static let mostCorners = 3600

  /// The points of an arc up to its end, which is left out. The distance from the centre changes evenly where the ends do not agree.
  static func arc(
    from start: ShapePoint, to end: ShapePoint, around center: ShapePoint, isClockwise: Bool
  ) -> [ShapePoint] {
    let (first, last) = (line(center, start), line(center, end))
    var sweep = (last.azimuth - first.azimuth) * (isClockwise ? 1 : -1)
    sweep -= 360 * (sweep / 360).rounded(.down)
    // A whole circle, unless the ends are one place but for rounding.
    if sweep < 1e-6 { sweep = 360 }
    let radius = max(first.metres, last.metres, 1)
    let count = corners(sweep, radius)
    return (0..<count).map { index in
      if index == 0 { return start }
      let share = Double(index) / Double(count)
      let azimuth = first.azimuth + (isClockwise ? share : -share) * sweep
      let metres = first.metres + share * (last.metres - first.metres)
      return GeodesicCircle(center: center, metres: metres).point(azimuth: azimuth)
    }
  }

  static func circle(around center: ShapePoint, metres: Double) -> [ShapePoint] {
    let count = corners(360, metres)
    return (0..<count).map { index in
      GeodesicCircle(center: center, metres: metres).point(azimuth: -360 * Double(index) / Double(count))
    }
  }

  /// How many chords an arc has: an even number of them would put the error on one side only, which is as good.
  private static func corners(_ sweep: Double, _ metres: Double) -> Int {
    let step = min(5, (8 * chordError / max(metres, 1)).squareRoot() * 180 / .pi)
    return min(mostCorners, max(2, Int((sweep / step).rounded(.up))))
  }

  /// The points of the shortest line up to its end, which is left out.
  static func geodesic(from start: ShapePoint, to end: ShapePoint) -> [ShapePoint] {
    let way = line(start, end)
    let count = min(mostCorners, max(1, Int((way.metres / longestSide).rounded(.up))))
    return (0..<count).map { index in
      index == 0
        ? start
        : GeodesicCircle(center: start, metres: way.metres * Double(index) / Double(count)).point(
          azimuth: way.azimuth)
    }
  }

  static func line(_ from: ShapePoint, _ to: ShapePoint) -> (azimuth: Double, metres: Double) {
    Geodesic.line(
      from: (ShapePoint.degrees(from.x), ShapePoint.degrees(from.y)),
      to: (ShapePoint.degrees(to.x), ShapePoint.degrees(to.y)))
  }
}

/// The boundary of an area of airspace.
struct CIFPBoundary {
  static let metresPerMile = 1852.0

  struct Corner {
    /// `G`, `H`, `L`, `R`, `C`, and whether the boundary returns from here to its first corner.
    let via: UInt8
    let isLast: Bool
    let place: ShapePoint?
    let center: ShapePoint?
    let radius: Double?
  }

  let corners: [Corner]

  /// Its shape; nil if a part of it is missing.
  func shape() throws -> (shape: MapShape, wasRepaired: Bool)? {
    guard corners.last?.isLast == true else { return nil }
    var ring: ShapeRing = []
    for (index, corner) in corners.enumerated() {
      if corner.via == UInt8(ascii: "C") {
        guard let center = corner.center, let radius = corner.radius, radius > 0 else { return nil }
        ring += CIFPLine.circle(around: center, metres: radius * Self.metresPerMile)
        continue
      }
      guard let start = corner.place, let end = corners[(index + 1) % corners.count].place else { return nil }
      switch corner.via {
      case UInt8(ascii: "L"), UInt8(ascii: "R"):
        guard let center = corner.center else { return nil }
        ring += CIFPLine.arc(
          from: start, to: end, around: center, isClockwise: corner.via == UInt8(ascii: "R"))
      // A side of a map is a rhumb line but for its bend, and along a parallel exactly.
      case UInt8(ascii: "H"): ring.append(start)
      case UInt8(ascii: "G"): ring += CIFPLine.geodesic(from: start, to: end)
      default: return nil
      }
    }
    return try ShapeBuilder(toleranceInMetres: 0).shape(within: ring)
  }
}

/// The areas of airspace of a file: the records with the same section, region, type, designation and multiple code that follow each
/// other, up to the one that returns to the start.
struct CIFPAreas {
  struct Area {
    let kind: CIFPRecord.Kind
    let records: [CIFPRecord]
  }

  private let file: CIFPFile

  init(_ file: CIFPFile) { self.file = file }

  var areas: [Area] {
    [CIFPRecord.Kind("UC"), CIFPRecord.Kind("UR")].flatMap { kind -> [Area] in
      var areas: [Area] = []
      var open: [CIFPRecord] = []
      for record in file.records[kind] ?? [] {
        if let last = open.last, isEnd(last) || !isSame(last, record) {
          areas.append(Area(kind: kind, records: open))
          open = []
        }
        open.append(record)
      }
      return open.isEmpty ? areas : areas + [Area(kind: kind, records: open)]
    }
  }

  private func isEnd(_ record: CIFPRecord) -> Bool { file.bytes[record.start + 31] == UInt8(ascii: "E") }

  /// Compares the columns 7 to 20.
  private func isSame(_ one: CIFPRecord, _ other: CIFPRecord) -> Bool {
    file.bytes[one.start + 6..<one.start + 20] == file.bytes[other.start + 6..<other.start + 20]
  }

  func boundary(_ area: Area) -> CIFPBoundary {
    CIFPBoundary(
      corners: area.records.map { record in
        CIFPBoundary.Corner(
          via: file.bytes[record.start + 30], isLast: isEnd(record), place: place(record, 32..<41, 41..<51),
          center: place(record, 51..<60, 60..<70), radius: number(record, 70..<74).map { Double($0) / 10 })
      })
  }

  private func place(_ record: CIFPRecord, _ latitude: Range<Int>, _ longitude: Range<Int>) -> ShapePoint? {
    guard let y = value(record, latitude, { $0.angle(.latitude) }),
      let x = value(record, longitude, { $0.angle(.longitude) })
    else { return nil }
    return ShapePoint(longitude: x, latitude: y)
  }

  private func number(_ record: CIFPRecord, _ columns: Range<Int>) -> Int? {
    value(record, columns, \.number)
  }

  private func value<Value>(_ record: CIFPRecord, _ columns: Range<Int>, _ read: (CSVValue) -> Value?)
    -> Value?
  {
    file.bytes.withUnsafeBufferPointer { bytes in
      let (start, end) = (record.start + columns.lowerBound, record.start + columns.upperBound)
      return read(CSVValue(CSVField(start: start, end: end), in: bytes))
    }
  }
}

extension CIFPRow {
  /// Adds the number of an area and, for its first row, its box and its shape.
  mutating func add(area number: Int, _ shape: MapShape?) {
    add("\(number)".utf8, width: 9)
    let box = shape?.box
    for side in [box?.south, box?.north, box?.west, box?.east] {
      add((side.map { "\($0)" } ?? "").utf8, width: 12)
    }
    let text = shape?.geoJSON ?? ""
    add(text.utf8, width: text.utf8.count)
  }
}
