public import Core

/// A point in pixels of the image. (0, 0) is the outer corner of the upper left pixel; its centre is (0.5, 0.5).
public struct PixelPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func offset(_ dx: Double, _ dy: Double) -> PixelPoint { PixelPoint(x: x + dx, y: y + dy) }
  func distance(to other: PixelPoint) -> Double {
    let dx = other.x - x
    let dy = other.y - y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A point that a test can search for: its position on the earth and on the image.
public struct TruePlace: Hashable, Sendable {
  public let point: GeoPoint
  public let pixel: PixelPoint
}

/// The exact relation between pixels and places. It uses `LambertConformal`, never PROJ.
extension SheetDesign {
  public func pixel(of point: GeoPoint) -> PixelPoint {
    let (x, y) = projection.project(point)
    return PixelPoint(x: (x - originX) / metresPerPixel, y: (originY - y) / metresPerPixel)
  }

  public func place(of pixel: PixelPoint) -> GeoPoint {
    projection.unproject(
      x: originX + pixel.x * metresPerPixel, y: originY - pixel.y * metresPerPixel)
  }

  /// The spot of the fictional world at a place of this sheet.
  func spot(of place: GeoPoint) -> Terrain.Spot {
    Terrain.Spot(
      GeoPoint(
        longitude: place.longitude + scenery.shift.longitude,
        latitude: place.latitude + scenery.shift.latitude))
  }

  func place(of spot: Terrain.Spot) -> GeoPoint {
    GeoPoint(
      longitude: spot.point.longitude - scenery.shift.longitude,
      latitude: spot.point.latitude - scenery.shift.latitude)
  }

  /// The corners of the part of the world that the image covers.
  var stretch: (low: Terrain.Spot, high: Terrain.Spot) {
    let box = envelope
    return (
      spot(of: GeoPoint(longitude: box.west, latitude: box.south)),
      spot(of: GeoPoint(longitude: box.east, latitude: box.north))
    )
  }

  /// Degrees between the lines of the graticule.
  public static let graticuleStep = 0.5
  /// The control marks are five minutes off the multiples of their step, and so between the lines.
  private static let controlMarkOffset = 5.0 / 60

  /// The intersections of drawn meridians and parallels, at least `margin` pixels inside the neatline.
  public func graticuleCrossings(margin: Double = 0) -> [TruePlace] {
    places(step: SheetDesign.graticuleStep, offset: 0, margin: margin)
  }

  /// Black discs on white, drawn over everything else.
  public func controlMarks(margin: Double = 12) -> [TruePlace] {
    places(
      step: scenery.markStep, offset: SheetDesign.controlMarkOffset, margin: margin)
  }

  /// The box of the whole image, collar included. Its longitudes continue beyond 180 degrees.
  public var envelope: GeoBox {
    let steps = stride(from: 0.0, through: 1.0, by: 1.0 / 64)
    let right = Double(width)
    let bottom = Double(height)
    let border = steps.flatMap { part in
      [
        PixelPoint(x: part * right, y: 0), PixelPoint(x: part * right, y: bottom),
        PixelPoint(x: 0, y: part * bottom), PixelPoint(x: right, y: part * bottom),
      ]
    }
    let corner = place(of: PixelPoint(x: 0, y: 0))
    return GeoBox(around: border.map(place))
      ?? GeoBox(
        west: corner.longitude, south: corner.latitude, east: corner.longitude,
        north: corner.latitude)
  }

  private func places(step: Double, offset: Double, margin: Double) -> [TruePlace] {
    let area = MapArea(self)
    let box = envelope
    let columns = Int((box.west / step).rounded(.down))...Int((box.east / step).rounded(.up))
    let rows = Int((box.south / step).rounded(.down))...Int((box.north / step).rounded(.up))
    return rows.flatMap { row in
      columns.compactMap { column in
        let point = GeoPoint(
          longitude: Double(column) * step + offset, latitude: Double(row) * step + offset)
        let place = TruePlace(point: point.onEarth, pixel: pixel(of: point))
        return area.contains(place.pixel, margin: margin) ? place : nil
      }
    }
  }
}

extension GeoPoint {
  /// With a longitude between -180 and 180 degrees.
  var onEarth: GeoPoint {
    abs(longitude) <= 180
      ? self : GeoPoint(longitude: longitude.remainder(dividingBy: 360), latitude: latitude)
  }
}
