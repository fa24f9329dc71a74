internal import CGDAL

/// The affine map from pixel corners to projected metres: x = originX + column * pixelWidth + row * rotationX, and so on.
public struct GeoTransform: Equatable, Sendable {
  public var originX: Double
  public var pixelWidth: Double
  public var rotationX: Double
  public var originY: Double
  public var rotationY: Double
  /// Negative for an image whose first row is its northern edge.
  public var pixelHeight: Double

  public init(
    originX: Double, originY: Double, pixelWidth: Double, pixelHeight: Double, rotationX: Double = 0,
    rotationY: Double = 0
  ) {
    (self.originX, self.pixelWidth, self.rotationX, self.originY) = (originX, pixelWidth, rotationX, originY)
    (self.rotationY, self.pixelHeight) = (rotationY, pixelHeight)
  }

  init(_ six: [Double]) {
    self.init(
      originX: six[0], originY: six[3], pixelWidth: six[1], pixelHeight: six[5], rotationX: six[2],
      rotationY: six[4])
  }

  /// The lengths of a pixel's upper and left sides.
  public var pixelSize: (across: Double, down: Double) {
    (
      (pixelWidth * pixelWidth + rotationY * rotationY).squareRoot(),
      (rotationX * rotationX + pixelHeight * pixelHeight).squareRoot()
    )
  }

  /// The area of a pixel, negative for an image that is not mirrored: rows count downward.
  public var determinant: Double { pixelWidth * pixelHeight - rotationX * rotationY }

  /// In GDAL's order.
  public var six: [Double] { [originX, pixelWidth, rotationX, originY, rotationY, pixelHeight] }

  public func projected(column: Double, row: Double) -> (x: Double, y: Double) {
    (
      originX + column * pixelWidth + row * rotationX,
      originY + column * rotationY + row * pixelHeight
    )
  }

  public func pixel(x: Double, y: Double) -> (column: Double, row: Double) {
    let determinant = determinant
    let dx = x - originX
    let dy = y - originY
    return (
      (dx * pixelHeight - dy * rotationX) / determinant,
      (dy * pixelWidth - dx * rotationY) / determinant
    )
  }

  /// The transform of a window that begins at this pixel.
  public func shifted(column: Int, row: Int) -> GeoTransform {
    var moved = self
    (moved.originX, moved.originY) = projected(column: Double(column), row: Double(row))
    return moved
  }
}
