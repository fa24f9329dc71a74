internal import Core
internal import Pipeline

/// All that is outside the map: the neatline, the title and the legend on white paper.
struct CollarPainter {
  let design: SheetDesign

  func paint(_ canvas: inout Canvas) {
    canvas.clip = .sheet
    let outline = MapBorder(design).rings[0]
    if design.scenery.hasFrame { neatline(outline, &canvas) }
    let map = bounds(outline)
    let panel = LegendPanel(
      design: design, left: 30, right: map.left - 46, bottom: Double(design.height) - 30)
    panel.paint(&canvas)
    southern(&canvas, map)
    canvas.clip = .map
  }

  /// Three pixels of black along the edges of the map. What lies within a mask has a border of its own.
  private func neatline(_ outline: [PixelPoint], _ canvas: inout Canvas) {
    canvas.stroke(outline + outline.prefix(1), Pen(.black, 3))
  }

  /// The western and the eastern edge count with what they would be, were they as long as the image is high.
  private func bounds(_ outline: [PixelPoint]) -> (left: Double, right: Double, bottom: Double) {
    let edges = design.neatline.outline
    let solver = EdgeSolver(design: design)
    let ends = [NeatlineDefinition.Edge.row(0.5), .row(Double(design.height) - 0.5)]
    let sides =
      edges.count == 4
      ? ends.flatMap { [solver.corner(edges[0], $0), solver.corner(edges[2], $0)] } : outline
    let xs = sides.map(\.x)
    return (
      xs.min() ?? 0, xs.max() ?? Double(design.width), outline.map(\.y).max() ?? Double(design.height)
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
