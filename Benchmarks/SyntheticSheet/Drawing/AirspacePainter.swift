internal import Core
internal import Foundation

/// Rings of controlled airspace, compass roses and airways.
struct AirspacePainter {
  let design: SheetDesign

  private static let metresPerMile = 1852.0

  func paintRings(_ canvas: inout Canvas) {
    let airports = design.features.airports
    surfaceE(airports.filter { !$0.isPrivate && !$0.isHeliport && !$0.isTowered }, &canvas)
    for airport in airports where airport.isTowered {
      let center = design.pixel(of: airport.position)
      switch design.features.airspace[airport.id] {
      case .bravo:
        for miles in [7.0, 15, 22] { ring(center, miles: miles, Pen(.blue, 3.4), &canvas) }
        shelf(center, miles: 7, "100", "SFC", .blue, &canvas)
        shelf(center, miles: 15, "100", "30", .blue, &canvas)
        shelf(center, miles: 22, "100", "60", .blue, &canvas)
      case .charlie:
        for miles in [5.0, 10] { ring(center, miles: miles, Pen(.magenta, 3.2), &canvas) }
        shelf(center, miles: 5, "40", "SFC", .magenta, &canvas)
        shelf(center, miles: 10, "40", "15", .magenta, &canvas)
      case nil:
        ring(center, miles: 4.2, Pen(.blue, 2.4, dash: (14, 8)), &canvas)
      }
    }
  }

  func paintRoses(_ canvas: inout Canvas, _ labels: inout LabelField) {
    for navaid in design.features.navaids {
      let center = design.pixel(of: navaid.position)
      guard canvas.area.contains(center, margin: -200) else { continue }
      if navaid.hasRadials { rose(navaid, center, &canvas) }
      hexagon(center, &canvas)
      if canvas.area.contains(center, margin: 20) { nameBox(navaid, center, &canvas, &labels) }
    }
  }

  /// Straight airways between near stations. Their numbers are derived from the two places.
  func paintAirways(_ canvas: inout Canvas) {
    let stations = design.features.navaids.filter(\.hasRadials).filter { $0.type != "TACAN" }
    for (index, start) in stations.enumerated() {
      for end in stations.dropFirst(index + 1) {
        let number =
          Int(SplitMix64.mix(UInt64((start.id + end.id).utf8.reduce(7) { $0 &* 131 &+ Int($1) })) % 480) + 10
        let from = design.pixel(of: start.position)
        let to = design.pixel(of: end.position)
        let miles = from.distance(to: to) * design.metresPerPixel / AirspacePainter.metresPerMile
        guard (18...62).contains(miles), number % 5 < 3 else { continue }
        canvas.stroke([from, to], Pen(.paleBlue, 3))
        airwayLabel("V\(number)", from, to, &canvas)
      }
    }
  }

  private func ring(_ center: PixelPoint, miles: Double, _ pen: Pen, _ canvas: inout Canvas) {
    canvas.circle(center, radius: pixels(miles), pen)
  }

  private func pixels(_ miles: Double) -> Double {
    miles * AirspacePainter.metresPerMile / design.metresPerPixel
  }

  /// Ceiling over floor, on the north-western side within a ring.
  private func shelf(
    _ center: PixelPoint, miles: Double, _ ceiling: String, _ floor: String, _ ink: Ink,
    _ canvas: inout Canvas
  ) {
    let radius = pixels(miles) - 34
    let spot = center.offset(-radius * 0.5, -radius * 0.866)
    let style = Lettering(ink, 17).with {
      $0.weight = 0.16
      $0.anchor = .middle
      $0.halo = 1.5
    }
    canvas.text(ceiling, at: spot, style)
    canvas.stroke([spot.offset(-24, 6), spot.offset(24, 6)], Pen(ink, 2))
    canvas.text(floor, at: spot.offset(0, 29), style)
  }

  /// One pale band around all fields together, not through them.
  private func surfaceE(_ airports: [Airport], _ canvas: inout Canvas) {
    let radius = pixels(5.5)
    let centers = airports.map { design.pixel(of: $0.position) }
    for (index, center) in centers.enumerated() {
      var run: [PixelPoint] = []
      for point in Canvas.ring(center, radius: radius) {
        let isInside = centers.enumerated().contains {
          $0.offset != index && $0.element.distance(to: point) < radius
        }
        if isInside {
          canvas.stroke(run, Pen(.paleMagenta, 7))
          run = []
        } else {
          run.append(point)
        }
      }
      canvas.stroke(run, Pen(.paleMagenta, 7))
    }
  }

  private func rose(_ navaid: Navaid, _ center: PixelPoint, _ canvas: inout Canvas) {
    let radius = 140.0
    canvas.circle(center, radius: radius, Pen(.blue, 1.4))
    let north = design.pixel(
      of: GeoPoint(longitude: navaid.position.longitude, latitude: navaid.position.latitude + 0.1))
    let convergence = atan2(north.x - center.x, center.y - north.y)
    for degrees in stride(from: 0, to: 360, by: 5) {
      let angle = (Double(degrees) + navaid.magneticVariation) * .pi / 180 + convergence
      let reach = degrees % 30 == 0 ? 16.0 : degrees % 10 == 0 ? 11 : 7
      func at(_ distance: Double) -> PixelPoint {
        center.offset(sin(angle) * distance, -cos(angle) * distance)
      }
      canvas.stroke([at(radius), at(radius - reach)], Pen(.blue, 1.4))
      guard degrees % 30 == 0 else { continue }
      let style = Lettering(.blue, 11).with {
        $0.turn = angle
        $0.anchor = .middle
        $0.halo = 1
      }
      canvas.text(degrees == 0 ? "0" : String(degrees / 10), at: at(radius - 31), style)
    }
    canvas.stroke([center.offset(sin(convergence), 0), center], Pen(.blue, 1))
  }

  private func hexagon(_ center: PixelPoint, _ canvas: inout Canvas) {
    let corners = (0...6).map { corner in
      center.offset(12 * cos(Double(corner) * .pi / 3), 12 * sin(Double(corner) * .pi / 3))
    }
    canvas.stroke(corners, Pen(.blue, 2))
    canvas.fillDisc(center, radius: 2, .blue)
  }

  private func nameBox(
    _ navaid: Navaid, _ center: PixelPoint, _ canvas: inout Canvas, _ labels: inout LabelField
  ) {
    let style = Lettering(.blue, 12)
    let lines = [navaid.name, "\(navaid.frequency) CH \(navaid.channel) \(navaid.id)"]
    let width = (lines.map(style.width).max() ?? 0) + 14
    let places = [(30.0, 40.0), (-30 - width, 40), (30, -85), (-30 - width, -85), (-width / 2, 60)]
      .map { LabelField.Box(x: center.x + $0.0, y: center.y + $0.1, width: width, height: 46) }
    guard let box = labels.place(places) else { return }
    canvas.clearBox(x: box.x, y: box.y, width: box.width, height: box.height)
    canvas.box(x: box.x, y: box.y, width: box.width, height: box.height, Pen(.blue, 1.8))
    canvas.text(lines[0], at: PixelPoint(x: box.x + 7, y: box.y + 18), style)
    canvas.text(lines[1], at: PixelPoint(x: box.x + 7, y: box.y + 37), style)
  }

  private func airwayLabel(
    _ text: String, _ from: PixelPoint, _ to: PixelPoint, _ canvas: inout Canvas
  ) {
    let (start, end) = from.x <= to.x ? (from, to) : (to, from)
    let turn = atan2(end.y - start.y, end.x - start.x)
    let style = Lettering(.blue, 12).with {
      $0.turn = turn
      $0.anchor = .middle
      $0.halo = 4
    }
    let middle = PixelPoint(x: start.x * 0.45 + end.x * 0.55, y: start.y * 0.45 + end.y * 0.55)
    canvas.text(text, at: middle.offset(-sin(turn) * 6, cos(turn) * 6), style)
  }
}
