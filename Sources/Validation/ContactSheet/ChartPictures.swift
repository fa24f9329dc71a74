public import Foundation
internal import Geo
internal import ImageIO
internal import TileArchive

/// What a report shows of a chart: all of it, and its four edges enlarged; small enough that a page can hold a hundred.
public struct ChartPictures: Sendable {
  public struct Picture: Sendable {
    /// `North edge`
    public let name: String
    public let width: Int
    public let height: Int
    public let webP: [UInt8]
  }

  public let overview: Picture
  /// From north to south.
  public let edges: [Picture]
  /// Whether the archive tells its neatline; else its bounds are drawn.
  public let hasNeatline: Bool
  public let largestZoom: Int
  /// How wide a pixel of the largest zoom is on the ground, in the middle of the chart.
  public let metresPerPixel: Double

  public init(of archive: URL) throws {
    let subject = try ContactSubject(ArchiveKind.open(archive), bytes: 0)
    overview = try ChartPictures.overview(subject)
    edges = try CropPlace.all(of: subject.neatline, in: subject.bounds).filter(\.isEdge).map {
      try ChartPictures.crop($0, subject)
    }
    (hasNeatline, largestZoom) = (subject.hasNeatline, subject.largest)
    let middle = WebMercator.unproject(x: subject.bounds.center.x, y: subject.bounds.center.y)
    let width = subject.grid(subject.largest).metresPerPixel
    metresPerPixel = width * cos(middle.latitude * .pi / 180)
  }

  private enum Size {
    static let overview = 480
    /// From so much larger a picture the overview is made: its own size may lie between two zooms.
    static let overviewSource = 3 * overview
    static let crop = 120
    static let enlarged = 2
    static let overviewBytes = 36_000
    static let cropBytes = 11_000
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

  /// The best quality that keeps to the limit; of what none does, the least.
  private static func picture(_ name: String, _ image: RGBAImage, limit: Int) throws -> Picture {
    var bytes: [UInt8] = []
    for quality in [70, 55, 40, 25] {
      bytes = try TileCodec(.webp(quality: quality)).encode(image) ?? []
      if bytes.count <= limit { break }
    }
    return Picture(name: name, width: image.width, height: image.height, webP: bytes)
  }
}
