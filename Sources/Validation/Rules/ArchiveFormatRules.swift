internal import Core
internal import SQLiteIO

/// Runs SQLite's integrity check, and finds tiles without an image.
struct ArchiveIntegrity: Rule {
  let name = "archive-integrity"
  let protects = "A chart never stops opening because a page of its file was damaged."

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    guard case .mbtiles(let database) = archive.storage else { return [] }
    let damage = try database.damage().map { error(archive.place, $0) }
    return damage.isEmpty ? try imageless(archive, database) : damage
  }

  /// The view `tiles` joins two tables, so it omits a tile whose image is missing.
  private func imageless(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    let isShared = try database.numbers(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('map', 'images')")
    guard isShared == [2] else { return [] }
    return try database.prepare(
      """
      SELECT zoom_level, tile_column, tile_row FROM map
      WHERE NOT EXISTS (SELECT 1 FROM images WHERE images.tile_id = map.tile_id) ORDER BY 1, 2, 3
      """
    ).map {
      error(
        archive.place(of: StoredTile(zoom: $0.int(0), column: $0.int(1), tmsRow: $0.int(2), data: [])),
        "its image is not in the archive")
    }
  }
}

/// Checks the tables, columns, index and application id that readers of MBTiles rely on.
struct ArchiveSchema: Rule {
  let name = "archive-schema"
  let protects = "Every map view that reads MBTiles can open the chart, and finds a tile without a search."

  /// "MPBX"
  private static let applicationID = 0x4d50_4258
  private static let address = ["zoom_level", "tile_column", "tile_row"]

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    guard case .mbtiles(let database) = archive.storage else { return [] }
    var findings = try missingColumns(archive, database)
    if let index = try missingIndex(archive, database) { findings.append(index) }
    if try database.numbers("PRAGMA application_id") != [ArchiveSchema.applicationID] {
      findings.append(error(archive.place, "its application_id is not 0x4d504258, which marks MBTiles"))
    }
    if database.isInLogMode {
      findings.append(
        error(archive.place, "it is in WAL mode, so it cannot be read from a write-protected folder"))
    }
    return findings
  }

  private func missingColumns(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    let needed = ["tiles": ArchiveSchema.address + ["tile_data"], "metadata": ["name", "value"]]
    return try needed.sorted { $0.key < $1.key }.flatMap { table, columns in
      let found = try database.columns(of: table)
      return columns.filter { !found.contains($0) }.map {
        error(archive.place, "`\(table)` has no column `\($0)`")
      }
    }
  }

  /// The index belongs to the table beneath the view.
  private func missingIndex(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> Finding? {
    let isTable = try database.numbers(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'tiles'")
    let table = isTable == [1] ? "tiles" : "map"
    let unique = try database.texts("SELECT name FROM pragma_index_list('\(table)') WHERE \"unique\"")
    let serves = try unique.contains { index in
      let columns = try database.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
        .map([.text(index)]) { $0.text(0) ?? "" }
      return columns == ArchiveSchema.address
    }
    return serves
      ? nil : error(archive.place, "`\(table)` has no unique index on zoom_level, tile_column, tile_row")
  }
}

/// Compares the header with the contents of the file. Opening the file has verified its directories.
struct PMTilesStructure: Rule {
  let name = "pmtiles-structure"
  let protects = "A map view that streams the chart gets each tile in as few requests as the format promises."

  func check(_ archive: ArchiveUnderTest) throws -> [Finding] {
    guard case .pmtiles(let file) = archive.storage else { return [] }
    let header = file.header
    let counts = file.counts
    let problems = [
      count("addressed tiles", header.addressedTiles, counts.addressedTiles),
      count("entries", header.entries, counts.entries),
      count("contents", header.contents, counts.contents),
      zoom("smallest", header.minZoom, archive.summary.zooms.first),
      zoom("largest", header.maxZoom, archive.summary.zooms.last),
      root(header), file.isClustered ? nil : "its tiles do not lie in the order of their numbers",
      header.isClustered ? nil : "its header does not say that it is clustered",
      header.southWest.longitude < header.northEast.longitude
        && header.southWest.latitude < header.northEast.latitude
        ? nil : "the bounds in its header are no box",
    ]
    return problems.compactMap(\.self).map { error(archive.place, $0) }
  }

  /// Zero means that the writer did not count.
  private func count(_ what: String, _ stated: Int, _ found: Int) -> String? {
    stated == 0 || stated == found ? nil : "its header states \(stated) \(what), but there are \(found)"
  }

  private func zoom(_ which: String, _ stated: UInt8, _ found: ZoomSummary?) -> String? {
    guard let found, found.zoom != Int(stated) else { return nil }
    return "its header says that \(stated) is the \(which) zoom, but the tiles say \(found.zoom)"
  }

  private func root(_ header: PMTilesHeader) -> String? {
    header.root.offset + header.root.count <= PMTilesHeader.firstRequest
      ? nil : "its root directory does not end within the first \(PMTilesHeader.firstRequest) bytes"
  }
}

/// Compares an archive's metadata with the format and with its tiles.
struct ArchiveMetadataRule: Rule {
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

  /// Entries that are present but wrong.
  private func wrong(_ archive: ArchiveUnderTest) throws -> [String] {
    guard let first = archive.summary.zooms.first, let last = archive.summary.zooms.last else {
      return ["there is no tile in it"]
    }
    return [
      zoom("minzoom", is: first.zoom, archive), zoom("maxzoom", is: last.zoom, archive),
      bounds(archive), adjustedBounds(archive), try extent(archive, deepest: last.zoom), center(archive),
      type(archive),
      try format(archive), layers(archive),
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

  /// Readers that know this key use it instead of `bounds`, so both must give the same area.
  private func adjustedBounds(_ archive: ArchiveUnderTest) -> String? {
    let (key, extent) = (ArchiveMetadata.adjustedBoundsKey, archive.extent)
    guard let text = archive.metadata[key], let bounds = extent.bounds else { return nil }
    let parts = extent.adjusted?.windows ?? []
    let whole = parts.dropFirst().reduce(parts.first) { $0?.union($1) }
    return parts.count == 2 && whole == bounds
      ? nil : "`\(key)` is \"\(text)\", which is not a box across 180 degrees that matches `bounds`"
  }

  /// Bounds beyond the tiles would make a map view request tiles that do not exist. Those of an image include its transparent parts.
  private func extent(_ archive: ArchiveUnderTest, deepest: Int) throws -> String? {
    let deepest = archive.neatline?.commonZoom ?? deepest
    guard !archive.isPartial, let stated = archive.extent.adjusted ?? archive.extent.bounds,
      let tiles = try tiles(of: archive, zoom: deepest),
      !tiles.grown(by: MercatorNeatline.tolerance(zoom: deepest)).contains(PlaneBox(mercator: stated))
    else { return nil }
    return "`bounds` is larger than what the tiles of zoom \(deepest) cover"
  }

  /// The box around all tiles in the columns of the windows, those beyond 180 degrees one turn farther east; nil where there are
  /// none.
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
    let type = archive.metadata["type"] ?? ""
    return ["", "overlay", "baselayer"].contains(type)
      ? nil : "`type` is \"\(type)\", neither overlay nor baselayer"
  }

  /// Looks at one tile: `tiles-decode` checks that all are images of the same kind.
  private func format(_ archive: ArchiveUnderTest) throws -> String? {
    guard let format = archive.metadata["format"], !format.isEmpty else { return nil }
    guard TileEncoding(row: format) != nil else { return "`format` is \(format), not \(TileEncoding.list)" }
    guard let found = TileEncoding(of: try archive.reader.anyTile() ?? []) else { return nil }
    return found.rawValue == format ? nil : "`format` is \(format), but the tiles are \(found.rawValue)"
  }

  private func layers(_ archive: ArchiveUnderTest) -> String? {
    guard archive.encoding?.isVector == true, archive.listedLayers == nil else { return nil }
    return archive.metadata["json"] == nil
      ? "the metadata has no `json`, which lists the layers of vector tiles"
      : "`json` is not an object with `vector_layers`"
  }
}

/// Checks the edition in an archive's metadata, which is all that a copy without its description has.
struct ArchiveEdition: Rule {
  let name = "archive-edition"
  let protects = "A chart that was copied without its description still has the right expiry date."

  func check(_ archive: ArchiveUnderTest) -> [Finding] {
    (dates(archive) + [source(archive)].compactMap(\.self)).map { error(archive.place, $0) }
  }

  private func dates(_ archive: ArchiveUnderTest) -> [String] {
    let keys = ["cycle", "effective", "expires"].map { "chartpipe:\($0)" }
    let stated = keys.compactMap { archive.metadata[$0] }
    if stated.isEmpty { return [] }  // made by another program
    guard stated.count == keys.count else {
      return keys.filter { archive.metadata[$0] == nil }.map { "the metadata has no `\($0)`" }
    }
    guard let cycle = AiracCycle(identifier: stated[0]) else {
      return ["`\(keys[0])` is \(stated[0]), which is not in the calendar"]
    }
    let editions = Schedule.cadences.map(cycle.edition).filter { $0.effective.description == stated[1] }
    guard let edition = editions.first else {
      return [
        "`\(keys[1])` is \(stated[1]), but no edition that is in force in cycle \(cycle.dated) took effect then"
      ]
    }
    let ends = editions.map(\.expires.description)
    let version = archive.metadata["version"] ?? ""
    return [
      ends.contains(stated[2])
        ? nil : "`\(keys[2])` is \(stated[2]), but this edition ends at \(ends.joined(separator: " or "))",
      ["", edition.id].contains(version)
        ? nil : "`version` is \(version), but the edition is \(edition.id)",
    ].compactMap(\.self)
  }

  /// A mosaic has several, separated by commas.
  private func source(_ archive: ArchiveUnderTest) -> String? {
    let key = "chartpipe:source_sha256"
    guard let stated = archive.metadata[key] else { return nil }
    let parts = stated.split(separator: ",", omittingEmptySubsequences: false)
    return parts.allSatisfy { SHA256Hex(String($0)) != nil }
      ? nil : "`\(key)` is \"\(stated.prefix(80))\", which is not a SHA-256"
  }
}
