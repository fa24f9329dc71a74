internal import Core
internal import Foundation
internal import RasterIO

/// A drawn sheet: one palette index for each pixel, row by row from the north.
public struct SheetDrawing: Sendable {
  public let width: Int
  public let height: Int
  public internal(set) var pixels: [UInt8]

  /// Draws the design, from the ground up.
  ///
  /// - Parameter host: a drawing of the design without its insets; nil to draw that too.
  public init(_ design: SheetDesign, on host: SheetDrawing? = nil) {
    (width, height) = (design.width, design.height)
    pixels = host?.pixels ?? SheetDrawing.printed(design)
    let area = MapArea(design)
    for inset in design.insets { print(inset, in: area) }
    if design.scenery.isBlurred {
      pixels = BlurredPrint(of: design.scenery).blurred(pixels, width: width, height: height)
    }
  }

  /// The palette indices of the sheet itself.
  private static func printed(_ design: SheetDesign) -> [UInt8] {
    var canvas = Canvas(width: design.width, height: design.height, area: MapArea(design))
    if let texture = design.scenery.texture {
      TexturePainter(design, texture).paint(&canvas)
    } else if design.scenery.isSmallScale {
      AtlasPainter(design).paint(&canvas)
    } else {
      SheetDrawing.paintCloseUp(design, &canvas)
    }
    CollarPainter(design: design).paint(&canvas)

    for patch in design.patches { PatchPainter(patch: patch).paint(&canvas) }
    return canvas.indices()
  }

  static func paintCloseUp(_ design: SheetDesign, _ canvas: inout Canvas, hasGraticule: Bool = true) {
    let terrain = Terrain(
      fields: design.features.airports.map { (design.spot(of: $0.position), $0.elevation) })
    let settlements = Settlements(from: design.stretch.low, to: design.stretch.high, terrain: terrain)
    var labels = LabelField(width: design.width, height: design.height)
    let culture = CulturePainter(design: design, terrain: terrain, settlements: settlements)
    let graticule = GraticulePainter(design: design, terrain: terrain)
    let airspace = AirspacePainter(design: design)
    let airports = AirportPainter(design: design)

    TerrainPainter(design, terrain: terrain, settlements: settlements).paint(&canvas)
    let detail = DetailPainter(design: design, terrain: terrain)
    if design.scenery.isDense { detail.paintTracks(&canvas) }
    culture.paintLines(&canvas)
    airspace.paintAirways(&canvas)
    airspace.paintRings(&canvas)
    if hasGraticule { graticule.reserve(&labels) }
    graticule.paintElevationFigures(&canvas, &labels)
    airports.paintSymbols(&canvas, &labels)
    airspace.paintRoses(&canvas, &labels)
    airports.paintData(&canvas, &labels)
    culture.paintNames(&canvas, &labels)
    if design.scenery.isDense { detail.paintHeights(&canvas, &labels) }
    culture.paintWaterNames(&canvas)
    guard hasGraticule else { return }
    graticule.paintLines(&canvas)
    graticule.paintControlMarks(&canvas)
  }
}

extension Canvas {
  /// Combines the two planes to palette indices.
  fileprivate func indices() -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: ground.count)
    for index in indices.indices {
      indices[index] = SheetPalette.index(ground: ground[index], ink: ink[index])
    }
    return indices
  }
}

extension SheetDrawing {
  private mutating func print(_ inset: SheetInset, in area: MapArea) {
    let drawing = SheetDrawing(inset.design)
    let band = inset.band
    let (sine, cosine) = (sin(inset.turn * .pi / 180), cos(inset.turn * .pi / 180))
    let middle = (x: Double(drawing.width) / 2, y: Double(drawing.height) / 2)
    let reach = band + Int(abs(sine) * Double(max(drawing.width, drawing.height)))
    for row in max(0, inset.row - reach)..<min(height, inset.row + drawing.height + reach) {
      for column in max(0, inset.column - reach)..<min(width, inset.column + drawing.width + reach) {
        let x = Double(column - inset.column) + 0.5 - middle.x
        let y = Double(row - inset.row) + 0.5 - middle.y
        let across = Int((middle.x + x * cosine + y * sine).rounded(.down))
        let down = Int((middle.y + y * cosine - x * sine).rounded(.down))
        if (0..<drawing.width).contains(across), (0..<drawing.height).contains(down) {
          pixels[row * width + column] = drawing.pixels[down * drawing.width + across]
        } else if (-band..<drawing.width + band).contains(across),
          (-band..<drawing.height + band).contains(down), area.contains(column: column, row: row)
        {
          pixels[row * width + column] = 0
        }
      }
    }
  }
}

/// Softens a drawn sheet: each pixel becomes the palette colour nearest to the mean of three by three.
struct BlurredPrint {
  private let colors: [(red: Int, green: Int, blue: Int)]

  init(of scenery: Scenery) {
    colors = SheetPalette.colors(of: scenery).map { (Int($0.red), Int($0.green), Int($0.blue)) }
  }

  func blurred(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
    var known: [Int: UInt8] = [:]
    var result = pixels
    for row in 1..<height - 1 {
      for column in 1..<width - 1 {
        let place = row * width + column
        let own = pixels[place]
        var isFlat = true
        var sum = (red: 0, green: 0, blue: 0)
        for start in [place - width - 1, place - 1, place + width - 1] {
          for index in pixels[start..<start + 3] {
            isFlat = isFlat && index == own
            let color = colors[Int(index)]
            sum = (sum.red + color.red, sum.green + color.green, sum.blue + color.blue)
          }
        }
        if isFlat { continue }
        let key = sum.red / 36 << 16 | sum.green / 36 << 8 | sum.blue / 36
        let index = known[key] ?? nearest(to: (sum.red / 9, sum.green / 9, sum.blue / 9))
        known[key] = index
        result[place] = index
      }
    }
    return result
  }

  private func nearest(to mean: (red: Int, green: Int, blue: Int)) -> UInt8 {
    func distance(_ color: (red: Int, green: Int, blue: Int)) -> Int {
      let (red, green, blue) = (color.red - mean.red, color.green - mean.green, color.blue - mean.blue)
      return red * red + green * green + blue * blue
    }
    return UInt8(colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0)
  }
}

/// The occupied space of lettering in squares of eight pixels, so that names do not overlap.
struct LabelField {
  private static let square = 8.0
  private let columns: Int
  private let rows: Int
  private var taken: [Bool]

  init(width: Int, height: Int) {
    columns = width / Int(LabelField.square) + 1
    rows = height / Int(LabelField.square) + 1
    taken = [Bool](repeating: false, count: columns * rows)
  }

  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  func isFree(_ box: Box) -> Bool {
    var free = true
    forEachSquare(box) { if taken[$0] { free = false } }
    return free
  }

  mutating func take(_ box: Box) {
    var squares: [Int] = []
    forEachSquare(box) { squares.append($0) }
    for square in squares { taken[square] = true }
  }

  /// Occupies the first free box and returns it; nil if none is free.
  mutating func place(_ boxes: [Box]) -> Box? {
    guard let box = boxes.first(where: isFree) else { return nil }
    take(box)
    return box
  }

  private func forEachSquare(_ box: Box, _ body: (Int) -> Void) {
    let size = LabelField.square
    let left = max(0, Int(box.x / size))
    let right = min(columns - 1, Int((box.x + box.width) / size))
    let top = max(0, Int(box.y / size))
    let bottom = min(rows - 1, Int((box.y + box.height) / size))
    guard left <= right, top <= bottom else { return }
    for row in top...bottom {
      for column in left...right { body(row * columns + column) }
    }
  }
}
