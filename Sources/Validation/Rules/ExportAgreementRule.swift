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

  private func problems(_ export: ProductUnderTest, _ base: ProductUnderTest) throws -> [Disagreement] {
    guard let database = base.file(role: .database), database.exists else { return [] }
    if let file = export.file(role: .database) {
      guard file.exists else { return [] }
      let pair = try DatabasePairing(file, of: database)
      if export.product.format == "openefb" { return try OpenEFBAgreement(pair).problems() }
      guard export.product.format == "identifiers" else { return try AirportsAgreement(pair).problems() }
      let json = export.file(role: .json).flatMap { $0.exists ? $0 : nil }
      return try IdentifiersAgreement(pair: pair, json: json).problems()
    }
    return try export.product.files.flatMap { file -> [Disagreement] in
      guard let url = export.url(of: file), url.exists else { return [] }
      if export.product.format == "vectortiles" {
        return try VectorTilesAgreement(url, of: database).problems()
      }
      return try MapAgreement(layer: file.role.rawValue, url, of: database).problems()
    }
  }
}

/// A difference between an export and its database.
struct Disagreement {
  let place: String
  let text: String

  init(_ place: String, _ text: String) { (self.place, self.text) = (place, text) }
}

/// A connection to an export, with its database attached as `base`.
struct DatabasePairing {
  let connection: SQLiteConnection

  init(_ export: URL, of database: URL) throws {
    connection = try SQLiteConnection(export.path, mode: .readOnly)
    try connection.prepare("ATTACH DATABASE ? AS base").run([.text(database.path)])
  }

  /// Returns one disagreement for each row of a query. The first column is the place; the others replace each `%` of the text.
  func disagreements(_ table: String, _ sql: String, _ text: String) throws -> [Disagreement] {
    try connection.prepare(sql).map { row in
      var text = text
      for column in 1..<max(row.columnCount, 1) {
        guard let mark = text.firstIndex(of: "%") else { break }
        text.replaceSubrange(mark...mark, with: row.text(column) ?? "nothing")
      }
      return Disagreement("\(table) \(row.text(0) ?? "")", text)
    }
  }
}

extension CycleUnderTest {
  /// Each export with its database, where at least one of them is new.
  var pairs: [(export: ProductUnderTest, base: ProductUnderTest)] {
    let bases = all.filter { $0.product.kind == .database }
    return all.filter { $0.product.kind == .export }.compactMap { export in
      guard let base = bases.first(where: { $0.pipeline == export.pipeline }) else { return nil }
      let isNew = products.contains { $0 === export || $0 === base }
      return isNew ? (export, base) : nil
    }
  }
}

extension ProductUnderTest {
  /// `nasr` of `nasr/aviation`.
  var pipeline: Substring { product.id.prefix { $0 != "/" } }
}

extension URL {
  fileprivate var exists: Bool { FileManager.default.fileExists(atPath: path) }
}

/// Compares the table of identifiers with the database, and with its JSON form.
struct IdentifiersAgreement {
  let pair: DatabasePairing
  let json: URL?

  /// The export rounds positions to a hundred-thousandth of a degree.
  private static let missing = """
    SELECT icao FROM base.airports b WHERE NOT EXISTS (
      SELECT 1 FROM airports a WHERE a.ident = b.faaID AND a.name = b.name AND a.type = b.type AND a.source = 'faa_nasr'
        AND a.country IS (\(AirportsAgreement.isoCountry))
        AND a.icao IS CASE WHEN length(b.icao) = 4 AND b.icao NOT GLOB '*[^A-Za-z]*' THEN b.icao END
        AND abs(a.lat - b.latitude) <= 0.000006 AND abs(a.lon - b.longitude) <= 0.000006) ORDER BY 1
    """

  func problems() throws -> [Disagreement] {
    let text = "it is missing here, or has another name or position"
    return try pair.disagreements("airports", IdentifiersAgreement.missing, text) + lines()
  }

  /// Compares row by row: both have the same order.
  private func lines() throws -> [Disagreement] {
    guard let json else { return [] }
    let columns = ["ident", "icao", "name", "lat", "lon", "country", "type", "source"]
    let rows = try pair.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM airports ORDER BY rowid")
    return try LineComparison(columns.map { "$." + $0 }).disagreements(json, with: rows) {
      "\(json.lastPathComponent) \($0.text(0) ?? "")"
    }
  }
}

/// Compares a GeoJSON layer with its table, feature by feature.
struct MapAgreement {
  private let file: URL
  private let layer: String
  private let connection: SQLiteConnection

  init(layer: String, _ file: URL, of database: URL) throws {
    (self.layer, self.file) = (layer, file)
    connection = try SQLiteConnection(database.path, mode: .readOnly)
  }

  /// For each layer the column that names a feature, and those that are no properties.
  private static let layers: [String: (name: String, without: Set<String>)] = [
    "airports": ("icao", ["id", "latitude", "longitude", "siteNumber", "siteType", "effectiveDate"]),
    "airspaces": ("name", ["id", "geometry", "south", "north", "west", "east"]),
    "obstacles": ("oas", ["id", "latitude", "longitude"]),
  ]
  private static let lists: Set<String> = ["fuelTypes", "times"]

  func problems() throws -> [Disagreement] {
    guard let (name, without) = MapAgreement.layers[layer] else { return [] }
    let all = try connection.texts("SELECT name FROM pragma_table_info('\(layer)')")
    let columns = [name] + all.filter { !without.contains($0) && $0 != name }
    let values = columns.map { MapAgreement.lists.contains($0) ? "json(\"\($0)\")" : "\"\($0)\"" }
    let isShape = layer == "airspaces"
    let place = isShape ? ["json(geometry)"] : ["longitude", "latitude"]
    let placePaths = isShape ? ["$.geometry"] : ["$.geometry.coordinates[0]", "$.geometry.coordinates[1]"]
    let rows = try connection.prepare(
      "SELECT \((values + place).joined(separator: ", ")) FROM \(layer) WHERE \(place[0]) IS NOT NULL ORDER BY rowid"
    )
    return try LineComparison(columns.map { "$.properties." + $0 } + placePaths)
      .disagreements(file, with: rows) { "\(file.lastPathComponent) \($0.text(0) ?? "")" }
  }
}

/// Compares a JSON document of one element a line with the rows that it was made from, in their order.
struct LineComparison {
  private let reader: SQLiteStatement
  private let paths: [String]

  /// - Parameter paths: the JSON paths of the rows' columns in a line, such as `$.properties.icao`.
  init(_ paths: [String]) throws {
    self.paths = paths
    let members = paths.map { "CASE WHEN json_valid(?1) THEN json_extract(?1, '\($0)') END" }
    reader = try SQLiteConnection(":memory:", mode: .create).prepare(
      "SELECT json_valid(?1), \(members.joined(separator: ", "))")
  }

  func disagreements(
    _ file: URL, with rows: SQLiteStatement, place: (SQLiteRow) -> String
  ) throws -> [Disagreement] {
    var found: [Disagreement] = []
    var missing = 0
    try LinesUnderTest(file, place: "").forEachLine { line, number in
      guard line != Data("]}".utf8) else { return }
      guard let row = try rows.next() else {
        missing += 1
        return
      }
      if let path = try difference(line, row) {
        found.append(
          Disagreement(place(row), "\(path.dropFirst(2)) is not as in the database (line \(number))"))
      }
    }
    var left = 0
    while try rows.next() != nil { left += 1 }
    if missing > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(missing) of its lines are not in the database"))
    }
    if left > 0 {
      found.append(Disagreement(file.lastPathComponent, "\(left) rows of the database are missing"))
    }
    return found
  }

  /// Returns the first path with another value than the row's. Another rule reports a line that is not JSON.
  private func difference(_ line: Data, _ row: SQLiteRow) throws -> String? {
    let bare = line.last == UInt8(ascii: ",") ? line.dropLast() : line
    return try reader.map([.text(String(decoding: bare, as: UTF8.self))]) { line -> String? in
      guard line.int(0) == 1 else { return nil }
      return paths.indices.first { line.value($0 + 1) != row.value($0) }.map { paths[$0] }
    }.first ?? nil
  }
}
