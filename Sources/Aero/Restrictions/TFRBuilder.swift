internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// The sources of a snapshot of the TFRs.
struct TFRRequest {
  var list: SourceFile
  var noShapes: SourceFile?
  var features: SourceFile?
  var details: [TFRNumber: SourceFile] = [:]
  var terrain: SourceFile?

  /// The NOTAMs that any source but the files about single ones names.
  var numbers: [TFRNumber] {
    get throws {
      let lists = [list, noShapes].compactMap { file in
        file.flatMap { try? Data(contentsOf: $0.url) }.flatMap { try? TFRList($0) }
      }
      let drawn = features.flatMap { try? Data(contentsOf: $0.url) }.flatMap { try? TFRFeatures($0) }
      return lists.flatMap { $0.entries.map(\.number) } + (drawn?.notices.map(\.entry.number) ?? [])
    }
  }

  /// All but the terrain.
  var sources: [SourceFile] {
    [list, noShapes, features].compactMap(\.self) + details.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// Builds the files of a snapshot.
struct TFRBuilder {
  static let fileNames = (map: "tfr.geojson", database: "tfr.sqlite", app: "openefb-tfrs.json")
  static let warning = "TFRs can change at any time. Not for navigation: check the NOTAMs before each flight."

  static var libraries: [String: String] {
    let own = ["sqlite": SQLiteConnection.libraryVersion, "gdal": gdalVersion(), "geos": geosVersion()]
    return own.merging(SystemLibraries.versions) { own, _ in own }
  }

  private(set) var directory: TFRDirectory
  private(set) var counts: [String: Int]

  init(_ request: TFRRequest) throws {
    func data(_ file: SourceFile?) throws -> Data? { try file.map { try Data(contentsOf: $0.url) } }
    do {
      directory = try TFRDirectory(
        list: TFRList(Data(contentsOf: request.list.url)),
        noShapes: try? data(request.noShapes).map { try TFRList($0) },
        features: try? data(request.features).map { try TFRFeatures($0) },
        details: request.details.mapValues { try Data(contentsOf: $0.url) },
        terrain: request.terrain.map { try Terrain($0.url) })
    } catch let defect as TFRDefect {
      throw UserError(
        .badInput, operation: "reading the list of TFRs", path: request.list.url.path,
        reason: defect.description,
        suggestion: "Get it again from https://tfr.faa.gov/tfrapi/getTfrList.")
    }
    counts = directory.counts
  }

  var newest: Instant { directory.newest }

  /// The box around all areas; nil without areas.
  var box: GeoBox? {
    directory.notices.flatMap(\.areas).compactMap { $0.shape?.map.box }
      .map { GeoBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
      .reduce(nil) { box, next in box?.union(next) ?? next }
  }

  /// Writes all files. Their bytes depend on the sources alone.
  mutating func write(_ scratch: (String) -> URL) throws {
    let names = TFRBuilder.fileNames
    let elements = directory.notices.flatMap { $0.forApp(around: newest) }
    counts["appElements"] = elements.count
    try TFRBuilder.write(elements.map { try CanonicalJSON.line($0) }, "[", "]", to: scratch(names.app))
    let features = try directory.notices.flatMap { try $0.features() }
    try TFRBuilder.write(features, #"{"type":"FeatureCollection","features":["#, "]}", to: scratch(names.map))
    var metadata = counts.reduce(into: [:]) { $0["counts." + $1.key] = String($1.value) }
    metadata["newest_change"] = newest.description
    metadata["disclaimer"] = "Made from the FAA's public list of TFRs. \(TFRBuilder.warning)"
    (metadata["tool"], metadata["version"]) = (ToolVersion.tool, ToolVersion.version)
    counts["appAirspaces"] = try TFRTables.write(directory, metadata, to: scratch(names.database))
  }

  /// Writes a JSON array with one element a line.
  private static func write(_ lines: [Data], _ head: String, _ end: String, to file: URL) throws {
    let body = lines.map { Data("\n".utf8) + $0 }.joined(separator: Data(",".utf8))
    try (Data(head.utf8) + body + Data("\n\(end)\n".utf8)).write(to: file)
  }
}
