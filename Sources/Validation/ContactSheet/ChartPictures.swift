internal import Core
public import Foundation
internal import ImageIO

/// The pictures of a chart in a report: an overview and its four edges enlarged, small enough for a page with a hundred charts.
public struct ChartPictures: Codable, Sendable {
  public struct Picture: Codable, Sendable {
    /// `North edge`
    public let name: String
    public let width: Int
    public let height: Int
    public let webP: Data
  }

  public let overview: Picture
  /// From north to south.
  public let edges: [Picture]
  /// The places of insets, in the product's order.
  public let insets: [Picture]
  /// Whether the archive has a neatline; otherwise its bounds are drawn.
  public let hasNeatline: Bool
  public let largestZoom: Int
  /// The width of a pixel of the largest zoom on the ground, in the middle of the chart.
  public let metresPerPixel: Double

  /// - Parameter insets: the insets that the build found or expected.
  public init(of archive: URL, insets: [Product.Cut.Inset] = []) throws {
    let subject = try ContactSubject(ArchiveKind.open(archive), bytes: 0)
    overview = try ChartPictures.overview(subject)
    edges = try CropPlace.all(of: subject.neatline, in: subject.bounds).filter(\.isEdge).map {
      try ChartPictures.crop($0, subject)
    }
    self.insets = try insets.prefix(Size.insets).map { try ChartPictures.inset($0, subject) }
    (hasNeatline, largestZoom) = (subject.hasNeatline, subject.largest)
    let middle = WebMercator.unproject(x: subject.bounds.center.x, y: subject.bounds.center.y)
    let width = subject.grid(subject.largest).metresPerPixel
    metresPerPixel = width * cos(middle.latitude * .pi / 180)
  }

  private enum Size {
    static let overview = 480
    /// The largest picture that is reduced to the overview, whose size may lie between two zooms.
    static let overviewSource = 3 * overview
    static let crop = 120
    static let enlarged = 2
    static let overviewBytes = 36_000
    static let cropBytes = 11_000
    static let inset = 360
    static let insetBytes = 20_000
    /// Known charts have at most two.
    static let insets = 6
  }

  private static func overview(_ subject: ContactSubject) throws -> Picture {
    let whole = try ContactOverview(subject, fitting: Size.overviewSource, sideLimit: Size.overview)
    var page = PageCanvas(
      width: whole.picture.width, height: whole.picture.height, ContactSheet.Look.paper)
    page.place(whole.picture, x: 0, y: 0)
    whole.drawNeatline(on: &page, x: 0, y: 0)
    return try picture("Whole chart", page.image, limit: Size.overviewBytes)
  }

  private static func crop(_ place: CropPlace, _ subject: ContactSubject) throws -> Picture {
    let crop = try ContactCrop(place, of: subject, side: Size.crop, scale: Size.enlarged)
    let side = Size.crop * Size.enlarged
    var page = PageCanvas(width: side, height: side, ContactSheet.Look.paper)
    crop.draw(on: &page, x: 0, y: 0)
    return try picture(place.name, page.image, limit: Size.cropBytes)
  }

  /// Draws an inset with some of the map around it, at the largest zoom at which it fits.
  private static func inset(_ inset: Product.Cut.Inset, _ subject: ContactSubject) throws -> Picture {
    let area = PlaneBox(mercator: inset.box)
    let boxes = subject.zooms.map { zoom in
      let box = subject.grid(zoom.zoom).box(area)
      return (zoom: zoom.zoom, box: subject.grid(zoom.zoom).box(area, margin: max(box.width, box.height) / 8))
    }
    let fitting = boxes.last { max($0.box.width, $0.box.height) <= Size.inset } ?? boxes.first
    guard let (zoom, box) = fitting, box.width > 0, box.height > 0,
      max(box.width, box.height) <= Size.overviewSource
    else { return Picture(name: inset.title, width: 0, height: 0, webP: Data()) }
    let enlarged = max(1, Size.inset / max(box.width, box.height))
    var page = PageCanvas(
      width: box.width * enlarged, height: box.height * enlarged, ContactSheet.Look.paper)
    page.place(try subject.painter.picture(zoom: zoom, box), x: 0, y: 0, enlarged: enlarged)
    let frame = PixelBox(column: 0, row: 0, width: box.width * enlarged, height: box.height * enlarged)
    let ticks = NeatlineTicks(neatline: subject.neatline, spacing: 16, length: 8)
    for stroke in ticks.strokes(in: box, of: subject.grid(zoom), scale: Double(enlarged)) {
      page.line(from: stroke.from, to: stroke.to, ContactSheet.Look.tick, inside: frame)
    }
    return try picture(inset.title, page.image, limit: Size.insetBytes)
  }

  /// Encodes with the best quality within the limit, or else with the lowest.
  private static func picture(_ name: String, _ image: RGBAImage, limit: Int) throws -> Picture {
    var bytes: [UInt8] = []
    for quality in [70, 55, 40, 25] {
      bytes = try TileCodec(.webp(quality: quality)).encode(image) ?? []
      if bytes.count <= limit { break }
    }
    return Picture(name: name, width: image.width, height: image.height, webP: Data(bytes))
  }
}

extension Product.Cut.Inset {
  /// `Inset Norfolk, masked`
  fileprivate var title: String { "Inset\(name.map { " \($0)" } ?? ""), \(verdict.rawValue)" }
}
