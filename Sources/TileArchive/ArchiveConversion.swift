internal import Core
public import Foundation
internal import Pipeline

/// The tiles and words of one archive in the other format.
public enum ArchiveConversion {
  /// Writes a new file; the caller moves it to its name.
  public static func write(
    _ source: any TileSource, as kind: ArchiveKind, to scratch: URL,
    advanced: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ArchiveSummary {
    guard PatchSpan(metadata: try source.metadata()) == nil else { throw UserError.isPatch(source.url) }
    return switch kind {
    case .pmtiles: try PMTilesWriter.write(source, to: scratch, advanced: advanced)
    case .mbtiles: try writeMBTiles(source, to: scratch, advanced)
    }
  }

  private static func writeMBTiles(
    _ source: any TileSource, to scratch: URL, _ advanced: (Int, Int) throws -> Void
  ) throws -> ArchiveSummary {
    let summary = try source.summary()
    let metadata = try ArchiveMetadata(rows: source.metadata(), of: source.url, zooms: summary.zooms)
    let writer = try MBTilesWriter(creating: scratch)
    var done = 0
    try source.forEachTile { tile in
      try writer.add(tile)
      done += 1
      if done.isMultiple(of: 256) { try advanced(done, summary.tiles) }
    }
    return try writer.finish(metadata)
  }
}

extension ArchiveMetadata {
  /// From another archive's rows; what it does not say of itself stays empty.
  fileprivate init(rows: [String: String], of url: URL, zooms: [ZoomSummary]) throws {
    guard let first = zooms.first, let last = zooms.last else {
      throw UserError.reading(url, "there is no tile in it")
    }
    guard let bounds = rows["bounds"].flatMap({ GeoBox(metadata: $0) }) else {
      throw UserError.reading(url, "its bounds are no box on the earth")
    }
    self.init(
      name: rows["name"] ?? url.deletingPathExtension().lastPathComponent, format: rows["format"] ?? "",
      bounds: bounds, adjustedBounds: GeoBox(adjustedIn: rows), minZoom: first.zoom, maxZoom: last.zoom,
      attribution: rows["attribution"] ?? "",
      description: rows["description"] ?? "", version: rows["version"] ?? "",
      type: rows["type"] ?? "overlay", extra: rows)
  }
}
