internal import Core
public import Foundation
public import ImageIO

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
    let subject = try PictureSubject(ArchiveKind.open(archive))
    let whole = try subject.overview(fitting: Self.overviewSource, sideLimit: Self.overviewSide)
    overview = try ChartPictures.picture("Whole chart", whole.image, limit: 36_000)
    edges = try CropPlace.all(of: subject.neatline, in: subject.bounds).map { place in
      try ChartPictures.picture(
        place.name, ChartPictures.crop(place, subject), limit: 11_000)
    }
    self.insets = try insets.prefix(Self.mostInsets).map { try ChartPictures.inset($0, subject) }
    (hasNeatline, largestZoom) = (subject.hasNeatline, subject.largest)
    let middle = WebMercator.unproject(x: subject.bounds.center.x, y: subject.bounds.center.y)
    let width = subject.grid(subject.largest).metresPerPixel
    metresPerPixel = width * cos(middle.latitude * .pi / 180)
  }

  private static let overviewSide = 480
  /// The largest picture that is reduced to the overview, whose size may lie between two zooms.
  private static let overviewSource = 3 * overviewSide
  private static let cropSide = 120
  private static let enlarged = 2
  private static let insetSide = 360
  /// Known charts have at most two.
  private static let mostInsets = 6
  /// The overview of a sheet.
  private static let sheetSide = 1440
  private static let gap = 20

  /// Draws an edge at the largest zoom, with more of the map than of the area beyond it.
  private static func crop(_ place: CropPlace, _ subject: PictureSubject) throws -> RGBAImage {
    var box = subject.grid(subject.largest).box(around: place.point, side: cropSide)
    box.column -= place.side.x * cropSide / 4
    box.row -= place.side.y * cropSide / 4
    return try part(box, zoom: subject.largest, enlarged: enlarged, subject)
  }

  private static func part(
    _ box: PixelBox, zoom: Int, enlarged: Int, _ subject: PictureSubject
  ) throws -> RGBAImage {
    var page = PageCanvas(width: box.width * enlarged, height: box.height * enlarged)
    page.place(try subject.painter.picture(zoom: zoom, box), enlarged: enlarged)
    page.draw(
      subject.neatline.ticks(
        in: box, of: subject.grid(zoom), scale: Double(enlarged), spacing: 16, length: 8))
    return page.image
  }

  /// Draws an inset with some of the map around it, at the largest zoom at which it fits.
  private static func inset(_ inset: Product.Cut.Inset, _ subject: PictureSubject) throws -> Picture {
    let area = PlaneBox(mercator: inset.box)
    let boxes = subject.zooms.map { zoom in
      let box = subject.grid(zoom.zoom).box(area)
      return (zoom: zoom.zoom, box: subject.grid(zoom.zoom).box(area, margin: max(box.width, box.height) / 8))
    }
    let fitting = boxes.last { max($0.box.width, $0.box.height) <= insetSide } ?? boxes.first
    guard let (zoom, box) = fitting, box.width > 0, box.height > 0,
      max(box.width, box.height) <= overviewSource
    else { return Picture(name: inset.title, width: 0, height: 0, webP: Data()) }
    let enlarged = max(1, insetSide / max(box.width, box.height))
    return try picture(
      inset.title, part(box, zoom: zoom, enlarged: enlarged, subject), limit: 20_000)
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

extension ChartPictures {
  /// One picture of an archive: the whole chart as large as a screen, and its edges below. The text says what it shows.
  public static func sheet(of source: any TileSource) throws -> (image: RGBAImage, text: String) {
    let subject = try PictureSubject(source)
    let overview = try subject.overview(fitting: sheetSide, sideLimit: sheetSide)
    let places = CropPlace.all(of: subject.neatline, in: subject.bounds)
    let crop = cropSide * enlarged
    let width = max(overview.image.width, places.count * (crop + gap) - gap)
    var page = PageCanvas(width: width, height: overview.image.height + gap + crop)
    page.place(overview.image)
    for (index, place) in places.enumerated() {
      page.place(
        try self.crop(place, subject), x: index * (crop + gap), y: overview.image.height + gap)
    }
    let edges = places.map { $0.name.lowercased() }.joined(separator: ", ")
    let line = subject.hasNeatline ? "neatline" : "bounds"
    let text =
      "Image: the chart at zoom \(overview.zoom). Below, enlarged from zoom \(subject.largest): \(edges).\n"
      + "The pink ticks are outside the \(line). Red tiles are broken.\n"
    return (page.image, text)
  }
}

extension Product.Cut.Inset {
  /// `Inset Norfolk, masked`
  fileprivate var title: String { "Inset\(name.map { " \($0)" } ?? ""), \(verdict.rawValue)" }
}
