internal import Core

/// One of the places of a chart at which a wrong cut shows: its corners, the middles of its edges, and its centre.
struct CropPlace {
  let name: String
  /// In metres of Web Mercator.
  let point: (x: Double, y: Double)
  /// To which side of the chart it lies, eastward and southward: -1, 0 or 1.
  let side: (x: Int, y: Int)

  /// Not a corner, and not the centre.
  var isEdge: Bool { (side.x == 0) != (side.y == 0) }

  /// In three rows of three, as they lie on the chart. Whatever its form, they lie on its edge.
  static func all(of neatline: Neatline, in box: PlaneBox) -> [CropPlace] {
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

  /// The point of the neatline that lies farthest out in a diagonal direction, both sides counting alike.
  private static func farthest(
    _ neatline: Neatline, in box: PlaneBox, _ x: Double, _ y: Double
  ) -> (x: Double, y: Double) {
    let (width, height) = (box.maxX - box.minX, box.maxY - box.minY)
    return neatline.edges.map(\.from).max {
      x * $0.x / width + y * $0.y / height < x * $1.x / width + y * $1.y / height
    } ?? (box.center.x, box.center.y)
  }
}
