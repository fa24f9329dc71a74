import Core
import Foundation
import RasterIO

@testable import Charts

/// The grid of a whole sectional, without pixels. Where a place lies on it is computed without PROJ.
struct FullSizeSheet {
  var width = 16_600
  var height = 12_300
  var cone = MadeUpSheet.cone
  /// Degrees by which north is turned from the image's top.
  var tilt = 0.0
  private let metres = 42.333

  var placing: GeoTransform {
    let rise = tilt * .pi / 180
    // The middle of the image lies at the cone's origin.
    let (across, down) = (Double(width) / 2, Double(height) / 2)
    let (cosine, sine) = (metres * cos(rise), metres * sin(rise))
    return GeoTransform(
      originX: -across * cosine - down * sine, originY: -across * sine + down * cosine, pixelWidth: cosine,
      pixelHeight: -cosine, rotationX: sine, rotationY: sine)
  }

  var wkt: String {
    MadeUpSheet.wkt
      .replacing("\"latitude_of_origin\",36", with: "\"latitude_of_origin\",\(cone.origin.latitude)")
      .replacing("\"central_meridian\",-121", with: "\"central_meridian\",\(cone.origin.longitude)")
      .replacing("38.6666666666667", with: "\(cone.standardParallels.0)")
      .replacing("33.3333333333333", with: "\(cone.standardParallels.1)")
  }

  var builder: NeatlineBuilder {
    get throws {
      let projection = try SheetProjection(
        projection: try SpatialReference(wkt: wkt), placing: placing, width: width, height: height)
      return NeatlineBuilder(projection: projection, subject: "vfr-sectional/Made_Up")
    }
  }

  func place(of pixel: PixelPoint) -> GeoPoint {
    let (x, y) = placing.projected(column: pixel.column, row: pixel.row)
    return cone.unproject(x: x, y: y)
  }

  func pixel(of place: GeoPoint) -> PixelPoint {
    let (x, y) = cone.project(place)
    let pixel = placing.pixel(x: x, y: y)
    return PixelPoint(column: pixel.column, row: pixel.row)
  }
}
