internal import Core
internal import Foundation
internal import SQLiteIO

/// Fills the airspace tables from the sources that the definition names.
struct AirspaceLoader {
  private let classAirspace: AirspaceSource?
  private let specialUse: AirspaceSource?
  private let writer: DatabaseWriter
  private let problems: ProblemLog
  private let builder: ShapeBuilder

  init(
    _ request: NASRRequest, _ archive: SubscriptionArchive, _ writer: DatabaseWriter, _ problems: ProblemLog
  ) throws {
    self.writer = writer
    self.problems = problems
    let definition = request.definition
    let tolerance = definition.airspaceTolerance ?? 0
    guard (0...1000).contains(tolerance) else {
      throw UserError(
        .badInput, operation: "reading the pipeline", path: "airspaceTolerance",
        reason: "\(tolerance) is not within 0 and 1000 metres")
    }
    builder = ShapeBuilder(toleranceInMetres: tolerance)
    func source(_ names: [String]?, _ file: SourceFile?, _ operation: String) throws -> AirspaceSource? {
      try names.map { names in
        try AirspaceSource(
          file, named: definition.origin.names(names, for: request.cycle), else: archive.container,
          of: request.source, operation: operation)
      }
    }
    classAirspace = try source(
      definition.classAirspace, request.classAirspace, "reading class airspace")
    specialUse = try source(definition.specialUse, request.specialUse, "reading special-use airspace")
  }

  /// The files that it reads, as problems name them, and their sources.
  var files: [(name: String, source: AirspaceSource)] {
    [classAirspace.map { (ClassAirspaceReader.file, $0) }, specialUse.map { (SpecialUseDirectory.file, $0) }]
      .compactMap(\.self)
  }

  /// Returns an error for each source without airspace files. Other errors are reported when the files are read.
  func missingFiles() -> [UserError] {
    func error(_ find: () throws -> Void) -> UserError? {
      do {
        try find()
        return nil
      } catch {
        return error as? UserError
      }
    }
    return [
      error { _ = try classAirspace?.shapefile() }, error { _ = try specialUse?.xmlFiles() },
    ].compactMap(\.self)
  }

  /// Returns the number of rows of each table.
  func load() throws -> [(table: String, rows: Int)] {
    var airspaces = AirspaceWriter()
    try writer.insert(AirspaceSchema.airspaces) { insert in
      if let classAirspace {
        try ClassAirspaceReader(source: classAirspace, builder: builder, problems: problems).read {
          try airspaces.write([$0], insert)
        }
      }
      if let specialUse {
        try SpecialUseAirspaces(specialUse, builder: builder, problems: problems).forEach {
          try airspaces.write($0, insert)
        }
      }
    }
    try writer.fill(AirspaceSchema.times, airspaces.times) { $1 }
    try writer.fill(AirspaceSchema.frequencies, airspaces.frequencies) { $1 }
    return [
      (AirspaceSchema.airspaces.name, airspaces.rows), (AirspaceSchema.times.name, airspaces.times.count),
      (AirspaceSchema.frequencies.name, airspaces.frequencies.count),
    ]
  }
}

/// Writes airspaces and collects the few rows of the other tables that belong to them.
private struct AirspaceWriter {
  private(set) var rows = 0
  private var area = 0
  private(set) var times: [[SQLiteValue]] = []
  private(set) var frequencies: [[SQLiteValue]] = []

  mutating func write(_ airspace: SpecialUseAirspaces.Area, _ insert: SQLiteStatement) throws {
    let json =
      airspace.timesheets.isEmpty
      ? nil : String(decoding: try CanonicalJSON.line(airspace.timesheets), as: UTF8.self)
    try write(airspace.records, insert, times: json)
    for (index, timesheet) in airspace.timesheets.enumerated() {
      times.append([.integer(area), .integer(index + 1)] + timesheet.values)
    }
    for (index, channel) in airspace.channels.enumerated() {
      frequencies.append([.integer(area), .integer(index + 1)] + channel.values)
    }
  }

  /// Writes the rows of one airspace.
  mutating func write(_ records: [AirspaceRecord], _ insert: SQLiteStatement, times: String? = nil) throws {
    area += 1
    for record in records {
      rows += 1
      for (index, value) in ([.integer(rows), .integer(area)] + record.values(times)).enumerated() {
        try insert.bind(value, at: index + 1)
      }
      try record.shape.geoJSON.withUnsafeBufferPointer { text in
        try insert.bind(borrowed: text, at: AirspaceWriter.geometryIndex)
        try insert.runBound()
      }
    }
  }

  private static let geometryIndex =
    1 + (AirspaceSchema.airspaces.columns.firstIndex { $0.name == "geometry" } ?? 0)
}

extension AirspaceRecord {
  /// The values in the order of the columns. The geometry is bound separately.
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

  private func values(_ limit: AltitudeLimit?, _ bound: AltitudeLimit?) -> [SQLiteValue] {
    [
      SQLiteValue(limit?.feet), SQLiteValue(limit?.datum.rawValue), SQLiteValue(limit?.text),
      SQLiteValue(limit?.comparableFeet), SQLiteValue(bound?.text),
    ]
  }
}

extension AirspaceUsage.Timesheet {
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
