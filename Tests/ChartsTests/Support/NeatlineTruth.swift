import Core
import RasterIO
import Testing

@testable import Charts

/// Holds a neatline against a rule that tells of every place whether it is map: at pixels all over the sheet, and by the
/// area that they make up.
func expectMaskAndArea(
  of neatline: Neatline, on sheet: FullSizeSheet, isMap: (GeoPoint) -> Bool
) throws {
  let step = 151
  var (inside, wrong) = (0, 0)
  for row in stride(from: 0, to: sheet.height, by: step) {
    for column in stride(from: 0, to: sheet.width, by: step) {
      let pixel = PixelPoint(column: Double(column) + 0.5, row: Double(row) + 0.5)
      let truth = isMap(sheet.place(of: pixel))
      inside += truth ? 1 : 0
      wrong += neatline.contains(pixel) == truth ? 0 : 1
    }
  }
  #expect(inside > 500)
  // Within a quarter of a pixel of the edge the two may differ: a few of the thousands of places that were asked.
  #expect(wrong <= inside / 500)
  try expectMask(of: neatline, near: neatline.ring + neatline.masks.flatMap(\.self), on: sheet, isMap: isMap)
}

/// Around some vertices, pixel by pixel.
private func expectMask(
  of neatline: Neatline, near vertices: [Neatline.Vertex], on sheet: FullSizeSheet, isMap: (GeoPoint) -> Bool
) throws {
  let side = 12
  for vertex in vertices.enumerated().filter({ $0.offset.isMultiple(of: 5) }).map(\.element.pixel) {
    let window = PixelWindow(
      column: Int(vertex.column) - side / 2, row: Int(vertex.row) - side / 2, width: side, height: side)
    let mask = try neatline.mask(of: window)
    let wrong = mask.indices.count { index in
      let pixel = PixelPoint(
        column: Double(window.column + index % side) + 0.5, row: Double(window.row + index / side) + 0.5)
      return (mask[index] == 255) != isMap(sheet.place(of: pixel))
    }
    // An edge of twelve pixels, each of which may be wrong only if it is a quarter of a pixel from its centre.
    #expect(wrong <= side, "\(wrong) pixels near \(vertex)")
  }
}
