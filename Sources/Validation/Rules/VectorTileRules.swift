internal import Foundation

/// Checks that each vector tile can be decoded, and that its layers are those that the archive lists.
struct VectorTilesDecode: Rule {
  let name = "vector-tiles-decode"
  let protects = "A map view shows every vector tile, and a style finds every layer that the archive lists."

  func check(_ archive: ArchiveUnderTest) -> TileFindings {
    let (listed, expectsGzip) = (archive.listedLayers, archive.expectsGzip)
    return TileFindings(self, archive) { tile in
      if tile.isGzipped != expectsGzip {
        return [
          expectsGzip ? "it is not compressed with gzip" : "it is compressed, although the header says none"
        ]
      }
      switch tile.vector {
      case nil: return []
      case .failure(let error)?: return ["it is not a readable vector tile: \(error)"]
      case .success(let vector)?:
        guard !vector.layers.isEmpty else { return ["it has no layer, so it should not exist"] }
        return vector.layers.map(\.name).filter { listed?.contains($0) == false }.sorted()
          .map { "its layer \"\($0)\" is not in `vector_layers`" }
      }
    }
  }
}

extension ArchiveUnderTest {
  /// The layers in the row `json` of an archive of vector tiles; nil where the row is missing or lists no layers.
  var listedLayers: Set<String>? {
    let json = metadata["json"].flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
    guard let layers = (json as? [String: Any])?["vector_layers"] as? [[String: Any]] else { return nil }
    let ids = layers.compactMap { $0["id"] as? String }
    return ids.count == layers.count ? Set(ids) : nil
  }

  /// MBTiles requires gzip; PMTiles states the compression in its header.
  fileprivate var expectsGzip: Bool {
    guard case .pmtiles(let file) = storage else { return true }
    return file.header.tileCompression != .none
  }
}
