internal import Core
internal import SQLiteIO

/// Fills the airspace tables from the sources that the definition names.
struct AirspaceLoader {
  private let classAirspace: AirspaceSource?
  private let specialUse: AirspaceSource?
  private let writer: DatabaseWriter
  private let problems: ProblemLog
  private let builder: ShapeBuilder
  private let corrections: Corrections?

  init(
    _ request: NASRRequest, _ archive: SubscriptionArchive, _ writer: DatabaseWriter, _ problems: ProblemLog,
    _ corrections: Corrections? = nil
  ) throws {
    self.writer = writer
    self.problems = problems
    self.corrections = corrections
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
    classAirspace = try source(definition.classAirspace, request.classAirspace, "reading class airspace")
    specialUse = try source(definition.specialUse, request.specialUse, "reading special-use airspace")
  }

  /// The files that it reads, as problems name them, and their sources.
  var files: [(name: String, source: AirspaceSource)] {
    [classAirspace.map { (ClassAirspaceReader.file, $0) }, specialUse.map { (SpecialUseDirectory.file, $0) }]
      .compactMap(\.self)
  }

  /// Returns an error for each source without airspace files. Other errors are reported when the files are read.
  func missingFiles() -> [UserError] {
    var errors: [UserError] = []
    try? errors.collect { _ = try classAirspace?.shapefile() }
    try? errors.collect { _ = try specialUse?.xmlFiles() }
    return errors
  }

  /// Nil if no correction concerns the rows.
  private func correction(of tables: [String]) -> RowCorrector? {
    corrections.flatMap { tables.contains(where: $0.concerns) ? $0.changes : nil }
  }

  /// Returns the number of rows of each table.
  func load() throws -> [(table: String, rows: Int)] {
    var (rows, area) = (0, 0)
    var times: [(area: Int, number: Int, sheet: AirspaceUsage.Timesheet)] = []
    var frequencies: [(area: Int, number: Int, channel: RadioChannel)] = []
    try writer.insert(AirspaceSchema.airspaces.schema) { insert in
      /// Writes the rows of one airspace.
      func write(_ records: [AirspaceRecord], times: String? = nil) throws {
        area += 1
        for record in records {
          rows += 1
          try insert.run(AirspaceSchema.airspaces.values((rows, area, times, record)))
        }
      }
      if let classAirspace {
        try ClassAirspaceReader(
          source: classAirspace, builder: builder, problems: problems,
          correct: correction(of: [ClassAirspaceReader.table])
        ).read { try write([$0]) }
      }
      if let specialUse {
        try SpecialUseAirspaces(
          specialUse, builder: builder, problems: problems,
          correct: correction(of: SpecialUseFile.correctable.map(\.table))
        ).forEach { airspace in
          let sheets = airspace.timesheets
          let json =
            sheets.isEmpty ? nil : String(decoding: try CanonicalJSON.line(sheets), as: UTF8.self)
          try write(airspace.records, times: json)
          times += sheets.enumerated().map { (area, $0 + 1, $1) }
          frequencies += airspace.channels.enumerated().map { (area, $0 + 1, $1) }
        }
      }
    }
    try writer.fill(AirspaceSchema.times, times)
    try writer.fill(AirspaceSchema.frequencies, frequencies)
    let counts = [rows, times.count, frequencies.count]
    return zip(DatabaseSchema.airspaceTables.map(\.name), counts).map { ($0, $1) }
  }
}
