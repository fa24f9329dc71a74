internal import Core
internal import RasterIO

/// Reads the FAA's shapefile of class airspace, which has one row for each shelf.
struct ClassAirspaceReader {
  static let file = "Class_Airspace.shp"
  static let driver = "ESRI Shapefile"
  /// Twenty times what the FAA has.
  private static let mostFeatures = 100_000
  private static let required = [
    "NAME", "CLASS", "LOCAL_TYPE", "UPPER_VAL", "UPPER_UOM", "UPPER_CODE", "LOWER_VAL", "LOWER_UOM",
    "LOWER_CODE",
  ]
  /// The name of the rows in corrections, and the columns that these can change.
  static let table = "Class_Airspace"
  private static let columns = required + ["IDENT", "SECTOR", "WKHR_RMK"]

  static let classes: CodeBook = [
    "A": "alpha", "B": "bravo", "C": "charlie", "D": "delta", "E": "echo", "G": "golf",
  ]

  let source: AirspaceSource
  let builder: ShapeBuilder
  let problems: ProblemLog
  let correct: RowCorrector?

  /// Passes each usable airspace to a closure, in the order of the file.
  func read(_ each: (AirspaceRecord) throws -> Void) throws {
    let path = try source.shapefile()
    let layer: FeatureLayer
    do throws(GDALError) {
      layer = try FeatureLayer(opening: path, driver: ClassAirspaceReader.driver)
    } catch {
      throw source.origin.error("\(ClassAirspaceReader.file) is damaged: \(error.message)", causes: [error])
    }
    try check(layer)
    let changes = try correct.map { try $0(rows(of: layer)) } ?? [:]
    for number in 0..<layer.count {
      try CancellationToken.current.check()
      do {
        let feature = try layer.feature(number)
        let changed = changes[ClassAirspaceReader.texts(of: feature)] ?? []
        let values = feature.values.merging(zip(ClassAirspaceReader.columns, changed)) { $1 }
        let row = ClassAirspaceRow(values: values, line: number + 1, problems: problems)
        try each(try row.record { try row.shape(feature.polygons, builder) })
      } catch let error as UnusableRow {
        drop(number, error)
      } catch let error as GDALError {
        drop(number, UnusableRow(column: nil, value: "", reason: error.message))
      }
    }
    problems.read(rows: layer.count, of: ClassAirspaceReader.file)
  }

  private static func texts(of feature: FeatureLayer.Feature) -> [String] {
    columns.map { feature.values[$0]?.trimmed ?? "" }
  }

  /// The rows of the shapefile for corrections. Other problems are reported when they are read.
  private func rows(of layer: FeatureLayer) -> CorrectableRows {
    let columns = ClassAirspaceReader.columns
    var rows = CorrectableRows(
      name: ClassAirspaceReader.table, file: ClassAirspaceReader.file, columns: columns
    ) {
      texts in
      let values = Dictionary(uniqueKeysWithValues: zip(columns, texts))
      let row = ClassAirspaceRow(values: values, line: 0, problems: ProblemLog())
      let record = try? row.record { MapShape([]) }
      return record.map { AirspaceSchema.airspaces.values((0, 0, nil, $0)) } ?? []
    }
    rows.rows = (0..<layer.count).compactMap { number in
      let feature = try? layer.feature(number)
      return feature.map { (ClassAirspaceReader.texts(of: $0), "line \(number + 1)") }
    }
    return rows
  }

  private func check(_ layer: FeatureLayer) throws {
    let missing = ClassAirspaceReader.required.filter { !layer.fields.contains($0) }
    guard missing.isEmpty else {
      throw source.origin.error(
        "\(ClassAirspaceReader.file) has no field \(missing.joined(separator: ", ")): its .dbf file is missing or another one"
      )
    }
    guard layer.isGeographic else {
      throw source.origin.error(
        "the coordinates of \(ClassAirspaceReader.file) are not in degrees, or its .prj is missing")
    }
    guard (0...ClassAirspaceReader.mostFeatures).contains(layer.count) else {
      throw source.origin.error("\(ClassAirspaceReader.file) declares \(layer.count) shapes")
    }
  }

  private func drop(_ number: Int, _ row: UnusableRow) {
    problems.record(
      .rowDropped, file: ClassAirspaceReader.file, line: number + 1, column: row.column, value: row.value,
      reason: row.reason)
  }
}

/// One row of the shapefile.
private struct ClassAirspaceRow {
  let values: [String: String]
  let line: Int
  let problems: ProblemLog

  func record(_ shape: () throws -> MapShape) throws -> AirspaceRecord {
    let type = try required("LOCAL_TYPE")
    let (floor, ceiling) = (limit("LOWER"), limit("UPPER"))
    check(floor, below: ceiling)
    return AirspaceRecord(
      kind: "class", classification: try classification(), type: type, designator: text("IDENT"),
      name: try required("NAME"), sector: text("SECTOR"), city: nil, state: nil, floor: floor,
      ceiling: ceiling, remark: text("WKHR_RMK"), shape: try shape())
  }

  private func text(_ field: String) -> String? {
    let text = values[field].map { $0.trimmed } ?? ""
    return text.isEmpty ? nil : text
  }

  private func required(_ field: String) throws(UnusableRow) -> String {
    guard let text = text(field) else { throw UnusableRow(column: field, value: "", reason: "it is empty") }
    return text
  }

  private func classification() throws(UnusableRow) -> String {
    let code = try required("CLASS")
    if let word = ClassAirspaceReader.classes[code] { return word }
    report(.unknownCode, "CLASS", code, "the code is not known")
    return code.lowercased()
  }

  /// Reads a limit. The numbers are text, and -9998 means none.
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

  func shape(_ polygons: [[PlaneArea.Ring]], _ builder: ShapeBuilder) throws -> MapShape {
    do {
      let (shape, wasRepaired) = try builder.shape(of: try rings(polygons))
      if wasRepaired {
        report(.shapeMended, nil, text("NAME") ?? "", "its boundary crossed or touched itself")
      }
      return shape
    } catch let error as ShapeError {
      throw UnusableRow(column: nil, value: text("NAME") ?? "", reason: error.rawValue)
    }
  }

  private func rings(_ polygons: [[PlaneArea.Ring]]) throws(ShapeError) -> [[ShapeRing]] {
    guard polygons.joined().reduce(0, { $0 + $1.count }) <= ShapeBuilder.mostCorners else {
      throw .tooLarge
    }
    var unwound: [[ShapeRing]] = []
    for rings in polygons {
      var polygon: [ShapeRing] = []
      for (index, ring) in rings.enumerated() {
        guard let ring = try points(ring).unwound else {
          // Skip a polygon without its outer ring, and a hole without area.
          guard index == 0 else { continue }
          break
        }
        polygon.append(polygon.first.map { ring.moved(by: ring[0].near($0[0]).x - ring[0].x) } ?? ring)
      }
      if !polygon.isEmpty { unwound.append(polygon) }
    }
    return unwound
  }

  private func points(_ ring: PlaneArea.Ring) throws(ShapeError) -> ShapeRing {
    try ring.map { corner throws(ShapeError) in
      guard let point = ShapePoint(longitude: corner.x, latitude: corner.y) else { throw .noPlace }
      return point
    }
  }

  private func report(_ kind: RecordProblem.Kind, _ column: String?, _ value: String, _ reason: String) {
    problems.record(
      kind, file: ClassAirspaceReader.file, line: line, column: column, value: value, reason: reason)
  }
}
