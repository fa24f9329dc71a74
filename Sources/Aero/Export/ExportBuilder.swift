public import Core
public import Foundation
internal import SQLiteIO

/// Writes a finished database in another format, so that all formats of a cycle agree.
public enum ExportBuilder {
  /// The versions of the libraries that can change the bytes of an export.
  public static func libraries(of format: ExportDefinition.Format) -> [String: String] {
    let own = DatabaseBuilder.libraries
    return format == .vectortiles ? own.merging(PMTilesWriter.libraries) { own, _ in own } : own
  }

  /// - Parameters:
  ///   - jobs: The number of threads. The bytes do not depend on it.
  ///   - advanced: Called with the parts of the work that are done, and with all.
  ///   - scratch: Returns the path for a file with a given name.
  public static func build(
    _ request: ExportRequest, jobs: Int = 1,
    advanced: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }, scratch: @escaping (String) -> URL
  ) throws -> ExportOutcome {
    do {
      let source = try ExportSource(
        request.export, of: request.base, in: request.database, world: request.world,
        terrain: request.terrain, supplements: request.supplements, jobs: jobs, advanced: advanced)
      // Each call of `scratch` returns another path.
      var urls: [String: URL] = [:]
      func url(_ name: String) -> URL {
        if let url = urls[name] { return url }
        let url = scratch(name)
        urls[name] = url
        return url
      }
      let contents = try write(source, url)
      let files = try contents.files.map { file in
        try Product.File(file.name, file.mediaType, file.role, at: url(file.name))
      }
      return outcome(request, contents, files, source.problems, urls: contents.files.map { url($0.name) })
    } catch let error as SQLiteError {
      throw fault(request, error.isFull ? "the disk is full" : error.message, isFull: error.isFull, error)
    } catch let error as CocoaError {
      throw fault(request, error.fileErrorReason, isFull: error.code == .fileWriteOutOfSpace, error)
    }
  }

  /// Writes the files in the format of the definition, and describes them.
  private static func write(_ source: ExportSource, _ scratch: (String) -> URL) throws -> ExportContents {
    switch source.definition.format {
    case .rzflight: try source.writeRZFlight(scratch)
    case .identifiers: try IdentifierExport.write(source, scratch)
    case .geojson: try source.writeGeoJSON(scratch)
    case .openefb: try source.writeOpenEFB(scratch)
    case .vectortiles: try source.writeVectorTiles(scratch)
    case .obstacles: try ObstacleExport.write(source, scratch)
    }
  }

  private static func outcome(
    _ request: ExportRequest, _ contents: ExportContents, _ files: [Product.File], _ problems: ProblemLog,
    urls: [URL]
  ) -> ExportOutcome {
    let (base, export) = (request.base, request.export)
    let report = contents.problemTotals.isEmpty ? nil : problems.report
    var counts = contents.counts
    for (name, kind) in contents.problemTotals { counts[name] = report?.total(kind) }
    let world = GeoBox(west: -180, south: -90, east: 180, north: 90)
    let product = Product(
      id: request.product, kind: .export, name: export.title, cycle: base.cycle, edition: base.edition,
      effectiveDate: base.effectiveDate, expirationDate: base.expirationDate,
      boundingBox: contents.box ?? (request.world == nil ? base.boundingBox : world),
      minZoom: contents.zooms?.lowerBound, maxZoom: contents.zooms?.upperBound,
      format: export.format.rawValue, files: files, sources: request.sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version,
        libraries: ExportBuilder.libraries(of: export.format), definitionSha256: request.definitionSha256,
        counts: counts))
    let rows = ["airport", "runway", "airspace", "obstacle", "route", "procedure"].compactMap { name in
      counts[name + "s"].map { Counts.of($0, name) }
    }
    let dropped = report.map { ["\(Counts.of($0.droppedRows, "row")) left out"] } ?? []
    return ExportOutcome(
      product: product, files: urls, problems: report, summary: (rows + dropped).joined(separator: ", "))
  }

  private static func fault(
    _ request: ExportRequest, _ problem: String, isFull: Bool, _ cause: any Error
  ) -> UserError {
    UserError(
      .failed, operation: "making \(request.product) of", path: request.database.path, reason: problem,
      suggestion: isFull ? "Free some space, or give another folder with --work." : nil, causes: [cause])
  }
}

/// An export to build from a finished database.
public struct ExportRequest: Sendable {
  public let export: ExportDefinition
  public let definitionSha256: SHA256Hex
  /// `nasr/airports`
  public let product: String
  public let database: URL
  /// The description of the database.
  public let base: Product
  /// OurAirports' data for an export of the whole world.
  public var world: SourceFile?
  /// The heights of the ground, for limits of airspace above it.
  public var terrain: SourceFile?
  /// The files of the definition's supplements, in its order; nil for a table beside the definition.
  public var supplements: [SourceFile?] = []

  /// The sources besides the database.
  public var extras: [SourceFile] { ([world, terrain] + supplements).compactMap(\.self) }

  /// The hashes on which the export depends: those of the database and of the other sources.
  public var inputs: [String] { base.files.prefix(1).map(\.sha256.text) + extras.map(\.ingredient) }

  /// The files from which the export can be rebuilt.
  fileprivate var sources: [Product.Source] { base.sources + extras.map(\.record) }
}

/// A built export: its product, and the scratch files that the product lists, in its order.
public struct ExportOutcome: Sendable {
  public let product: Product
  public let files: [URL]
  /// The values that the format cannot express; nil for a format that can express all.
  public let problems: ProblemReport?
  /// For display: "45,000 airports".
  public let summary: String
}
