internal import ImageIO
internal import TileArchive

/// Each tile as an app would see it.
struct TilesDecode: TileRule {
  let name = "tiles-decode"
  let protects = "No square of the chart stays blank because its image is broken, empty or of the wrong size."

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
        let image = try PNG.decode(data)
        guard image.width == 256, image.height == 256 else {
          return "it has \(image.width) x \(image.height) pixels, not 256 x 256"
        }
        return image.isInvisible ? "it is fully transparent, so it should not be there" : nil
      } catch {
        return "it is no PNG that can be read: \(error)"
      }
    }
  }
}

extension RGBAImage {
  /// Most tiles show something in their first pixels, so this rarely looks at more than those.
  fileprivate var isInvisible: Bool {
    pixels.withUnsafeBufferPointer { bytes in
      stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 0 }
    }
  }
}
