internal import Core
internal import TileArchive

/// The header against what is in the file. That the directories can be followed was proved when it was opened.
struct PMTilesStructure: PMTilesRule {
  let name = "pmtiles-structure"
  let protects = "A map view that streams the chart gets each tile in as few requests as the format promises."

  func check(_ archive: ArchiveUnderTest, _ file: PMTilesReader) throws -> [Finding] {
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

  /// Zero says that whoever wrote it did not count.
  private func count(_ what: String, _ told: Int, _ found: Int) -> String? {
    told == 0 || told == found ? nil : "its header states \(told) \(what), but there are \(found)"
  }

  private func zoom(_ which: String, _ told: UInt8, _ found: ZoomSummary?) -> String? {
    guard let found, found.zoom != Int(told) else { return nil }
    return "its header says that \(told) is the \(which) zoom, but the tiles say \(found.zoom)"
  }

  private func root(_ header: PMTilesHeader) -> String? {
    header.root.offset + header.root.count <= PMTilesHeader.firstRequest
      ? nil : "its root directory does not end within the first \(PMTilesHeader.firstRequest) bytes"
  }
}
