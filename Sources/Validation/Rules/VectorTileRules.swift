internal import Core
internal import Foundation
internal import TileArchive

/// Checks that each tile is a vector tile with layers that the metadata lists.
struct VectorTilesDecode: Rule {
  let name = "vector-tiles-decode"
  let protects = "A map shows every square of the vector tiles, and a style finds every layer."

  func check(_ archive: ArchiveUnderTest) -> Visitor {
    Visitor(rule: self, archive: archive, layers: VectorTilesDecode.layers(archive.metadata))
  }

  struct Visitor: RuleOutcome {
    let rule: VectorTilesDecode
    let archive: ArchiveUnderTest
    /// The listed layers with their zooms.
    let layers: [VectorLayer]
    var present: Set<TileID> = []
    var findings: [Finding] = []

    mutating func visit(_ tile: DecodedTile) {
      findings += problems(tile.stored).map { rule.error(archive.place(of: tile.stored), $0) }
    }

    func finish() -> RuleResult {
      let missing = layers.isEmpty ? [rule.error(archive.place, "the metadata lists no `vector_layers`")] : []
      return RuleResult(missing + findings)
    }

    private mutating func problems(_ stored: StoredTile) -> [String] {
      guard let id = stored.id else { return ["no such tile exists"] }
      guard present.insert(id).inserted else { return ["the archive has it twice"] }
      do {
        let tile = try VectorTile(stored: stored.data)
        return tile.layers.isEmpty ? ["it has no layer, so it should not exist"] : problems(tile, id)
      } catch {
        return ["it is not a readable vector tile: \(error)"]
      }
    }

    private func problems(_ tile: VectorTile, _ id: TileID) -> [String] {
      let names = tile.layers.map(\.name)
      let unlisted = names.filter { name in
        !layers.contains { $0.id == name && $0.minZoom <= id.zoom && id.zoom <= $0.maxZoom }
      }
      return unlisted.map { "`vector_layers` does not list the layer \($0) at this zoom" }
    }
  }

  private static func layers(_ metadata: [String: String]) -> [VectorLayer] {
    struct Members: Decodable {
      let vector_layers: [VectorLayer]
    }
    let members = metadata["json"].flatMap { try? JSONDecoder().decode(Members.self, from: Data($0.utf8)) }
    return members?.vector_layers ?? []
  }
}
