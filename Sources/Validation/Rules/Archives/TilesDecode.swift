internal import ImageIO
internal import TileArchive

/// Each tile as an app would see it.
struct TilesDecode: TileRule {
  let name = "tiles-decode"
  let protects = "No square of the chart stays blank because its image is broken, empty or of the wrong size."

  /// Far more than a tile may have, so that the usual wrong sizes are told, and far less than fills the memory.
  private static let sideLimit: UInt32 = 2048

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor { Visitor(rule: self, archive: archive) }

  private struct Visitor: TileVisitor {
    let rule: TilesDecode
    let archive: ArchiveUnderTest
    var findings: [Finding] = []

    mutating func visit(_ tile: StoredTile) {
      guard let problem = problem(tile.data) else { return }
      findings.append(rule.error(archive.place(of: tile), problem))
    }

    func finish() -> [Finding] { findings }

    private func problem(_ data: [UInt8]) -> String? {
      do {
        let image = try PNG.decode(data, sideLimit: TilesDecode.sideLimit)
        guard image.width == 256, image.height == 256 else {
          return "it has \(image.width) x \(image.height) pixels, not 256 x 256"
        }
        return image.isTransparent ? "it is fully transparent, so it should not be there" : nil
      } catch {
        return "it is no PNG that can be read: \(error)"
      }
    }
  }
}
