internal import Core
internal import Foundation

/// Airports as a sectional draws them: blue with a tower, magenta without, the runways in white, and the data beside.
struct AirportPainter {
  let design: SheetDesign

  /// The runway length in feet from which the pattern is drawn instead of a disc.
  private static let longRunway = 8070

  func paintSymbols(_ canvas: inout Canvas, _ labels: inout LabelField) {
    for airport in design.features.airports {
      let center = design.pixel(of: airport.position)
      guard canvas.area.contains(center, margin: -30) else { continue }
      symbol(airport, center, &canvas)
      labels.take(extent(airport, center))
    }
  }

  func paintData(_ canvas: inout Canvas, _ labels: inout LabelField) {
    let ranked = design.features.airports.filter { !$0.isHeliport }.sorted {
      ($0.isPrivate ? 1 : 0, $0.id) < ($1.isPrivate ? 1 : 0, $1.id)
    }
    for airport in ranked {
      let center = design.pixel(of: airport.position)
      guard canvas.area.contains(center, margin: 4) else { continue }
      dataBlock(airport, center, &canvas, &labels)
    }
  }

  /// The space of the symbol: a disc, or the reach of the long runways.
  private func extent(_ airport: Airport, _ center: PixelPoint) -> LabelField.Box {
    let isLong = airport.longestRunway >= AirportPainter.longRunway && !airport.isPrivate
    let ends = isLong ? airport.runways.flatMap { $0.ends.map(design.pixel) } : []
    let xs = ends.map(\.x) + [center.x - 12, center.x + 12]
    let ys = ends.map(\.y) + [center.y - 12, center.y + 12]
    let left = (xs.min() ?? center.x) - 5
    let top = (ys.min() ?? center.y) - 5
    return LabelField.Box(
      x: left, y: top, width: (xs.max() ?? center.x) + 5 - left, height: (ys.max() ?? center.y) + 5 - top)
  }

  private func ink(_ airport: Airport) -> Ink { airport.isTowered ? .blue : .magenta }

  private func symbol(_ airport: Airport, _ center: PixelPoint, _ canvas: inout Canvas) {
    let ink = ink(airport)
    if airport.isHeliport || airport.isPrivate || !airport.runways.contains(where: \.isPaved) {
      openCircle(airport, center, &canvas)
    } else if airport.longestRunway >= AirportPainter.longRunway {
      pattern(airport, ink, &canvas)
    } else {
      canvas.clearDisc(center, radius: 12)
      if airport.hasFuel {
        for (dx, dy) in [(15.0, 0.0), (-15, 0), (0, 15), (0, -15)] {
          canvas.stroke([center.offset(dx * 0.7, dy * 0.7), center.offset(dx, dy)], Pen(ink, 5))
        }
      }
      canvas.fillDisc(center, radius: 11, ink)
      whiteRunways(airport, center, &canvas)
    }
  }

  private func openCircle(_ airport: Airport, _ center: PixelPoint, _ canvas: inout Canvas) {
    let radius = airport.isHeliport ? 8.0 : 10
    canvas.clearDisc(center, radius: radius)
    canvas.circle(center, radius: radius, Pen(ink(airport), 2))
    let letter = airport.isHeliport ? "H" : airport.isPrivate ? "R" : ""
    let style = Lettering(ink(airport), airport.isHeliport ? 8 : 10).with {
      $0.anchor = .middle
      $0.weight = 0.17
    }
    canvas.text(letter, at: center.offset(0, style.height / 2), style)
  }

  /// Long runways at their true position and length: white with an outline of ink.
  private func pattern(_ airport: Airport, _ ink: Ink, _ canvas: inout Canvas) {
    let lines = airport.runways.filter { $0.ends.count == 2 }.map { $0.ends.map(design.pixel) }
    for line in lines { canvas.stroke(line, Pen(ink, 12)) }
    for line in lines { whiteLine(line, width: 5.5, &canvas) }
  }

  private func whiteRunways(_ airport: Airport, _ center: PixelPoint, _ canvas: inout Canvas) {
    let longest = Double(max(1, airport.longestRunway))
    for runway in airport.runways where runway.isPaved {
      guard let direction = direction(of: runway, airport) else { continue }
      let reach = 8.5 * max(0.55, Double(runway.length) / longest)
      let dx = sin(direction) * reach
      let dy = -cos(direction) * reach
      whiteLine([center.offset(-dx, -dy), center.offset(dx, dy)], width: 3, &canvas)
    }
  }

  private func whiteLine(_ line: [PixelPoint], width: Double, _ canvas: inout Canvas) {
    var pen = Pen(.black, width)
    pen.erases = true
    pen.ground = SheetPalette.Ground.paper
    canvas.stroke(line, pen)
  }

  /// Radians from grid north: from the ends, or else from the runway's name and the variation.
  private func direction(of runway: Airport.Runway, _ airport: Airport) -> Double? {
    if runway.ends.count == 2 {
      let start = design.pixel(of: runway.ends[0])
      let end = design.pixel(of: runway.ends[1])
      return atan2(end.x - start.x, start.y - end.y)
    }
    guard let tens = Double(runway.id.prefix { $0.isNumber }) else { return nil }
    return (tens * 10 + airport.magneticVariation) * .pi / 180
  }

  private func dataBlock(
    _ airport: Airport, _ center: PixelPoint, _ canvas: inout Canvas, _ labels: inout LabelField
  ) {
    let name = Lettering(ink(airport), airport.isPrivate ? 10 : 13.5).with {
      $0.halo = 1.4
      $0.weight = 0.15
    }
    let detail = Lettering(ink(airport), airport.isPrivate ? 9 : 11).with { $0.halo = 1.4 }
    let lines = AirportData.lines(airport)
    let width =
      zip(lines, [name] + lines.dropFirst().map { _ in detail })
      .map { $1.width(of: $0) }.max() ?? 0
    let leading = detail.height + 6
    let height = name.height + leading * Double(lines.count - 1) + 6
    let symbol = extent(airport, center)
    let right = symbol.x + symbol.width + 4
    let left = symbol.x - width - 4
    let below = symbol.y + symbol.height + 4
    let above = symbol.y - height - 4
    let places = [
      (right, center.y - height / 2), (left, center.y - height / 2), (right, below), (right, above),
      (center.x - width / 2, below), (center.x - width / 2, above), (left, below), (left, above),
      (right + 40, center.y), (left - 40, center.y),
    ].map { LabelField.Box(x: $0.0, y: $0.1, width: width, height: height) }
    // A block that crosses the neatline is the last choice.
    let whole = places.filter { box in
      canvas.area.contains(PixelPoint(x: box.x, y: box.y), margin: 6)
        && canvas.area.contains(PixelPoint(x: box.x + width, y: box.y + height), margin: 6)
    }
    guard let box = labels.place(whole) ?? (airport.isPrivate ? nil : whole.first ?? places.first) else {
      return
    }
    var baseline = PixelPoint(x: box.x, y: box.y + name.height)
    canvas.text(lines[0], at: baseline, name)
    for line in lines.dropFirst() {
      baseline = baseline.offset(0, leading)
      canvas.text(line, at: baseline, detail)
    }
  }
}

/// The text of an airport's data block.
enum AirportData {
  static func lines(_ airport: Airport) -> [String] {
    let elevation = String(Int(airport.elevation.rounded()))
    let light = airport.hasLights ? " L " : " - "
    let length = airport.longestRunway > 0 ? String((airport.longestRunway + 50) / 100) : "-"
    if airport.isPrivate && !airport.isTowered {
      return [airport.name.uppercased(), "(PVT) \(elevation)\(light)\(length)"]
    }
    var lines = ["\(airport.name.uppercased()) (\(airport.id))"]
    if let tower = airport.frequencies["LCL"] { lines.append("CT - \(tower) *") }
    if let atis = airport.frequencies["ATIS"] { lines.append("ATIS \(atis)") }
    let unicom = airport.frequencies["UNICOM"].map { " \($0)" } ?? ""
    lines.append("\(elevation)\(light)\(length)\(unicom)")
    if !airport.isTowered, let common = airport.frequencies["CTAF"] { lines.append("CTAF \(common)") }
    return lines
  }
}
