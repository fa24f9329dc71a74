internal import Foundation

/// Checks that each vector tile can be decoded, and that its layers are those that the archive lists.
struct VectorTilesDecode: Rule {
  let name = "vector-tiles-decode"
  let protects = "A map view shows every vector tile, and a style finds every layer that the archive lists."

  func check(_ archive: ArchiveUnderTest) -> Visitor {
    Visitor(rule: self, archive: archive, listed: VectorLayerList(archive.metadata).map { Set($0.ids) })
  }

  struct Visitor: RuleOutcome {
    let rule: VectorTilesDecode
    let archive: ArchiveUnderTest
    /// Nil where the archive lists none.
    let listed: Set<String>?
    var findings: [Finding] = []

    mutating func visit(_ tile: DecodedTile) {
      findings += problems(tile).map { rule.error(archive.place(of: tile.stored), $0) }
    }

    func finish() -> RuleResult { RuleResult(findings) }

    private func problems(_ tile: DecodedTile) -> [String] {
      if tile.isGzipped != archive.expectsGzip {
        return [
          archive.expectsGzip
            ? "it is not compressed with gzip" : "it is compressed, although the header says none"
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

/// The layers in the row `json` of an archive of vector tiles.
struct VectorLayerList: Decodable {
  private struct Layer: Decodable { let id: String }

  private let layers: [Layer]
  private enum CodingKeys: String, CodingKey { case layers = "vector_layers" }

  var ids: [String] { layers.map(\.id) }

  /// Nil where the row is missing or lists no layers.
  init?(_ metadata: [String: String]) {
    guard let row = metadata["json"],
      let list = try? JSONDecoder().decode(VectorLayerList.self, from: Data(row.utf8))
    else { return nil }
    self = list
  }
}

extension ArchiveUnderTest {
  /// MBTiles requires gzip; PMTiles states the compression in its header.
  fileprivate var expectsGzip: Bool {
    guard case .pmtiles(let file) = storage else { return true }
    return file.header.tileCompression != .none
  }
}
