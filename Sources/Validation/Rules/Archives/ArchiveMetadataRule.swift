internal import Geo
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
      bounds(archive), extent(archive, deepest: last), center(archive), type(archive),
      try format(archive),
    ].compactMap(\.self)
  }

  private func zoom(_ key: String, is actual: Int, _ archive: ArchiveUnderTest) -> String? {
    guard let text = archive.metadata[key], text != "\(actual)" else { return nil }
    return "`\(key)` is \(text), but the tiles say \(actual)"
  }

  private func bounds(_ archive: ArchiveUnderTest) -> String? {
    guard let text = archive.metadata["bounds"], GeoBox(metadata: text) == nil else { return nil }
    return "`bounds` is \"\(text)\", not west,south,east,north in degrees"
  }

  /// The bounds may not promise more than there is: a map view would ask for tiles that do not exist.
  private func extent(_ archive: ArchiveUnderTest, deepest: ZoomSummary) -> String? {
    guard let bounds = archive.metadata["bounds"].flatMap({ GeoBox(metadata: $0) }),
      let first = tile(deepest.zoom, deepest.columns.first, deepest.rows.first),
      let last = tile(deepest.zoom, deepest.columns.last, deepest.rows.last)
    else { return nil }
    let tiles = MercatorBox(of: first).union(MercatorBox(of: last))
    let isCovered = tiles.grown(by: Neatline.tolerance(zoom: deepest.zoom)).contains(MercatorBox(bounds))
    return isCovered ? nil : "`bounds` is larger than what the tiles of zoom \(deepest.zoom) cover"
  }

  /// Nil where the numbers name no tile.
  private func tile(_ zoom: Int, _ column: Int, _ row: Int) -> TileID? {
    // Which way rows are counted makes no difference to whether there is such a tile.
    let isThere = StoredTile(zoom: zoom, column: column, tmsRow: row, data: []).id != nil
    return isThere ? TileID(zoom: zoom, column: column, row: row) : nil
  }

  private func center(_ archive: ArchiveUnderTest) -> String? {
    guard let text = archive.metadata["center"], !text.isEmpty,
      let bounds = archive.metadata["bounds"].flatMap({ GeoBox(metadata: $0) })
    else { return nil }
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 3, bounds.contains(GeoPoint(longitude: numbers[0], latitude: numbers[1])),
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
