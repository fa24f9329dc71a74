internal import Core
internal import Foundation
public import ImageIO
internal import Pipeline
public import TileArchive

/// One picture in which a person sees whether a chart is whole and rightly cut: all of it, and its edges enlarged.
public struct ContactSheet {
  public let image: RGBAImage

  /// - Parameter bytes: the size of the archive's file.
  public init(of source: any TileSource, bytes: Int) throws {
    let subject = try ContactSubject(source, bytes: bytes)
    let overview = try ContactOverview(subject)
    let crops = try ContactCrops(subject)
    let captions = subject.captions + [overview.caption, crops.caption]
    let width = max(overview.picture.width, crops.width, ContactSheet.textWidth(captions)) + 2 * Look.margin
    let head = Look.margin + Look.titleHeight + captions.count * Look.lineHeight + Look.gap
    let cropsTop = head + overview.picture.height + Look.gap
    var page = PageCanvas(width: width, height: cropsTop + crops.height + Look.margin, Look.paper)
    page.text(subject.name, x: Look.margin, y: Look.margin, size: 3, Look.ink)
    for (index, caption) in captions.enumerated() {
      let y = Look.margin + Look.titleHeight + index * Look.lineHeight
      page.text(caption, x: Look.margin, y: y, size: Look.textSize, Look.ink)
    }
    overview.draw(on: &page, x: Look.margin, y: head)
    crops.draw(on: &page, x: Look.margin, y: cropsTop)
    image = page.image
  }

  private static func textWidth(_ lines: [String]) -> Int {
    (lines.map(\.count).max() ?? 0) * CaptionFont.advance * Look.textSize
  }

  /// How a sheet looks.
  enum Look {
    static let paper: PageCanvas.Color = (245, 245, 242)
    static let ink: PageCanvas.Color = (32, 32, 36)
    static let tick: PageCanvas.Color = (255, 0, 190)
    static let grid: PageCanvas.Color = (20, 40, 220)
    static let margin = 24
    static let gap = 20
    static let textSize = 2
    static let lineHeight = 22
    static let titleHeight = 34
  }
}

/// What is to be shown, with all that the drawing of it asks.
struct ContactSubject {
  let painter: TilePainter
  let metadata: [String: String]
  let zooms: [ZoomSummary]
  /// A chart across 180 degrees runs on beyond that line, as do its bounds.
  let neatline: Neatline
  let hasNeatline: Bool
  let bounds: PlaneBox
  private let summary: ArchiveSummary
  private let bytes: Int

  init(_ source: any TileSource, bytes: Int) throws {
    summary = try source.summary()
    metadata = try source.metadata()
    zooms = summary.zooms.filter { (0...29).contains($0.zoom) }
    self.bytes = bytes
    let extent = ToldExtent(metadata)
    guard !zooms.isEmpty, let box = extent.adjusted ?? extent.bounds else {
      throw UserError(
        .badInput, operation: "drawing", path: source.url.relativePath,
        reason: "it has no tile, or no bounds that are a box on the earth",
        suggestion: "See what `chartpipe validate` says of it.")
    }
    bounds = PlaneBox(mercator: box)
    let cut = metadata["chartpipe:neatline"].flatMap { Neatline(geoJSON: $0) }
    hasNeatline = cut != nil
    neatline = cut?.unrolled(from: bounds.minX) ?? Neatline(around: bounds)
    painter = try TilePainter(source)
  }

  var name: String { metadata["name"] ?? "A chart without a name" }
  var smallest: Int { zooms.first?.zoom ?? 0 }
  var largest: Int { zooms.last?.zoom ?? 0 }

  func grid(_ zoom: Int) -> PixelGrid { PixelGrid(zoom: zoom, tileSize: painter.tileSize) }

  var captions: [String] {
    let days = ["effective", "expires"].compactMap { metadata["chartpipe:\($0)"]?.prefix(10) }
    let cycle = metadata["chartpipe:cycle"].map { "Cycle \($0)" }
    let issue = [cycle, days.isEmpty ? nil : days.joined(separator: " to ")].compactMap(\.self)
    let tiles = "\(Counts.of(summary.tiles, "tile")), \(Counts.grouped(summary.distinctTiles)) different"
    let format = "\(metadata["format"] ?? "?") of \(painter.tileSize) px"
    return [
      issue.isEmpty ? "Without a cycle" : issue.joined(separator: ", "),
      "Zooms \(smallest)-\(largest), \(tiles), \(Counts.bytes(bytes)), \(format)",
    ]
  }
}
