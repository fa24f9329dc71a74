internal import Core
internal import Fetch
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Fills the tables of airspace from what the definition wants of the two sources.
struct AirspaceLoader {
  private let classAirspace: AirspaceSource?
  private let specialUse: AirspaceSource?
  private let writer: DatabaseWriter
  private let problems: ProblemLog
  private let maker: ShapeMaker

  init(
    _ request: NASRRequest, _ archive: SubscriptionArchive, _ writer: DatabaseWriter, _ problems: ProblemLog
  ) throws {
    self.writer = writer
    self.problems = problems
    let tolerance = request.definition.airspaceTolerance ?? 0
    guard (0...1000).contains(tolerance) else {
      throw UserError(
        .badInput, operation: "reading the pipeline", path: "airspaceTolerance",
        reason: "\(tolerance) is not within 0 and 1000 metres")
    }
    maker = ShapeMaker(toleranceInMetres: tolerance)
    let definition = request.definition
    func source(_ names: [String]?, _ own: SourceFile?, _ doing: String) throws -> AirspaceSource? {
      try names.map { names in
        try AirspaceSource(
          own, named: definition.origin.names(names, for: request.cycle), else: archive.container,
          of: request.source,
          doing: doing)
      }
    }
    classAirspace = try source(
      definition.classAirspace, request.classAirspace, "reading class airspace")
    specialUse = try source(definition.specialUse, request.specialUse, "reading special-use airspace")
  }

  /// The files whose rows it reads, as the problems name them, and where they lie.
  var files: [(name: String, source: AirspaceSource)] {
    [classAirspace.map { (ClassAirspaceReader.file, $0) }, specialUse.map { (SpecialUseDirectory.file, $0) }]
      .compactMap(\.self)
  }

  /// A fault for each source that holds no file of airspace.
  func missingFiles() -> [UserError] {
    var faults: [UserError] = []
    func collect(_ look: () throws -> Void) {
      do {
        try look()
      } catch let fault as UserError {
        faults.append(fault)
      } catch {
        // Reading the file reports it.
      }
    }
    collect { if let classAirspace { _ = try classAirspace.shapefile() } }
    collect { if let specialUse { _ = try specialUse.xmlFiles() } }
    return faults
  }

  /// How many rows each table has.
  func load() throws -> [(table: String, rows: Int)] {
    var areas = AreaWriter()
    try writer.insert(AirspaceSchema.airspaces) { insert in
      if let classAirspace {
        try ClassAirspaceReader(classAirspace, maker: maker, problems: problems).read {
          try areas.write([$0], insert)
        }
      }
      if let specialUse {
        try SpecialUseAirspaces(specialUse, maker: maker, problems: problems).forEach {
          try areas.write($0, insert)
        }
      }
    }
    try writer.fill(AirspaceSchema.times, areas.times) { $1 }
    try writer.fill(AirspaceSchema.frequencies, areas.frequencies) { $1 }
    return [
      (AirspaceSchema.airspaces.name, areas.rows), (AirspaceSchema.times.name, areas.times.count),
      (AirspaceSchema.frequencies.name, areas.frequencies.count),
    ]
  }
}

/// Writes airspaces, and keeps the few rows of the other tables that belong to them.
private struct AreaWriter {
  private(set) var rows = 0
  private var area = 0
  private(set) var times: [[SQLiteValue]] = []
  private(set) var frequencies: [[SQLiteValue]] = []

  mutating func write(_ airspace: SpecialUseAirspaces.Area, _ insert: SQLiteStatement) throws {
    let json =
      airspace.sheets.isEmpty ? nil : String(decoding: try CanonicalJSON.line(airspace.sheets), as: UTF8.self)
    try write(airspace.records, insert, times: json)
    for (index, sheet) in airspace.sheets.enumerated() {
      times.append([.integer(area), .integer(index + 1)] + sheet.values)
    }
    for (index, channel) in airspace.channels.enumerated() {
      frequencies.append([.integer(area), .integer(index + 1)] + channel.values)
    }
  }

  /// The rows of one airspace.
  mutating func write(_ records: [AirspaceRecord], _ insert: SQLiteStatement, times: String? = nil) throws {
    area += 1
    for record in records {
      rows += 1
      for (index, value) in ([.integer(rows), .integer(area)] + record.values(times)).enumerated() {
        try insert.bind(value, at: index + 1)
      }
      try record.shape.geoJSON.withUnsafeBufferPointer { text in
        try insert.bind(borrowed: text, at: AreaWriter.geometryPlace)
        try insert.runBound()
      }
    }
  }

  private static let geometryPlace =
    1 + (AirspaceSchema.airspaces.columns.firstIndex { $0.name == "geometry" } ?? 0)
}

extension AirspaceRecord {
  /// In the order of the columns; the geometry is bound by itself.
  fileprivate func values(_ times: String?) -> [SQLiteValue] {
    let box = shape.box
    let head: [SQLiteValue] = [
      .text(kind.rawValue), .text(classification), .text(type), SQLiteValue(designator), .text(name),
      SQLiteValue(sector), SQLiteValue(city), SQLiteValue(state),
    ]
    let tail: [SQLiteValue] = [
      SQLiteValue(excluded), SQLiteValue(agency), SQLiteValue(usingAgency), SQLiteValue(hours),
      SQLiteValue(times), SQLiteValue(activity), SQLiteValue(remark), SQLiteValue(isComplete), .null,
      .real(box.south), .real(box.north), .real(box.west), .real(box.east),
    ]
    return head + values(floor, minimum) + values(ceiling, maximum) + tail
  }

  private func values(_ limit: AltitudeLimit?, _ besides: AltitudeLimit?) -> [SQLiteValue] {
    [
      SQLiteValue(limit?.feet), SQLiteValue(limit?.datum.rawValue), SQLiteValue(limit?.text),
      SQLiteValue(limit?.comparableFeet), SQLiteValue(besides?.text),
    ]
  }
}

extension SpecialUseTimes.Sheet {
  fileprivate var values: [SQLiteValue] {
    [
      SQLiteValue(day), SQLiteValue(dayTo), SQLiteValue(start), SQLiteValue(end), SQLiteValue(startEvent),
      SQLiteValue(startMinutes), SQLiteValue(endEvent), SQLiteValue(endMinutes), SQLiteValue(reference),
      SQLiteValue(utcOffset), SQLiteValue(hasDaylightSaving), SQLiteValue(startDate), SQLiteValue(endDate),
    ]
  }
}

extension RadioChannel {
  fileprivate var values: [SQLiteValue] {
    [
      SQLiteValue(transmits), SQLiteValue(receives), SQLiteValue(mode), SQLiteValue(traffic),
      SQLiteValue(isCharted), SQLiteValue(sector),
    ]
  }
}
