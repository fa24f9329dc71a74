internal import RasterIO

/// One row of the shapefile, with its shape.
struct ClassAirspaceRow {
  private let feature: VectorLayer.Feature
  private let line: Int
  private let problems: ProblemLog

  init(_ feature: VectorLayer.Feature, line: Int, problems: ProblemLog) {
    self.feature = feature
    self.line = line
    self.problems = problems
  }

  func record(_ maker: ShapeMaker) throws -> AirspaceRecord {
    let type = try required("LOCAL_TYPE")
    let (floor, ceiling) = (limit("LOWER"), limit("UPPER"))
    check(floor, below: ceiling)
    return AirspaceRecord(
      kind: .classAirspace, classification: try classification(), type: type, designator: text("IDENT"),
      name: try required("NAME"), sector: text("SECTOR"), city: nil, state: nil, floor: floor,
      ceiling: ceiling, remark: text("WKHR_RMK"), shape: try shape(maker))
  }

  private func text(_ field: String) -> String? {
    let text = feature.values[field].map { $0.trimmed } ?? ""
    return text.isEmpty ? nil : text
  }

  private func required(_ field: String) throws(UnusableRow) -> String {
    guard let text = text(field) else { throw UnusableRow(column: field, value: "", reason: "it is empty") }
    return text
  }

  private static let classes: CodeBook = [
    "A": "alpha", "B": "bravo", "C": "charlie", "D": "delta", "E": "echo", "G": "golf",
  ]

  private func classification() throws(UnusableRow) -> String {
    let code = try required("CLASS")
    if let word = ClassAirspaceRow.classes[code] { return word }
    report(.unknownCode, "CLASS", code, "the code is not known")
    return code.lowercased()
  }

  /// The numbers are text, and -9998 stands for none.
  private func limit(_ side: String) -> AltitudeLimit? {
    guard let value = text(side + "_VAL") else { return nil }
    guard let number = Double(value), number > -9998 else {
      if Double(value) == nil { report(.fieldDropped, side + "_VAL", value, "it is no number") }
      return nil
    }
    let code = text(side + "_CODE") ?? ""
    let unit = text(side + "_UOM") ?? ""
    guard AltitudeLimit.isKnown(unit: unit) else {
      report(.fieldDropped, side + "_UOM", unit, AltitudeLimit.unknownUnit)
      return nil
    }
    guard let limit = AltitudeLimit(number: number, unit: unit, reference: code) else {
      report(.fieldDropped, side + "_VAL", value, "it is out of range")
      return nil
    }
    if limit.datum == .other { report(.unknownCode, side + "_CODE", code, "the code is not known") }
    return limit
  }

  /// Reports a floor above the ceiling, where the two can be compared.
  private func check(_ floor: AltitudeLimit?, below ceiling: AltitudeLimit?) {
    guard let floor, let ceiling, floor.datum != .surface else { return }
    let areFromGround = floor.datum == .agl && ceiling.datum == .agl
    let low = areFromGround ? floor.feet : floor.comparableFeet
    let high = areFromGround ? ceiling.feet : ceiling.comparableFeet
    guard let low, let high, low > high else { return }
    report(.contradiction, "LOWER_VAL", floor.text, "the floor is above the ceiling, \(ceiling.text)")
  }

  private func shape(_ maker: ShapeMaker) throws -> MapShape {
    do {
      let made = try maker.shape(of: try polygons())
      if made.wasMended {
        report(.shapeMended, nil, text("NAME") ?? "", "its boundary crossed or touched itself")
      }
      return made.shape
    } catch let flaw as ShapeFlaw {
      throw UnusableRow(column: nil, value: text("NAME") ?? "", reason: flaw.rawValue)
    }
  }

  private func polygons() throws(ShapeFlaw) -> [[ShapeRing]] {
    guard feature.polygons.joined().reduce(0, { $0 + $1.count }) <= ShapeMaker.mostCorners else {
      throw .tooLarge
    }
    var polygons: [[ShapeRing]] = []
    for rings in feature.polygons {
      var whole: [ShapeRing] = []
      for (index, ring) in rings.enumerated() {
        guard let ring = try places(ring).unwound else {
          // Without its outer ring, a polygon is none; a hole without area is none either.
          guard index == 0 else { continue }
          break
        }
        whole.append(whole.first.map { ring.moved(by: ring[0].near($0[0]).x - ring[0].x) } ?? ring)
      }
      if !whole.isEmpty { polygons.append(whole) }
    }
    return polygons
  }

  private func places(_ ring: PlaneArea.Ring) throws(ShapeFlaw) -> ShapeRing {
    var places: ShapeRing = []
    places.reserveCapacity(ring.count)
    for point in ring {
      guard let place = ShapePoint(longitude: point.x, latitude: point.y) else { throw .noPlace }
      places.append(place)
    }
    return places
  }

  private func report(_ kind: RecordProblem.Kind, _ column: String?, _ value: String, _ reason: String) {
    problems.record(
      kind, file: ClassAirspaceReader.file, line: line, column: column, value: value, reason: reason)
  }
}
