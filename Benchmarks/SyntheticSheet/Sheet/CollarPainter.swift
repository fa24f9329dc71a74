internal import Geo

/// All that is outside the map: the neatline, the title and the legend on white paper.
struct CollarPainter {
  let design: SheetDesign

  func paint(_ canvas: inout Canvas) {
    canvas.clip = .sheet
    neatline(&canvas)
    let map = bounds(canvas.area)
    let panel = LegendPanel(
      design: design, left: 30, right: map.left - 46, bottom: Double(design.height) - 30)
    panel.paint(&canvas)
    southern(&canvas, map)
    canvas.clip = .map
  }

  /// Three pixels of black along the edges of the map.
  private func neatline(_ canvas: inout Canvas) {
    let area = canvas.area
    let pen = Pen(.black, 3)
    let rows = Array(stride(from: 0, to: design.height, by: 16)) + [design.height - 1]
    let columns = Array(stride(from: 0, to: design.width, by: 16)) + [design.width - 1]
    for edge in [area.left, area.right] {
      let line = rows.map { PixelPoint(x: edge[$0], y: Double($0) + 0.5) }
      canvas.stroke(line.filter { isOnMap($0, area) }, pen)
    }
    for edge in [area.top, area.bottom] {
      let line = columns.map { PixelPoint(x: Double($0) + 0.5, y: edge[$0]) }
      canvas.stroke(line.filter { isOnMap($0, area) }, pen)
    }
    corners(&canvas, pen)
  }

  /// The lines are sampled every 16 pixels; these last pieces close them at the corners.
  private func corners(_ canvas: inout Canvas, _ pen: Pen) {
    for (upright, level) in [
      (canvas.area.left, canvas.area.top), (canvas.area.left, canvas.area.bottom),
      (canvas.area.right, canvas.area.top), (canvas.area.right, canvas.area.bottom),
    ] {
      let isWest = upright == canvas.area.left
      let isNorth = level == canvas.area.top
      let corner = CollarPainter.corner(upright, level)
      let inward = isWest ? 20.0 : -20
      let downward = isNorth ? 20.0 : -20
      let along = level[min(level.count - 1, max(0, Int(corner.x + inward)))]
      let down = upright[min(upright.count - 1, max(0, Int(corner.y + downward)))]
      canvas.stroke(
        [
          PixelPoint(x: corner.x + inward, y: along), corner,
          PixelPoint(x: down, y: corner.y + downward),
        ], pen)
    }
  }

  private static func corner(_ upright: [Double], _ level: [Double]) -> PixelPoint {
    var y = Double(upright.count) / 2
    var x = 0.0
    for _ in 0..<4 {
      x = upright[min(upright.count - 1, max(0, Int(y)))]
      y = level[min(level.count - 1, max(0, Int(x)))]
    }
    return PixelPoint(x: x, y: y)
  }

  private func isOnMap(_ pixel: PixelPoint, _ area: MapArea) -> Bool {
    area.contains(pixel, margin: -1)
  }

  private func bounds(_ area: MapArea) -> (left: Double, right: Double, bottom: Double) {
    (
      area.left.min() ?? 0, area.right.max() ?? Double(design.width),
      area.bottom.max() ?? Double(design.height)
    )
  }

  /// The title and a scale bar below the map.
  private func southern(
    _ canvas: inout Canvas, _ map: (left: Double, right: Double, bottom: Double)
  ) {
    let room = Double(design.height) - map.bottom
    guard room > 90 else { return }
    let middle = (map.left + map.right) / 2
    var title = Lettering(.blue, 30).with {
      $0.anchor = .middle
      $0.weight = 0.15
    }
    title.height = min(30, 30 * (map.right - map.left - 80) / title.width(of: design.title))
    canvas.text(design.title, at: PixelPoint(x: middle, y: map.bottom + 64), title)
    guard room > 180 else { return }
    scaleBar(
      at: PixelPoint(x: middle, y: map.bottom + 116), miles: 20, metres: 1852, "NAUTICAL MILES", &canvas)
    scaleBar(at: PixelPoint(x: middle, y: map.bottom + 168), miles: 30, metres: 1000, "KILOMETERS", &canvas)
  }

  private func scaleBar(
    at middle: PixelPoint, miles: Int, metres: Double, _ unit: String, _ canvas: inout Canvas
  ) {
    let length = Double(miles) * metres / design.metresPerPixel
    let start = middle.offset(-length / 2, 0)
    canvas.stroke([start, start.offset(length, 0)], Pen(.black, 2))
    for mile in 0...miles {
      let x = length * Double(mile) / Double(miles)
      let reach = mile % 5 == 0 ? 12.0 : 6
      canvas.stroke([start.offset(x, 0), start.offset(x, -reach)], Pen(.black, 1.5))
      if mile % 10 == 0 {
        canvas.text(
          String(mile), at: start.offset(x, -18), Lettering(.black, 11).with { $0.anchor = .middle })
      }
    }
    canvas.text(unit, at: start.offset(length + 20, 0), Lettering(.black, 12))
  }
}
