internal import ChartpipeKit
internal import Core

/// The content outside the map: the neatline, the title and the legend on white paper.
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

  /// Draws three black pixels along the edges of the map. The interior of a mask has its own border.
  private func neatline(_ outline: [PixelPoint], _ canvas: inout Canvas) {
    canvas.stroke(outline + outline.prefix(1), Pen(.black, 3))
  }

  /// The western and the eastern edge are extended to the height of the image.
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

/// The legend in the western collar: the chart's name, its dates, and its symbols.
struct LegendPanel {
  let design: SheetDesign
  let left: Double
  let right: Double
  let bottom: Double

  private var width: Double { right - left }
  private var middle: Double { (left + right) / 2 }

  /// Draws nothing if the collar is too narrow for legible text.
  func paint(_ canvas: inout Canvas) {
    guard width > 200, bottom > 900 else { return }
    var y = heading(&canvas, top: 40)
    y = dates(&canvas, top: y + 30)
    y = tints(&canvas, top: y + 40)
    y = signs(&canvas, top: y + 40)
    y = towers(&canvas, top: y + 40)
    controlMarks(&canvas, top: y + 40)
  }

  private func line(
    _ text: String, _ y: Double, _ height: Double, _ ink: Ink, _ canvas: inout Canvas,
    weight: Double = 0.13
  ) {
    var style = Lettering(ink, height).with {
      $0.anchor = .middle
      $0.weight = weight
    }
    style.height = min(height, height * (width - 30) / max(1, style.width(of: text)))
    canvas.text(text, at: PixelPoint(x: middle, y: y), style)
  }

  private func heading(_ canvas: inout Canvas, top: Double) -> Double {
    canvas.box(x: left, y: top, width: width, height: 250, Pen(.black, 2.5))
    canvas.clearBox(x: left + 4, y: top + 4, width: width - 8, height: 58, ground: SheetPalette.Ground.city)
    line("SYNTHETIC CHART", top + 45, 24, .black, &canvas, weight: 0.17)
    line(design.name.uppercased(), top + 128, 44, .blue, &canvas, weight: 0.17)
    line(design.series.title, top + 170, 22, .blue, &canvas)
    line("SCALE 1:" + LegendPanel.grouped(design.series.scale), top + 204, 17, .black, &canvas)
    line("NOT FOR NAVIGATION", top + 236, 18, .magenta, &canvas, weight: 0.17)
    return top + 250
  }

  private func dates(_ canvas: inout Canvas, top: Double) -> Double {
    line("EFFECTIVE 0901Z " + design.edition.firstDay.description, top + 18, 17, .blue, &canvas)
    line("TO 0901Z " + design.edition.lastDay.adding(days: 1).description, top + 48, 17, .blue, &canvas)
    let (first, second) = design.projection.standardParallels
    line("LAMBERT CONFORMAL CONIC PROJECTION", top + 86, 12, .black, &canvas)
    line(
      "STANDARD PARALLELS \(LegendPanel.degrees(abs(second))) AND \(LegendPanel.degrees(abs(first)))",
      top + 110, 12,
      .black, &canvas)
    line("HORIZONTAL DATUM: NORTH AMERICAN DATUM OF 1983", top + 134, 12, .black, &canvas)
    line("TERRAIN, TOWNS, ROADS AND AIRWAYS ARE MADE UP.", top + 166, 11, .magenta, &canvas)
    line("AIRPORTS AND NAVAIDS STAND WHERE THE NASR ROWS SAY.", top + 188, 11, .magenta, &canvas)
    return top + 192
  }

  /// The tints of height as steps, each with three lights.
  private func tints(_ canvas: inout Canvas, top: Double) -> Double {
    line("ELEVATION OF TERRAIN IN FEET", top + 14, 14, .black, &canvas)
    let bounds = [0] + SheetPalette.tintBounds.map { Int($0) }
    let step = 34.0
    let shades = SheetPalette.shades(of: design.scenery)
    let room = 150.0 / Double(shades)
    for (tint, bound) in bounds.enumerated() {
      let y = top + 30 + Double(bounds.count - 1 - tint) * step
      for shade in 0..<shades {
        let ground = SheetPalette.Ground.land + UInt8(tint * shades + shade)
        canvas.clearBox(
          x: middle - 120 + Double(shade) * room, y: y, width: room, height: step, ground: ground)
      }
      canvas.box(x: middle - 120, y: y, width: 150, height: step, Pen(.black, 1.2))
      canvas.text(
        LegendPanel.grouped(bound), at: PixelPoint(x: middle + 46, y: y + step + 5),
        Lettering(.black, 12))
    }
    return top + 36 + Double(bounds.count) * step
  }

  private func signs(_ canvas: inout Canvas, top: Double) -> Double {
    line("AIRPORTS, AIRSPACE AND NAVIGATION", top + 14, 14, .blue, &canvas)
    let rows: [(String, (inout Canvas, PixelPoint) -> Void)] = [
      ("AIRPORT WITH CONTROL TOWER", { $0.fillDisc($1, radius: 11, .blue) }),
      ("AIRPORT WITHOUT TOWER", { $0.fillDisc($1, radius: 11, .magenta) }),
      ("PRIVATE OR UNPAVED FIELD", { $0.circle($1, radius: 10, Pen(.magenta, 2)) }),
      ("CLASS B", { $0.stroke([$1.offset(-30, 0), $1.offset(30, 0)], Pen(.blue, 3.4)) }),
      ("CLASS C", { $0.stroke([$1.offset(-30, 0), $1.offset(30, 0)], Pen(.magenta, 3.2)) }),
      ("CLASS D", { $0.stroke([$1.offset(-30, 0), $1.offset(30, 0)], Pen(.blue, 2.4, dash: (14, 8))) }),
      ("CLASS E FROM 700 FEET", { $0.stroke([$1.offset(-30, 0), $1.offset(30, 0)], Pen(.paleMagenta, 7)) }),
      ("AIRWAY", { $0.stroke([$1.offset(-30, 0), $1.offset(30, 0)], Pen(.paleBlue, 3)) }),
      (
        "CONTROL MARK",
        {
          $0.circle($1, radius: 9, Pen(.black, 1))
          $0.fillDisc($1, radius: 3.2, .black)
        }
      ),
    ]
    for (index, row) in rows.enumerated() {
      let y = top + 48 + Double(index) * 32
      row.1(&canvas, PixelPoint(x: left + 60, y: y))
      canvas.text(row.0, at: PixelPoint(x: left + 120, y: y + 6), Lettering(.black, 12))
    }
    return top + 40 + Double(rows.count) * 32
  }

  private func towers(_ canvas: inout Canvas, top: Double) -> Double {
    let fields = design.features.airports.filter {
      $0.isTowered && canvas.area.contains(design.pixel(of: $0.position))
    }
    let rows = fields.prefix(14).map { airport in
      [
        String(airport.name.uppercased().prefix(24)), airport.frequencies["LCL"] ?? "-",
        airport.frequencies["ATIS"] ?? "-",
      ]
    }
    return table(
      "CONTROL TOWER FREQUENCIES", ["AIRPORT", "TOWER", "ATIS"], rows, top: top, .blue, &canvas)
  }

  private func controlMarks(_ canvas: inout Canvas, top: Double) {
    let rows = design.controlMarks().prefix(24).map { mark in
      [
        LegendPanel.degrees(abs(mark.point.latitude)) + (mark.point.latitude < 0 ? " S " : " N ")
          + LegendPanel.degrees(abs(mark.point.longitude)) + (mark.point.longitude < 0 ? " W" : " E"),
        String(Int(mark.pixel.x.rounded())), String(Int(mark.pixel.y.rounded())),
      ]
    }
    _ = table("CONTROL MARKS", ["PLACE", "COLUMN", "ROW"], rows, top: top, .black, &canvas)
  }

  private func table(
    _ title: String, _ head: [String], _ rows: [[String]], top: Double, _ ink: Ink, _ canvas: inout Canvas
  ) -> Double {
    let leading = 24.0
    let visible = rows.prefix(max(0, Int((bottom - top - 80) / leading)))
    guard !visible.isEmpty else { return top }
    line(title, top + 14, 14, ink, &canvas)
    let stops = [left + 14, left + width * 0.62, left + width * 0.82]
    for (index, row) in ([head] + visible).enumerated() {
      let y = top + 50 + Double(index) * leading
      for (cell, x) in zip(row, stops) {
        canvas.text(cell, at: PixelPoint(x: x, y: y), Lettering(ink, index == 0 ? 9 : 11))
      }
    }
    let height = 40 + Double(visible.count) * leading
    canvas.box(x: left, y: top + 28, width: width, height: height - 2, Pen(ink, 1.4))
    return top + 30 + height
  }

  private static func grouped(_ number: Int) -> String {
    number < 1000 ? String(number) : "\(number / 1000)," + String(String(number % 1000 + 1000).dropFirst())
  }

  static func degrees(_ value: Double) -> String {
    let tenths = Int((value * 600).rounded())
    let minutes = Double(tenths % 600) / 10
    let text = minutes == minutes.rounded() ? String(Int(minutes)) : String(minutes)
    return "\(tenths / 600)\u{B0}" + (minutes < 10 ? "0" : "") + text + "'"
  }
}
