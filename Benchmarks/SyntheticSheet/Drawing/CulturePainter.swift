internal import Core
internal import Foundation

/// Draws the shore, streams, roads, and towns' names.
struct CulturePainter {
  let design: SheetDesign
  let terrain: Terrain
  let settlements: Settlements

  func paintLines(_ canvas: inout Canvas) {
    for stream in streams() { canvas.stroke(pixels(stream), Pen(.blue, 1)) }
    for road in settlements.roads(terrain: terrain) {
      let points = pixels(road)
      switch road.kind {
      case .highway:
        canvas.stroke(points, Pen(.black, 2.6))
      case .road, .stream: canvas.stroke(points, Pen(.gray, 1.5))
      case .railway:
        canvas.stroke(points, Pen(.black, 1.2))
        ties(along: points, &canvas)
      }
    }
    shore(&canvas)
  }

  func paintNames(_ canvas: inout Canvas, _ labels: inout LabelField) {
    for town in settlements.towns {
      let center = design.pixel(of: design.place(of: town.spot))
      guard canvas.area.contains(center, margin: 6) else { continue }
      let isLarge = town.radius > 0.026
      let style = Lettering(.black, isLarge ? 15 : 11).with { $0.halo = 1.2 }
      let name = town.name.capitalsOnly
      let width = style.width(of: name)
      let box = LabelField.Box(
        x: center.x + 9, y: center.y - style.height - 4, width: width + 6, height: style.height + 8)
      guard labels.isFree(box), canvas.area.contains(center.offset(width + 15, 0)) else { continue }
      labels.take(box)
      canvas.clearDisc(center, radius: 3.5, ground: SheetPalette.Ground.paper)
      canvas.circle(center, radius: 3.5, Pen(.black, 1.4))
      canvas.text(name, at: center.offset(9, -3), style)
    }
  }

  /// The names of the waters, wide and slanted along their shores.
  func paintWaterNames(_ canvas: inout Canvas) {
    let size = 42.333 / design.metresPerPixel
    let names: [(String, GeoPoint, height: Double, turn: Double)] = [
      ("SAMPLE OCEAN", GeoPoint(longitude: -122.76, latitude: 37.30), 44, 1.0),
      ("GULF OF TESTS", GeoPoint(longitude: -122.47, latitude: 37.08), 20, 0.55),
      ("SAMPLE BAY", GeoPoint(longitude: -122.262, latitude: 37.665), 18, 1.05),
    ]
    for name in names {
      let style = Lettering(.blue, name.height * size.squareRoot()).with {
        $0.turn = name.turn
        $0.slant = 0.25
        $0.tracking = 1.1
        $0.weight = 0.07
        $0.anchor = .middle
      }
      canvas.text(name.0, at: design.pixel(of: name.1), style)
    }
  }

  private func pixels(_ route: Route) -> [PixelPoint] {
    route.spots.map { design.pixel(of: design.place(of: $0)) }
  }

  private func streams() -> [Route] {
    let (low, high) = design.stretch
    let size = Streams.cellSize
    // A stream runs several cells far, so cells beyond the edge are included.
    return Streams.routes(
      columns: Int((low.u / size).rounded(.down)) - 4...Int((high.u / size).rounded(.down)) + 4,
      rows: Int((low.v / size).rounded(.down)) - 4...Int((high.v / size).rounded(.down)) + 4,
      terrain: terrain)
  }

  private func ties(along points: [PixelPoint], _ canvas: inout Canvas) {
    var travelled = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      travelled += length
      guard length > 0, travelled > 22 else { continue }
      travelled = 0
      let dx = (end.x - start.x) / length * 4
      let dy = (end.y - start.y) / length * 4
      canvas.stroke([end.offset(-dy, dx), end.offset(dy, -dx)], Pen(.black, 1.2))
    }
  }

  /// A blue line wherever land touches water.
  private func shore(_ canvas: inout Canvas) {
    let width = canvas.width
    func isWater(_ index: Int) -> Bool {
      canvas.ground[index] == SheetPalette.Ground.water
        || canvas.ground[index] == SheetPalette.Ground.shallow
    }
    for row in 1..<canvas.height - 1 {
      for column in 1..<width - 1 {
        let index = row * width + column
        guard canvas.ground[index] != SheetPalette.Ground.paper, !isWater(index) else { continue }
        if isWater(index - 1) || isWater(index + 1) || isWater(index - width) || isWater(index + width) {
          canvas.put(Ink.blue.code(1), column, row)
        } else if isWater(index - width - 1) || isWater(index + width + 1)
          || isWater(index - width + 1) || isWater(index + width - 1)
        {
          canvas.put(Ink.blue.code(0.5), column, row)
        }
      }
    }
  }
}

extension String {
  /// The font has capitals only.
  var capitalsOnly: String { uppercased() }
}

/// Draws the details that make a real sheet dense between its towns and airports: tracks, obstacles and spot heights, hashed
/// from cells of the world.
struct DetailPainter {
  let design: SheetDesign
  let terrain: Terrain

  private static let cellSize = 0.024

  func paintTracks(_ canvas: inout Canvas) {
    forEachCell { random, corner in
      guard random.unit() < 0.8 else { return }
      let length = random.between(0.5, 2.2) * DetailPainter.cellSize
      let turn = random.between(0, 2 * .pi)
      let spots = (0...12).map { step -> Terrain.Spot in
        let along = length * Double(step) / 12
        let u = corner.u + along * cos(turn)
        let v = corner.v + along * sin(turn)
        let bend = terrain.texture(Terrain.Spot(u: u, v: v), scale: 60) * 0.006
        return Terrain.Spot(u: u - bend * sin(turn), v: v + bend * cos(turn))
      }
      guard !spots.contains(where: { terrain.inland($0) < 0.002 }) else { return }
      let points = spots.map { design.pixel(of: design.place(of: $0)) }
      canvas.stroke(points, random.unit() < 0.6 ? Pen(.gray, 1.1) : Pen(.black, 1.2, dash: (9, 5)))
    }
  }

  func paintHeights(_ canvas: inout Canvas, _ labels: inout LabelField) {
    forEachCell { random, corner in
      let spot = Terrain.Spot(
        u: corner.u + random.unit() * DetailPainter.cellSize,
        v: corner.v + random.unit() * DetailPainter.cellSize)
      let isObstacle = random.unit() < 0.3
      let elevation = Int(terrain.elevation(spot))
      let center = design.pixel(of: design.place(of: spot))
      guard elevation > 20, canvas.area.contains(center, margin: 8) else { return }
      if isObstacle {
        obstacle(center, height: elevation + Int(random.between(150, 900)), &canvas, &labels)
      } else {
        label("\(elevation)", beside: center, Lettering(.black, 9), &canvas, &labels) { canvas in
          canvas.fillDisc(center, radius: 1.6, .black)
        }
      }
    }
  }

  private func obstacle(
    _ foot: PixelPoint, height: Int, _ canvas: inout Canvas, _ labels: inout LabelField
  ) {
    label("\(height)", beside: foot, Lettering(.blue, 9.5).with { $0.weight = 0.16 }, &canvas, &labels) {
      canvas in
      canvas.stroke([foot.offset(-5, 0), foot.offset(0, -14), foot.offset(5, 0)], Pen(.blue, 1.5))
      canvas.fillDisc(foot, radius: 1.5, .blue)
    }
  }

  private func label(
    _ text: String, beside point: PixelPoint, _ style: Lettering, _ canvas: inout Canvas,
    _ labels: inout LabelField, symbol: (inout Canvas) -> Void
  ) {
    let width = style.width(of: text)
    let box = LabelField.Box(x: point.x - 6, y: point.y - 15, width: width + 18, height: 18)
    guard labels.place([box]) != nil else { return }
    symbol(&canvas)
    canvas.text(text, at: point.offset(8, 0), style)
  }

  /// Every cell has its own generator, so that all sheets show the same there.
  private func forEachCell(_ body: (inout SplitMix64, Terrain.Spot) -> Void) {
    let (low, high) = design.stretch
    let size = DetailPainter.cellSize
    for row in Int((low.v / size).rounded(.down))...Int((high.v / size).rounded(.down)) {
      for column in Int((low.u / size).rounded(.down))...Int((high.u / size).rounded(.down)) {
        var random = SplitMix64(seed: 0xDE7A, column: column, row: row)
        body(&random, Terrain.Spot(u: Double(column) * size, v: Double(row) * size))
      }
    }
  }
}
