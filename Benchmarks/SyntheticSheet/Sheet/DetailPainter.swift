internal import Core
internal import Foundation

/// What makes a real sheet dense beyond its towns and airports: tracks, obstacles and spot heights, hashed from cells of
/// the world.
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

  /// Every cell has a generator of its own, so that any sheet finds the same there.
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
