internal import CGDAL

/// Takes coordinates of one reference system to another. Making one costs milliseconds, using it nanoseconds; each
/// worker has its own.
public final class CoordinateTransform {
  private let handle: OGRCoordinateTransformationH

  public init(from source: SpatialReference, to target: SpatialReference) throws(GDALError) {
    GDAL.begin()
    handle = try GDAL.check(
      OCTNewCoordinateTransformation(source.handle, target.handle), "relating two projections")
  }

  deinit { OCTDestroyCoordinateTransformation(handle) }

  /// Nil where the target system has no such place.
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
    var (x, y, success) = (x, y, Int32(0))
    apply(count: 1, x: &x, y: &y, success: &success)
    return success != 0 && x.isFinite && y.isFinite ? (x, y) : nil
  }

  /// Many at once, in place; what the target system has no place for becomes NaN.
  public func callAsFunction(x: inout [Double], y: inout [Double]) {
    precondition(x.count == y.count && x.count <= Int32.max)
    var success = [Int32](repeating: 0, count: x.count)
    apply(count: Int32(x.count), x: &x, y: &y, success: &success)
    for index in x.indices where success[index] == 0 || !x[index].isFinite || !y[index].isFinite {
      (x[index], y[index]) = (.nan, .nan)
    }
  }

  /// Many at once, in place.
  func apply(
    count: Int32, x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>,
    success: UnsafeMutablePointer<Int32>
  ) {
    _ = OCTTransformEx(handle, count, x, y, nil, success)  // `success` tells more than the overall answer
  }
}

@available(*, unavailable)
extension CoordinateTransform: Sendable {}
