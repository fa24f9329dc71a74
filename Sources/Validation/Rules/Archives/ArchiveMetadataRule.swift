internal import Core
internal import SQLiteIO
internal import TileArchive

/// What the archive says of itself, against the format and against its tiles.
struct ArchiveMetadataRule: ArchiveRule {
  let name = "archive-metadata"
  let protects = "A chart is shown in the right place, at the right zooms, with its name and its source."

  private static let needed = ["name", "format", "bounds", "minzoom", "maxzoom"]
  private static let wanted = ["center", "type", "version", "attribution", "description"]

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    let missing = { (key: String) in archive.metadata[key]?.isEmpty ?? true }
    let message = { (key: String) in "the metadata has no `\(key)`" }
    return ArchiveMetadataRule.needed.filter(missing).map { error(archive.place, message($0)) }
      + ArchiveMetadataRule.wanted.filter(missing).map { warning(archive.place, message($0)) }
      + (try wrong(archive).map { error(archive.place, $0) })
  }

  /// What is there and not true.
  private func wrong(_ archive: ArchiveUnderTest) throws -> [String] {
    guard let first = archive.summary.zooms.first, let last = archive.summary.zooms.last else {
      return ["there is no tile in it"]
    }
    return [
      zoom("minzoom", is: first.zoom, archive), zoom("maxzoom", is: last.zoom, archive),
      bounds(archive), adjustedBounds(archive), try extent(archive, deepest: last.zoom), center(archive),
      type(archive),
      try format(archive),
    ].compactMap(\.self)
  }

  private func zoom(_ key: String, is actual: Int, _ archive: ArchiveUnderTest) -> String? {
    guard let text = archive.metadata[key], text != "\(actual)" else { return nil }
    return "`\(key)` is \(text), but the tiles say \(actual)"
  }

  private func bounds(_ archive: ArchiveUnderTest) -> String? {
    guard let text = archive.metadata["bounds"], archive.extent.bounds == nil else { return nil }
    return "`bounds` is \"\(text)\", not west,south,east,north in degrees"
  }

  /// A reader that knows of it takes it for the truth, so it must be the same place.
  private func adjustedBounds(_ archive: ArchiveUnderTest) -> String? {
    let (key, extent) = (ArchiveMetadata.adjustedBoundsKey, archive.extent)
    guard let text = archive.metadata[key], let bounds = extent.bounds else { return nil }
    let parts = extent.adjusted?.windows ?? []
    let whole = parts.dropFirst().reduce(parts.first) { $0?.union($1) }
    return parts.count == 2 && whole == bounds
      ? nil : "`\(key)` is \"\(text)\", which is no box across 180 degrees that `bounds` could stand for"
  }

  /// The bounds may not promise more than there is: a map view would ask for tiles that do not exist.
  private func extent(_ archive: ArchiveUnderTest, deepest: Int) throws -> String? {
    guard let told = archive.extent.adjusted ?? archive.extent.bounds,
      let tiles = try tiles(of: archive, zoom: deepest),
      !tiles.grown(by: Neatline.tolerance(zoom: deepest)).contains(PlaneBox(mercator: told))
    else { return nil }
    return "`bounds` is larger than what the tiles of zoom \(deepest) cover"
  }

  /// The box around all tiles of the columns that the windows have, those beyond 180 degrees a turn farther east; nil
  /// where there are none.
  private func tiles(of archive: ArchiveUnderTest, zoom: Int) throws -> PlaneBox? {
    guard StoredTile(zoom: zoom, column: 0, tmsRow: 0, data: []).id != nil else { return nil }
    let tiles = try archive.reader.tileIDs().filter { $0.zoom == zoom }
    let boxes = archive.extent.windows.enumerated().flatMap { turn, window in
      let columns = TileRange(zoom: zoom, covering: window).columns
      return tiles.filter { columns.contains($0.column) }.map { PlaneBox(of: $0).turned(by: turn) }
    }
    return boxes.dropFirst().reduce(boxes.first) { $0?.union($1) }
  }

  private func center(_ archive: ArchiveUnderTest) -> String? {
    let windows = archive.extent.windows
    guard let text = archive.metadata["center"], !text.isEmpty, !windows.isEmpty else { return nil }
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 3,
      windows.contains(where: { $0.contains(GeoPoint(longitude: numbers[0], latitude: numbers[1])) }),
      archive.summary.zooms.contains(where: { Double($0.zoom) == numbers[2] })
    else { return "`center` is \"\(text)\", not longitude,latitude,zoom of a place inside" }
    return nil
  }

  private func type(_ archive: ArchiveUnderTest) -> String? {
    guard let type = archive.metadata["type"], !["", "overlay", "baselayer"].contains(type) else {
      return nil
    }
    return "`type` is \"\(type)\", neither overlay nor baselayer"
  }

  /// One tile speaks for all: whether each is an image, and of the same kind, is another rule's question.
  private func format(_ archive: ArchiveUnderTest) throws -> String? {
    guard let format = archive.metadata["format"], !format.isEmpty else { return nil }
    guard let found = ImageKind(try archive.reader.anyTile() ?? []) else { return nil }
    return found.rawValue == format ? nil : "`format` is \(format), but the tiles are \(found.rawValue)"
  }
}
