internal import Geo

/// The pixels within the neatline: for every row the columns, for every column the rows.
///
/// Every edge is nearly upright or nearly level, so two numbers a row and two a column say it all.
struct MapArea: Sendable {
  let left: [Double]
  let right: [Double]
  let top: [Double]
  let bottom: [Double]

  init(_ design: SheetDesign) {
    left = MapArea.columns(design, design.edges.west)
    right = MapArea.columns(design, design.edges.east)
    top = MapArea.rows(design, design.edges.north)
    bottom = MapArea.rows(design, design.edges.south)
  }

  func contains(_ pixel: PixelPoint, margin: Double = 0) -> Bool {
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(top.count), pixel.y < Double(left.count)
    else { return false }
    let column = Int(pixel.x)
    let row = Int(pixel.y)
    return pixel.x >= left[row] + margin && pixel.x <= right[row] - margin
      && pixel.y >= top[column] + margin && pixel.y <= bottom[column] - margin
  }

  /// Whether a whole pixel, taken by its centre, is on the map.
  @inline(__always)
  func contains(column: Int, row: Int) -> Bool {
    let x = Double(column) + 0.5
    let y = Double(row) + 0.5
    return x >= left[row] && x < right[row] && y >= top[column] && y < bottom[column]
  }

  /// The column at which an upright edge crosses the middle of each row.
  private static func columns(_ design: SheetDesign, _ edge: SheetEdges.Edge) -> [Double] {
    (0..<design.height).map { row in
      switch edge {
      case .meridian(let longitude): crossing(design, meridian: longitude, y: Double(row) + 0.5)
      case .column(let column): column
      case .parallel, .row: edge == design.edges.west ? 0 : Double(design.width)
      }
    }
  }

  private static func rows(_ design: SheetDesign, _ edge: SheetEdges.Edge) -> [Double] {
    (0..<design.width).map { column in
      switch edge {
      case .parallel(let latitude): crossing(design, parallel: latitude, x: Double(column) + 0.5)
      case .row(let row): row
      case .meridian, .column: edge == design.edges.north ? 0 : Double(design.height)
      }
    }
  }

  /// Two steps along the meridian are exact to well below a thousandth of a pixel, since it is a straight line.
  private static func crossing(_ design: SheetDesign, meridian: Double, y: Double) -> Double {
    var x = Double(design.width) / 2
    for _ in 0..<3 {
      let latitude = design.place(of: PixelPoint(x: x, y: y)).latitude
      x = design.pixel(of: GeoPoint(longitude: meridian, latitude: latitude)).x
    }
    return x
  }

  private static func crossing(_ design: SheetDesign, parallel: Double, x: Double) -> Double {
    var y = Double(design.height) / 2
    for _ in 0..<3 {
      let longitude = design.place(of: PixelPoint(x: x, y: y)).longitude
      y = design.pixel(of: GeoPoint(longitude: longitude, latitude: parallel)).y
    }
    return y
  }
}
