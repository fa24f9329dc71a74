internal import ArchiveIO
public import Core
public import CryptoIO
public import Fetch
public import Foundation
public import Pipeline
internal import SQLiteIO

/// Makes another form of a finished database, so that all forms of a cycle agree.
public enum ExportBuilder {
  /// The versions that can change a byte of an export.
  public static var libraries: [String: String] { DatabaseBuilder.libraries }

  /// - Parameter scratch: gives the place at which a file of some name is to be made.
  public static func build(
    _ request: ExportRequest, scratch: @escaping (String) -> URL
  ) throws -> ExportOutcome {
    do {
      let database = try SQLiteConnection(request.database.path, mode: .readOnly)
      let problems = ProblemLog()
      let world = try request.world.map { try WorldFile($0, problems) }
      var making = Making(
        request: request, database: database, world: world, log: problems, scratch: scratch)
      switch request.export.format {
      case .rzflight: try making.rzflight()
      case .identifiers: try making.identifiers()
      case .geojson: try making.geoJSON()
      case .openefb: try making.openEFB()
      }
      return making.outcome
    } catch let error as SQLiteError {
      throw fault(request, error.isFull ? "the disk is full" : error.message, isFull: error.isFull, error)
    } catch let error as CocoaError {
      throw fault(request, error.fileErrorReason, isFull: error.code == .fileWriteOutOfSpace, error)
    }
  }

  private static func fault(
    _ request: ExportRequest, _ problem: String, isFull: Bool, _ cause: any Error
  ) -> UserError {
    UserError(
      .failed, operation: "making \(request.product) of", path: request.database.path, reason: problem,
      suggestion: isFull ? "Free some space, or give another folder with --work." : nil, causes: [cause])
  }
}

/// One export under way.
private struct Making {
  let request: ExportRequest
  let database: SQLiteConnection
  let world: WorldFile?
  /// The problems of OurAirports' data and of the export itself.
  let log: ProblemLog
  let scratch: (String) -> URL
  private var files: [(url: URL, file: Product.File)] = []
  private var counts: [String: Int] = [:]
  /// Around the airports, where the definition selects some.
  private var selectedBox: GeoBox?
  /// What could not be expressed in the other form.
  private var problems: ProblemReport?

  init(
    request: ExportRequest, database: SQLiteConnection, world: WorldFile?, log: ProblemLog,
    scratch: @escaping (String) -> URL
  ) {
    self.request = request
    self.database = database
    self.world = world
    self.log = log
    self.scratch = scratch
  }

  /// What a file says of itself.
  private var head: [(String, String)] {
    [
      ("cycle", request.base.cycle), ("effective", request.base.effectiveDate),
      ("expires", request.base.expirationDate),
    ]
  }

  mutating func rzflight() throws {
    let name = request.export.id + ".db"
    let file = scratch(name)
    let export = RZFlightExport(
      database: database, world: world, selection: AirportSelection(request.export),
      effective: request.base.effectiveDate, metadata: Dictionary(uniqueKeysWithValues: head), problems: log)
    (counts, selectedBox) = try export.write(to: file)
    report(["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
    try add(file, name, "application/vnd.sqlite3", role: "database")
  }

  mutating func identifiers() throws {
    let names = ["sqlite", "json"].map { "\(request.export.id).\($0)" }
    let urls = names.map(scratch)
    let export = IdentifierExport(database: database, world: world, head: head)
    counts["airports"] = try export.write(database: urls[0], json: urls[1])
    report(["droppedRows": .rowDropped, "droppedFields": .fieldDropped])
    try add(urls[0], names[0], "application/vnd.sqlite3", role: "database")
    try add(urls[1], names[1], "application/json", role: "json")
  }

  mutating func geoJSON() throws {
    let export = GeoJSONExport(database: database, head: head)
    for layer in try export.filledLayers() {
      let name = layer.table + ".geojson"
      let file = scratch(name)
      counts[layer.table] = try export.write(layer, to: file)
      try add(file, name, "application/geo+json", role: layer.table)
    }
  }

  mutating func openEFB() throws {
    let name = request.export.id + ".sqlite"
    let file = scratch(name)
    let export = OpenEFBExport(database: database, head: head, problems: log)
    counts = try export.write(to: file)
    try add(file, name, "application/vnd.sqlite3", role: "database")
    report(["droppedRows": .rowDropped, "mappedValues": .valueMapped])
  }

  /// Keeps the problems of the export, with their totals in the counts of the product.
  private mutating func report(_ totals: [String: RecordProblem.Kind]) {
    let report = log.report
    for (name, kind) in totals { counts[name] = report.total(kind) }
    problems = report
  }

  private mutating func add(_ url: URL, _ name: String, _ mediaType: String, role: String) throws {
    let made = try SourceFolder.file(url)
    let file = Product.File(
      path: name, sha256: made.sha256, bytes: made.bytes, mediaType: mediaType, role: role)
    files.append((url, file))
  }

  var outcome: ExportOutcome {
    let (base, export) = (request.base, request.export)
    let product = Product(
      id: request.product, kind: .export, name: export.title, cycle: base.cycle, edition: base.edition,
      effectiveDate: base.effectiveDate, expirationDate: base.expirationDate,
      boundingBox: selectedBox
        ?? (world == nil ? base.boundingBox : GeoBox(west: -180, south: -90, east: 180, north: 90)),
      minZoom: nil, maxZoom: nil, format: export.format.rawValue, files: files.map(\.file),
      sources: request.sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: ExportBuilder.libraries,
        definitionSha256: request.definitionSha256, counts: counts))
    let rows = ["airports", "runways", "airspaces", "obstacles"].compactMap { name in
      counts[name].map { "\(Counts.grouped($0)) \(name)" }
    }
    let leftOut = problems.map { ["\(Counts.of($0.droppedRows, "row")) left out"] } ?? []
    return ExportOutcome(
      product: product, files: files.map(\.url), problems: problems,
      summary: (rows + leftOut).joined(separator: ", "))
  }
}

/// What is to be made of a finished database.
public struct ExportRequest: Sendable {
  public let export: ExportDefinition
  public let definitionSha256: SHA256Hex
  /// `nasr/airports`
  public let product: String
  public let database: URL
  /// What the database is.
  public let base: Product
  /// OurAirports' data, where the world is wanted too.
  public let world: SourceFile?
  public let cycle: AiracCycle

  public init(
    export: ExportDefinition, definitionSha256: SHA256Hex, product: String, database: URL, of base: Product,
    world: SourceFile?, cycle: AiracCycle
  ) {
    self.export = export
    self.definitionSha256 = definitionSha256
    self.product = product
    self.database = database
    self.base = base
    self.world = world
    self.cycle = cycle
  }

  /// What decides what is made: the database's own bytes, and what is added to them.
  public var inputs: [SHA256Hex] { base.files.prefix(1).map(\.sha256) + [world].compactMap { $0?.sha256 } }

  /// The files that others would need to make it: the database's own, and what is added to them.
  var sources: [Product.Source] { base.sources + [world].compactMap { $0?.record } }
}

/// What was made: a product, and the scratch files that it lists, in its order.
public struct ExportOutcome: Sendable {
  public let product: Product
  public let files: [URL]
  /// What the form cannot express; nil of a form that can express all that it is asked for.
  public let problems: ProblemReport?
  /// For people: "45,000 airports".
  public let summary: String
}
