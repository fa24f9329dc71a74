internal import Core
internal import Foundation
public import ImageIO

/// One picture that shows a person whether a chart is complete and correctly cut: the whole chart, and its edges enlarged.
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

  /// The colours and sizes of a sheet.
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

/// The chart to draw: its archive, neatline, bounds and zooms.
struct ContactSubject {
  let painter: TilePainter
  let metadata: [String: String]
  let zooms: [ZoomSummary]
  /// A chart across 180 degrees extends beyond that line, and so do its bounds.
  let neatline: MercatorNeatline
  let hasNeatline: Bool
  let bounds: PlaneBox
  private let summary: ArchiveSummary
  private let bytes: Int

  init(_ source: any TileSource, bytes: Int) throws {
    summary = try source.summary()
    metadata = try source.metadata()
    zooms = summary.zooms.filter { (0...29).contains($0.zoom) }
    self.bytes = bytes
    let extent = DeclaredExtent(metadata)
    guard !zooms.isEmpty, let box = extent.adjusted ?? extent.bounds else {
      throw UserError(
        .badInput, operation: "drawing", path: source.url.relativePath,
        reason: "it has no tile, or no bounds that are a box on the earth",
        suggestion: "See what `chartpipe validate` says of it.")
    }
    bounds = PlaneBox(mercator: box)
    let cut = metadata["chartpipe:neatline"].flatMap { MercatorNeatline(geoJSON: $0) }
    hasNeatline = cut != nil
    neatline = cut?.unrolled(from: bounds.minX) ?? MercatorNeatline(around: bounds)
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

/// The places where a wrong cut would show, at the largest zoom, each pixel as four.
struct ContactCrops {
  private let subject: ContactSubject
  private let crops: [ContactCrop]

  private static let side = 192
  private static let scale = 2
  private static let columns = 3
  private static let labelHeight = 24
  private static var cell: (width: Int, height: Int) {
    (side * scale + ContactSheet.Look.gap, side * scale + labelHeight + ContactSheet.Look.gap)
  }

  init(_ subject: ContactSubject) throws {
    self.subject = subject
    crops = try CropPlace.all(of: subject.neatline, in: subject.bounds).map {
      try ContactCrop($0, of: subject, side: ContactCrops.side, scale: ContactCrops.scale)
    }
  }

  var width: Int { ContactCrops.columns * ContactCrops.cell.width - ContactSheet.Look.gap }
  var height: Int {
    (crops.count + ContactCrops.columns - 1) / ContactCrops.columns * ContactCrops.cell.height
      - ContactSheet.Look.gap
  }

  var caption: String { "Below: edges, corners and centre at zoom \(subject.largest), each pixel as four" }

  func draw(on page: inout PageCanvas, x: Int, y: Int) {
    for (index, crop) in crops.enumerated() {
      let left = x + index % ContactCrops.columns * ContactCrops.cell.width
      let top = y + index / ContactCrops.columns * ContactCrops.cell.height
      page.text(label(crop.place), x: left, y: top, size: ContactSheet.Look.textSize, ContactSheet.Look.ink)
      crop.draw(on: &page, x: left, y: top + ContactCrops.labelHeight)
    }
  }

  private func label(_ place: CropPlace) -> String {
    let point = WebMercator.unproject(x: place.point.x, y: place.point.y)
    return "\(place.name) \(text(point.latitude)) \(text(point.longitude.remainder(dividingBy: 360)))"
  }

  /// Formats degrees to a hundredth, about half a mile.
  private func text(_ degrees: Double) -> String {
    guard abs(degrees) <= 360 else { return "?" }
    let hundredths = Int((abs(degrees) * 100).rounded())
    let fraction = hundredths % 100
    return "\(degrees < 0 ? "-" : "")\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

/// One place of a chart at the largest zoom, enlarged, with the neatline ticked from outside.
struct ContactCrop {
  let place: CropPlace
  private let neatline: MercatorNeatline
  private let grid: PixelGrid
  private let box: PixelBox
  private let picture: RGBAImage
  /// The side of an enlarged pixel.
  private let scale: Int

  init(_ place: CropPlace, of subject: ContactSubject, side: Int, scale: Int) throws {
    grid = subject.grid(subject.largest)
    var box = grid.box(around: place.point, side: side)
    // Shows more of the map than of the area beyond its edge.
    box.column -= place.side.x * side / 4
    box.row -= place.side.y * side / 4
    picture = try subject.painter.picture(zoom: grid.zoom, box)
    (self.place, self.box, self.scale, neatline) = (place, box, scale, subject.neatline)
  }

  func draw(on page: inout PageCanvas, x: Int, y: Int) {
    page.place(picture, x: x, y: y, enlarged: scale)
    let frame = PixelBox(column: x, row: y, width: box.width * scale, height: box.height * scale)
    let ticks = NeatlineTicks(neatline: neatline, spacing: 16, length: 8)
    for stroke in ticks.strokes(in: box, of: grid, scale: Double(scale)) {
      page.line(from: stroke.from, to: stroke.to, ContactSheet.Look.tick, inside: frame)
    }
  }
}

/// A place of a chart where a wrong cut would show: a corner, the middle of an edge, or the centre.
struct CropPlace {
  let name: String
  /// In metres of Web Mercator.
  let point: (x: Double, y: Double)
  /// The side of the chart, eastward and southward: -1, 0 or 1.
  let side: (x: Int, y: Int)

  /// Whether the place is the middle of an edge.
  var isEdge: Bool { (side.x == 0) != (side.y == 0) }

  /// Returns three rows of three places. All but the centre lie on the chart's edge, for any form of the chart.
  static func all(of neatline: MercatorNeatline, in box: PlaneBox) -> [CropPlace] {
    let corner = { (x: Double, y: Double) in farthest(neatline, in: box, x, y) }
    let middle = (x: box.center.x, y: box.center.y)
    let (ys, xs) = (neatline.crossings(x: middle.x), neatline.crossings(y: middle.y))
    return [
      CropPlace(name: "North-west corner", point: corner(-1, 1), side: (-1, -1)),
      CropPlace(name: "North edge", point: (middle.x, ys.max() ?? box.maxY), side: (0, -1)),
      CropPlace(name: "North-east corner", point: corner(1, 1), side: (1, -1)),
      CropPlace(name: "West edge", point: (xs.min() ?? box.minX, middle.y), side: (-1, 0)),
      CropPlace(name: "Centre", point: middle, side: (0, 0)),
      CropPlace(name: "East edge", point: (xs.max() ?? box.maxX, middle.y), side: (1, 0)),
      CropPlace(name: "South-west corner", point: corner(-1, -1), side: (-1, 1)),
      CropPlace(name: "South edge", point: (middle.x, ys.min() ?? box.minY), side: (0, 1)),
      CropPlace(name: "South-east corner", point: corner(1, -1), side: (1, 1)),
    ]
  }

  /// Returns the point of the neatline that is farthest in a diagonal direction, with both sides scaled equally.
  private static func farthest(
    _ neatline: MercatorNeatline, in box: PlaneBox, _ x: Double, _ y: Double
  ) -> (x: Double, y: Double) {
    let (width, height) = (box.maxX - box.minX, box.maxY - box.minY)
    return neatline.edges.map(\.from).max {
      x * $0.x / width + y * $0.y / height < x * $1.x / width + y * $1.y / height
    } ?? (box.center.x, box.center.y)
  }
}
