internal import ImageIO
internal import TileArchive

/// Each tile as an app would see it.
struct TilesDecode: TileRule {
  let name = "tiles-decode"
  let protects = "No square of the chart stays blank because its image is broken, empty or of the wrong size."

  private static let sides = [256, 512]

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor { Visitor(rule: self, archive: archive) }

  private struct Visitor: TileVisitor {
    let rule: TilesDecode
    let archive: ArchiveUnderTest
    var findings: [Finding] = []
    /// Of the first tile that could be right: all others must have them too.
    var kind: ImageKind?
    var side: Int?

    mutating func visit(_ tile: SeenTile) {
      guard let problem = problem(tile) else { return }
      findings.append(rule.error(archive.place(of: tile.stored), problem))
    }

    func finish() -> [Finding] { findings }

    private mutating func problem(_ tile: SeenTile) -> String? {
      switch tile.survey {
      case .success(let image):
        return wrongKind(tile.kind) ?? wrongSize(image)
          ?? (image.isTransparent ? "it is fully transparent, so it should not be there" : nil)
      case .failure(let error):
        return "it is no PNG or WebP that can be read: \(error)"
      }
    }

    private mutating func wrongKind(_ found: ImageKind?) -> String? {
      let expected = kind ?? found
      kind = expected
      guard let found, let expected, found != expected else { return nil }
      return "it is \(found.rawValue), but others of the archive are \(expected.rawValue)"
    }

    private mutating func wrongSize(_ image: TileSurvey) -> String? {
      let size = "it has \(image.width) x \(image.height) pixels"
      guard image.width == image.height, TilesDecode.sides.contains(image.width) else {
        return "\(size), neither 256 x 256 nor 512 x 512"
      }
      let expected = side ?? image.width
      side = expected
      return image.width == expected
        ? nil : "\(size), but others of the archive have \(expected) x \(expected)"
    }
  }
}
