internal import Core
internal import Foundation

/// Draws meridians and parallels every half degree with a tick every minute, the elevation figures between them, and the
/// control marks for tests.
struct GraticulePainter {
  let design: SheetDesign
  let terrain: Terrain

  private var box: GeoBox { design.envelope }
  private let minute = 1.0 / 60

  func paintLines(_ canvas: inout Canvas) {
    let step = SheetDesign.graticuleStep
    for longitude in multiples(of: step, from: box.west, to: box.east) {
      let latitudes = stride(from: box.south, through: box.north, by: 0.02)
      let line = latitudes.map { design.pixel(of: GeoPoint(longitude: longitude, latitude: $0)) }
      canvas.stroke(line, Pen(.black, 1.5))
      for latitude in multiples(of: minute, from: box.south, to: box.north) {
        let point = GeoPoint(longitude: longitude, latitude: latitude)
        tick(at: point, along: GeoPoint(longitude: longitude, latitude: latitude + 0.01), latitude, &canvas)
      }
    }
    for latitude in multiples(of: step, from: box.south, to: box.north) {
      let longitudes = stride(from: box.west, through: box.east, by: 0.02)
      let line = longitudes.map { design.pixel(of: GeoPoint(longitude: $0, latitude: latitude)) }
      canvas.stroke(line, Pen(.black, 1.5))
      for longitude in multiples(of: minute, from: box.west, to: box.east) {
        let point = GeoPoint(longitude: longitude, latitude: latitude)
        tick(at: point, along: GeoPoint(longitude: longitude + 0.01, latitude: latitude), longitude, &canvas)
      }
    }
    labels(&canvas)
  }

  /// The figures are beside the lines, a quarter of the way between two intersections.
  private func labels(_ canvas: inout Canvas) {
    let style = Lettering(.black, 16).with {
      $0.halo = 2
      $0.weight = 0.15
    }
    let step = SheetDesign.graticuleStep
    for latitude in multiples(of: step, from: box.south, to: box.north) {
      for longitude in multiples(of: step, from: box.west, to: box.east) {
        let beside = design.pixel(of: GeoPoint(longitude: longitude + 0.17, latitude: latitude))
        if canvas.area.contains(beside, margin: 30) {
          canvas.text(degrees(latitude), at: beside.offset(0, -6), style)
        }
        let above = design.pixel(of: GeoPoint(longitude: longitude, latitude: latitude + 0.15))
        if canvas.area.contains(above, margin: 30) {
          canvas.text(
            degrees(GeoPoint(longitude: longitude, latitude: 0).onEarth.longitude), at: above.offset(-6, 0),
            style.with { $0.turn = -.pi / 2 })
        }
      }
    }
  }

  /// Keeps lettering away from the lines.
  func reserve(_ labels: inout LabelField) {
    let step = SheetDesign.graticuleStep
    for longitude in multiples(of: step, from: box.west, to: box.east) {
      for latitude in stride(from: box.south, through: box.north, by: 0.003) {
        reserve(GeoPoint(longitude: longitude, latitude: latitude), &labels)
      }
    }
    for latitude in multiples(of: step, from: box.south, to: box.north) {
      for longitude in stride(from: box.west, through: box.east, by: 0.003) {
        reserve(GeoPoint(longitude: longitude, latitude: latitude), &labels)
      }
    }
    for mark in design.controlMarks() {
      labels.take(LabelField.Box(x: mark.pixel.x - 9, y: mark.pixel.y - 9, width: 18, height: 18))
    }
  }

  private func reserve(_ point: GeoPoint, _ labels: inout LabelField) {
    let pixel = design.pixel(of: point)
    guard canvasHolds(pixel) else { return }
    labels.take(LabelField.Box(x: pixel.x - 5, y: pixel.y - 5, width: 10, height: 10))
  }

  private func canvasHolds(_ pixel: PixelPoint) -> Bool {
    (0..<Double(design.width)).contains(pixel.x) && (0..<Double(design.height)).contains(pixel.y)
  }

  func paintElevationFigures(_ canvas: inout Canvas, _ labels: inout LabelField) {
    let step = SheetDesign.graticuleStep
    for south in multiples(of: step, from: box.south - step, to: box.north) {
      for west in multiples(of: step, from: box.west - step, to: box.east) {
        let middle = GeoPoint(longitude: west + step / 2, latitude: south + step / 2)
        let pixel = design.pixel(of: middle)
        guard canvas.area.contains(pixel, margin: 60) else { continue }
        let hundreds = Int((highest(west: west, south: south) + 250) / 100)
        let large = Lettering(.blue, 56).with {
          $0.weight = 0.16
          $0.anchor = .right
          $0.halo = 2
        }
        let small = Lettering(.blue, 36).with {
          $0.weight = 0.17
          $0.halo = 2
        }
        canvas.text(String(hundreds / 10), at: pixel.offset(0, 28), large)
        canvas.text(String(hundreds % 10), at: pixel.offset(10, 4), small)
        labels.take(LabelField.Box(x: pixel.x - 70, y: pixel.y - 40, width: 120, height: 80))
      }
    }
  }

  /// Drawn last, so that nothing covers the marks.
  func paintControlMarks(_ canvas: inout Canvas) {
    for mark in design.controlMarks() {
      canvas.clearDisc(mark.pixel, radius: 9, ground: SheetPalette.Ground.paper)
      canvas.circle(mark.pixel, radius: 9, Pen(.black, 1))
      canvas.fillDisc(mark.pixel, radius: 3.2, .black)
    }
  }

  private func highest(west: Double, south: Double) -> Double {
    var highest = 0.0
    for row in 0...24 {
      for column in 0...24 {
        let point = GeoPoint(
          longitude: west + Double(column) / 24 * SheetDesign.graticuleStep,
          latitude: south + Double(row) / 24 * SheetDesign.graticuleStep)
        highest = max(highest, terrain.elevation(design.spot(of: point)))
      }
    }
    return highest
  }

  private func tick(at point: GeoPoint, along: GeoPoint, _ coordinate: Double, _ canvas: inout Canvas) {
    let center = design.pixel(of: point)
    guard canvas.area.contains(center, margin: -20) else { return }
    let minutes = Int((coordinate * 60).rounded())
    let reach = minutes % 10 == 0 ? 9.0 : minutes % 5 == 0 ? 6.5 : 4
    let next = design.pixel(of: along)
    let length = center.distance(to: next)
    let nx = -(next.y - center.y) / length * reach
    let ny = (next.x - center.x) / length * reach
    canvas.stroke([center.offset(nx, ny), center.offset(-nx, -ny)], Pen(.black, 1.2))
  }

  private func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
    let first = Int((low / step).rounded(.up))
    let last = Int((high / step).rounded(.down))
    return first > last ? [] : (first...last).map { Double($0) * step }
  }

  private func degrees(_ value: Double) -> String {
    let minutes = abs(Int((value * 60).rounded()))
    let rest = minutes % 60
    return "\(minutes / 60)\u{B0}" + (rest < 10 ? "0\(rest)'" : "\(rest)'")
  }
}
