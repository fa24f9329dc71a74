internal import Core
internal import Foundation

/// The description of a database: its `metadata` table and the product.
enum Metadata {
  static let warning = "Not for navigation: check against current official sources."

  static func pairs(
    _ request: NASRRequest, counts: [String: Int], corrections: [CorrectionOutcome] = [],
    warnings: [String] = []
  ) -> [String: String] {
    let own = [
      // Airways, military routes, boundaries and weather locations are issued every second cycle only.
      "edition_56_day": request.cycle.edition(.every56Days).issue.description,
      "expires_56_day": request.cycle.edition(.every56Days).expires.description,
      "disclaimer": "Made from the FAA's public NASR data. \(warning)",
    ]
    var pairs = common(
      DatabaseSchema.form, of: request.cycle, from: request.source.record, counts: counts, corrections,
      warnings
    ).merging(own) { $1 }
    let others = ["class_airspace": request.classAirspace, "special_use": request.specialUse]
    for case (let name, let source?) in others {
      pairs["source_" + name] = source.name
      pairs["source_\(name)_sha256"] = source.sha256.text
    }
    let definition = request.definition
    let kinds = [
      definition.classAirspace.map { _ in "class" }, definition.specialUse.map { _ in "specialUse" },
    ]
    pairs["airspace"] = kinds.compactMap(\.self).joined(separator: ",")
    pairs["airspace_tolerance"] = String(definition.airspaceTolerance ?? 0)
    // Only in a partial database.
    if let tables = try? TableSelection(request.definition.tables).text { pairs["tables"] = tables }
    return pairs
  }

  /// The pairs that every database has.
  static func common(
    _ form: DatabaseForm, of cycle: AiracCycle, from source: Product.Source, counts: [String: Int],
    _ corrections: [CorrectionOutcome] = [], _ warnings: [String] = []
  ) -> [String: String] {
    let pairs = [
      "cycle": cycle.identifier,
      "edition": cycle.effectiveDay.description,
      "effective": cycle.effective.description,
      "expires": cycle.expires.description,
      "schema_version": String(form.version),
      "tool": ToolVersion.tool,
      "version": ToolVersion.version,
      "source": source.url,
      "source_sha256": source.sha256.text,
    ]
    let numbered =
      corrections.enumerated().map { number, outcome in
        ("corrections.\(number + 1)", "\(outcome.ending.rawValue): \(outcome.text)")
      } + warnings.enumerated().map { number, warning in ("warnings.\(number + 1)", warning) }
    return counts.reduce(into: pairs.merging(numbered) { $1 }) { $0["counts." + $1.key] = String($1.value) }
  }

  /// The product of a database, or of a part of it with another identifier.
  static func product(
    _ definition: some DatabaseDefinition, part: String? = nil, of cycle: AiracCycle, box: GeoBox?, file: URL,
    sources: [Product.Source], libraries: [String: String] = DatabaseBuilder.libraries, _ hash: SHA256Hex,
    _ counts: [String: Int]
  ) throws -> Product {
    let title = part.map { "\(definition.title): \($0)" } ?? definition.title
    return try product(
      "\(definition.name)/\(part ?? definition.id)", title, of: cycle, box: box, file: file, sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: libraries,
        definitionSha256: hash, counts: counts, rowLoss: definition.gates.rowLoss))
  }

  static func product(
    _ id: String, _ title: String, of cycle: AiracCycle, box: GeoBox?, file: URL, sources: [Product.Source],
    build: Product.Build
  ) throws -> Product {
    Product(
      id: id, kind: .database, name: title, cycle: cycle, edition: .day(cycle.effectiveDay),
      effectiveDate: cycle.effective, expirationDate: cycle.expires, boundingBox: box, format: "sqlite",
      files: [try Product.File(id.itemOfID + ".sqlite", "application/vnd.sqlite3", .database, at: file)],
      sources: sources, build: build)
  }
}

extension Product.File {
  /// A file that was built.
  init(_ name: String, _ type: String, _ role: Product.Role, at url: URL) throws {
    let made = try SourceFolder.file(url)
    self.init(path: name, sha256: made.sha256, bytes: made.bytes, mediaType: type, role: role)
  }
}
