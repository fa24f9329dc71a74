internal import Airac
internal import CryptoIO
internal import Fetch
internal import Foundation
internal import Geo
internal import Pipeline
internal import SQLiteIO
internal import ZipIO

/// What is said of a database: in its own `metadata` table, and in the product's description.
enum Metadata {
  static let disclaimer =
    "Made from the FAA's public NASR data. Not for navigation: check against current official sources."

  static func pairs(
    _ request: NASRRequest, counts: [String: Int], corrections: [CorrectionOutcome] = []
  ) -> [String: String] {
    var pairs = [
      "cycle": request.cycle.identifier,
      "edition": request.cycle.effectiveDay.description,
      "effective": request.cycle.effective.description,
      "expires": request.cycle.expires(.every28Days).description,
      // Airways, military routes, boundaries and weather locations are issued every second cycle only.
      "edition_56_day": request.cycle.issue(.every56Days).effectiveDay.description,
      "expires_56_day": request.cycle.expires(.every56Days).description,
      "schema_version": String(DatabaseSchema.version),
      "tool": ToolVersion.tool,
      "version": ToolVersion.version,
      "source": request.source.name,
      "source_sha256": request.source.sha256.text,
      "disclaimer": disclaimer,
    ]
    let others = [
      "class_airspace": request.classAirspace, "special_use": request.specialUse,
      "obstacles": request.obstacles,
    ]
    for case (let name, let source?) in others {
      pairs["source_" + name] = source.name
      pairs["source_\(name)_sha256"] = source.sha256.text
    }
    // Only in a database of some tables.
    if let tables = try? TableSelection(request.definition.tables).text { pairs["tables"] = tables }
    for (table, count) in counts { pairs["counts." + table] = String(count) }
    for (key, value) in corrections.metadata { pairs[key] = value }
    return pairs
  }

  static func product(
    _ request: NASRRequest, counts: [String: Int], box: GeoBox?, dates: [Product.StatedDate], file: URL
  ) throws -> Product {
    let source = try SourceFolder.file(file)
    var sources = request.sources.map(\.record)
    if !dates.isEmpty { sources[0].dates = dates }
    let definition = request.definition
    return Product(
      id: "\(definition.name)/\(definition.id)", kind: .database, name: definition.title,
      cycle: request.cycle.identifier, edition: request.cycle.effectiveDay.description,
      effectiveDate: request.cycle.effective.description,
      expirationDate: request.cycle.expires(.every28Days).description, boundingBox: box, minZoom: nil,
      maxZoom: nil,
      format: "sqlite",
      files: [
        Product.File(
          path: definition.id + ".sqlite", sha256: source.sha256, bytes: source.bytes,
          mediaType: "application/vnd.sqlite3", role: "database")
      ],
      sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version,
        libraries: DatabaseBuilder.libraries,
        definitionSha256: request.definitionSha256, counts: counts,
        rowLoss: definition.gates.rowLoss))
  }
}
