internal import Core
internal import Foundation
internal import HTTPIO
internal import RasterIO
internal import SQLiteIO

/// Builds the files of a snapshot of the TFRs.
struct TFRBuilder {
  static let fileNames = (map: "tfr.geojson", database: "tfr.sqlite", app: "openefb-tfrs.json")

  static var libraries: [String: String] {
    let own = ["sqlite": SQLiteConnection.libraryVersion, "gdal": gdalVersion(), "geos": geosVersion()]
    return own.merging(SystemLibraries.versions) { own, _ in own }
  }

  private let directory: TFRDirectory
  private(set) var counts: [String: Int]
  var newest: Instant { directory.newest }

  /// - Parameters:
  ///   - list: the file with the list, which is required.
  ///   - others: the other files of the folder.
  init(list: SourceFile, others: [SourceFile], terrain: SourceFile?) throws {
    let files = Dictionary(try others.map { ($0.name, try Data(contentsOf: $0.url)) }) { first, _ in first }
    do {
      directory = try TFRDirectory(
        list: TFRList(Data(contentsOf: list.url)),
        noShapes: try? files[TFRSource.noShapes].map { try TFRList($0) },
        features: try? files[TFRSource.features].map { try TFRFeatures($0) }, details: files,
        terrain: terrain.map { try Terrain($0.url) })
    } catch let error as HTTPError {
      throw UserError.fetching(error, at: list.url.path)
    }
    counts = directory.counts
  }

  /// The box around all areas; nil without areas.
  var box: GeoBox? {
    directory.notices.flatMap(\.areas).compactMap { $0.shape?.map.box }
      .map { GeoBox(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
      .reduce(nil) { box, next in box?.union(next) ?? next }
  }

  /// Writes all files. Their bytes depend on the sources alone.
  mutating func write(_ scratch: (String) -> URL) throws {
    let names = TFRBuilder.fileNames
    let elements = try directory.notices.flatMap { $0.forApp(around: newest) }.map {
      try CanonicalJSON.line($0)
    }
    counts["appElements"] = elements.count
    let lines = elements.map { Data("\n".utf8) + $0 }.joined(separator: Data(",".utf8))
    try (Data("[".utf8) + lines + Data("\n]\n".utf8)).write(to: scratch(names.app))
    var metadata = counts.reduce(into: [:]) { $0["counts." + $1.key] = String($1.value) }
    metadata["newest_change"] = newest.description
    metadata["disclaimer"] = "Made from the FAA's list of TFRs, which change at any time. \(Metadata.warning)"
    (metadata["tool"], metadata["version"]) = (ToolVersion.tool, ToolVersion.version)
    counts["appAirspaces"] = try TFRTables.write(directory, metadata, to: scratch(names.database))
    try TFRTables.writeMap(of: scratch(names.database), to: scratch(names.map))
  }
}
