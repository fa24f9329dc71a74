internal import Core
internal import Foundation
internal import SQLiteIO

/// Compares each export with the database that it was made from.
struct ExportsAgree: Rule {
  let name = "exports-agree"
  let protects = "Two apps show a pilot the same airport, whichever format each app reads."

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.pairs.flatMap { export, base in
      try problems(export, base).map { finding(.error, export, $0.place, $0.text) }
    }
  }

  private func problems(_ export: ProductUnderTest, _ base: ProductUnderTest) throws -> [Difference] {
    guard let database = base.file(role: .database), database.kindOnDisk != nil,
      let format = ExportDefinition.Format(rawValue: export.product.format)
    else { return [] }
    let source = try ExportSource(comparing: database, of: base.product, with: format)
    return try export.product.files.flatMap { file -> [Difference] in
      guard let url = export.url(of: file), url.kindOnDisk != nil else { return [] }
      switch format {
      case .openefb: return try DatabasePairing(url, of: database).openEFB(database, of: base.product)
      case .rzflight: return try DatabasePairing(url, of: database).airports(source)
      case .identifiers:
        if file.role == .database {
          return try DatabasePairing(url, of: database).disagreements(IdentifierExport.table(source))
        }
        guard let table = export.file(role: .database), table.kindOnDisk != nil else { return [] }
        return try differences(url, IdentifierExport.lines(of: table))
      case .geojson:
        guard let layer = GeoJSONLayer.all.first(where: { $0.table == file.role.rawValue }) else {
          return []
        }
        return try differences(url, layer.features(in: source.database))
      case .obstacles:
        let pairing = try DatabasePairing(url, of: database)
        let height = try pairing.connection.numbers(
          "SELECT CAST(value AS INTEGER) FROM main.metadata WHERE key = '\(ObstacleExport.heightKey)'")
        return try pairing.disagreements(ObstacleExport.table(source, from: height.first ?? 0))
      case .vectortiles:
        return try file.role == .json
          ? differences(url, AirportList.lines(in: source.database))
          : VectorTilesAgreement.problems(url, of: database)
      }
    }
  }

  /// Compares a JSON document of one element a line with the rows that it was made from, in their order.
  ///
  /// - Parameter rows: Their columns have the element, and what names it.
  private func differences(_ file: URL, _ rows: SQLiteStatement) throws -> [Difference] {
    // An element may have another text and the same values. Another rule reports a line that is not JSON.
    let comparison = try SQLiteConnection(":memory:", mode: .create).prepare(
      """
      WITH own AS (SELECT fullkey, atom FROM json_tree(iif(json_valid(?1), ?1, ?2))),
        other AS (SELECT fullkey, atom FROM json_tree(?2))
      SELECT substr(fullkey, 3) FROM (SELECT * FROM own EXCEPT SELECT * FROM other)
      UNION ALL SELECT substr(fullkey, 3) FROM (SELECT * FROM other EXCEPT SELECT * FROM own) LIMIT 1
      """)
    var found: [Difference] = []
    var (missing, left) = (0, 0)
    try LinesUnderTest(file, place: "").forEachLine { line, number in
      guard line != LinesUnderTest.end else { return }
      guard let row = try rows.next() else {
        missing += 1
        return
      }
      let (own, other) = (String(decoding: line.withoutComma, as: UTF8.self), row.text(0) ?? "")
      guard own != other else { return }
      for path in try comparison.map([.text(own), .text(other)], { $0.text(0) ?? "" }) {
        let text = "\(path) is not as in the database (line \(number))"
        found.append(Difference("\(file.lastPathComponent) \(row.text(1) ?? "")", text))
      }
    }
    while try rows.next() != nil { left += 1 }
    if missing > 0 {
      found.append(Difference(file.lastPathComponent, "\(missing) of its lines are not in the database"))
    }
    if left > 0 {
      found.append(Difference(file.lastPathComponent, "\(left) rows of the database are missing"))
    }
    return found
  }
}

/// A connection to an export, with its database attached as `base`.
struct DatabasePairing {
  let connection: SQLiteConnection

  init(_ export: URL, of database: URL) throws {
    connection = try SQLiteConnection(export.path, mode: .readOnly)
    try connection.prepare("ATTACH DATABASE ? AS base").run([.text(database.path)])
  }

  /// The ground below airspace is taken from the file, since the terrain may not be there.
  func openEFB(_ database: URL, of base: Product) throws -> [Difference] {
    guard try hasColumns(of: OpenEFBSchema.airspaces.schema) else { return [] }
    let ground = try connection.prepare("SELECT lowestGround, highestGround FROM main.airspaces WHERE id = ?")
    let source = try ExportSource(comparing: database, of: base, with: .openefb)
    source.madeGround = { polygon in
      try ground.map([polygon["id"]]) { row in
        row.value(0) == .null || row.int(0) > row.int(1) ? nil : (row.int(0)...row.int(1), "")
      }.first ?? nil
    }
    let tables = try source.openEFBTables()
    guard try tables.allSatisfy({ try hasColumns(of: $0.schema) }) else { return [] }
    return try tables.flatMap(disagreements) + share()
  }

  /// The least share of the database's airports that `openefb.sqlite` must contain.
  private static let leastShare = 0.9

  private func share() throws -> [Difference] {
    let counts = try ["main", "base"].map { try connection.count("\($0).airports") }
    guard Double(counts[0]) < Double(counts[1]) * DatabasePairing.leastShare else { return [] }
    return [Difference("airports", "it has \(counts[0]) of the \(counts[1]) airports of the database")]
  }

  /// Compares what an `airports.db` has of the FAA. One with a selection needs the selected airports only.
  func airports(_ source: ExportSource) throws -> [Difference] {
    let selection = try connection.texts("SELECT value FROM main.model_metadata WHERE key = 'selection'")
    var places: [String: GeoPoint]?
    if !selection.isEmpty {
      let pairs = try connection.prepare("SELECT icao_code, latitude_deg, longitude_deg FROM main.airports")
        .map {
          ($0.text(0) ?? "", GeoPoint(longitude: $0.double(2), latitude: $0.double(1)))
        }
      places = Dictionary(first: pairs)
    }
    return try source.rzflightTables(of: places).flatMap(disagreements)
  }

  /// Another rule reports missing columns.
  private func hasColumns(of table: TableSchema) throws -> Bool {
    let there = try connection.texts("SELECT name FROM pragma_table_info('\(table.name)', 'main')")
    return table.columns.allSatisfy { there.contains($0.name) }
  }

  /// Compares a table of the file with the rows that the export makes of the database.
  func disagreements(_ table: ExportTable) throws -> [Difference] {
    let (schema, names) = (table.schema, table.schema.columns.map(\.name))
    guard try hasColumns(of: schema) else { return [] }
    let columns = schema.columns.map { "\($0.name) \($0.type.prefix { $0 != " " })" }
    try connection.execute(
      "DROP TABLE IF EXISTS temp.made; CREATE TABLE temp.made (\(columns.joined(separator: ", ")))")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO temp.made VALUES (\(marks))")
    try connection.transaction { try table.forEachRow { try insert.run($0) } }
    func rows(_ name: String) -> String {
      let place = schema.isKeyed ? "0" : "rowid"
      return
        "SELECT \(names.joined(separator: ", ")), \(place) AS place FROM \(name) WHERE \(table.condition)"
    }
    return try compare(schema, here: rows("main.\(schema.name)"), there: rows("temp.made"))
  }

  /// Compares the rows of two queries. Rows of the same key are compared in their order.
  private func compare(_ schema: TableSchema, here: String, there: String) throws -> [Difference] {
    let key = schema.key.map { "coalesce(\($0), '')" }.joined(separator: " || ' ' || ")
    for (name, rows) in [("here", here), ("there", there)] {
      try connection.execute(
        """
        DROP TABLE IF EXISTS temp.\(name);
        CREATE TABLE temp.\(name) AS
          SELECT *, row_number() OVER (PARTITION BY label ORDER BY place) AS copy FROM (SELECT *, \(key) AS label FROM (\(rows)));
        CREATE INDEX temp.\(name)_label ON \(name) (label, copy);
        """)
    }
    let compared = schema.columns.filter {
      !schema.key.contains($0.name) && $0.mayDiffer != "1" && !$0.type.hasPrefix("INTEGER PRIMARY KEY")
    }
    let different = try compared.flatMap { column in
      let name = column.name
      return try connection.prepare(
        """
        SELECT label, substr(here.\(name), 1, 200), substr(there.\(name), 1, 200) FROM here JOIN there USING (label, copy)
        WHERE here.\(name) IS NOT there.\(name) AND NOT coalesce(\(column.mayDiffer), 0) ORDER BY 1
        """
      ).map { row in
        let (own, base) = (row.text(1) ?? "nothing", row.text(2) ?? "nothing")
        return Difference(
          "\(schema.name) \(row.text(0) ?? "")", "\(name) is \(own), and in the database \(base)")
      }
    }
    return try different + lone(schema, in: "here", not: "there", "it is not in the database")
      + lone(schema, in: "there", not: "here", "it is in the database, and missing here")
  }

  private func lone(
    _ schema: TableSchema, in one: String, not other: String, _ text: String
  ) throws -> [Difference] {
    try connection.texts(
      "SELECT label FROM temp.\(one) WHERE (label, copy) NOT IN (SELECT label, copy FROM temp.\(other)) ORDER BY 1"
    ).map { Difference("\(schema.name) \($0)", text) }
  }
}

extension CycleUnderTest {
  /// Each export with its database, where at least one of them is new.
  var pairs: [(export: ProductUnderTest, base: ProductUnderTest)] {
    let bases = all.filter { $0.product.kind == .database }
    return all.filter { $0.product.kind == .export }.compactMap { export in
      guard let base = bases.first(where: { $0.product.id.pipelineOfID == export.product.id.pipelineOfID })
      else { return nil }
      let isNew = products.contains { $0 === export || $0 === base }
      return isNew ? (export, base) : nil
    }
  }
}
