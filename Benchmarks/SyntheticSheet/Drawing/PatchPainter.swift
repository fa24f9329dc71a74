internal import Foundation

/// Content printed over the map that is not an inset: notes, tables, outlines of other charts, blank areas.
public struct SheetPatch: Sendable {
  public enum Kind: Sendable {
    /// Lettering on white, in a frame.
    case note
    /// A table on white with a few coloured fields, in a frame.
    case table
    /// Lettering on one colour, in a frame and a white band.
    case tintedNote
    /// The white band around the area of a terminal chart. The map continues inside.
    case outline
    /// White with an irregular rim, like ice.
    case ice
    /// A white rectangle.
    case blank
    /// A blue double line with hatching. The map continues inside.
    case restricted
    /// A strip of white with a title, as insets have along one side.
    case title
  }

  public var kind: Kind
  public var column: Int
  public var row: Int
  public var width: Int
  public var height: Int

  public init(_ kind: Kind, column: Int, row: Int, width: Int, height: Int) {
    self.kind = kind
    self.column = column
    self.row = row
    self.width = width
    self.height = height
  }
}

/// Draws patches over everything else on the map.
struct PatchPainter {
  let patch: SheetPatch

  private var left: Double { Double(patch.column) }
  private var top: Double { Double(patch.row) }
  private var width: Double { Double(patch.width) }
  private var height: Double { Double(patch.height) }
  private static let band = 40.0

  func paint(_ canvas: inout Canvas) {
    switch patch.kind {
    case .note: box(&canvas, ground: SheetPalette.Ground.paper, .blue)
    case .table:
      box(&canvas, ground: SheetPalette.Ground.paper, .black)
      swatches(&canvas)
    case .tintedNote:
      let band = PatchPainter.band
      canvas.clearBox(
        x: left - band, y: top - band, width: width + 2 * band, height: height + 2 * band,
        ground: SheetPalette.Ground.paper)
      box(&canvas, ground: SheetPalette.Ground.city, .black)
    case .outline: outline(&canvas)
    case .ice: ice(&canvas)
    case .blank: clear(&canvas, SheetPalette.Ground.paper)
    case .restricted: restricted(&canvas)
    case .title:
      clear(&canvas, SheetPalette.Ground.paper)
      canvas.box(x: left, y: top, width: width, height: height, Pen(.black, 2))
      let style = Lettering(.blue, height * 0.4).with { $0.anchor = .middle }
      canvas.text(
        "INSET - SCALE 1:250,000", at: PixelPoint(x: left + width / 2, y: top + height * 0.7), style)
    }
  }

  private func clear(_ canvas: inout Canvas, _ ground: UInt8) {
    canvas.clearBox(x: left, y: top, width: width, height: height, ground: ground)
  }

  private func box(_ canvas: inout Canvas, ground: UInt8, _ ink: Ink) {
    clear(&canvas, ground)
    canvas.box(x: left, y: top, width: width, height: height, Pen(ink, 3))
    let lines = max(1, Int(height / 30) - 1)
    for line in 0..<lines {
      var style = Lettering(ink, 14)
      let text = "SPECIAL NOTICE \(line + 1): CONTACT CONTROLLING AGENCY ON 118.\(line % 9)0"
      style.height = min(14, 14 * (width - 40) / style.width(of: text))
      canvas.text(text, at: PixelPoint(x: left + 20, y: top + 30 * Double(line + 1)), style)
    }
  }

  private func swatches(_ canvas: inout Canvas) {
    for step in 0..<6 {
      canvas.clearBox(
        x: left + width * 0.75, y: top + height * (0.1 + 0.13 * Double(step)), width: width * 0.15,
        height: height * 0.1, ground: SheetPalette.Ground.land + UInt8(3 * step))
    }
  }

  private func outline(_ canvas: inout Canvas) {
    let band = PatchPainter.band
    let paper = SheetPalette.Ground.paper
    canvas.clearBox(x: left, y: top, width: width, height: band, ground: paper)
    canvas.clearBox(x: left, y: top + height - band, width: width, height: band, ground: paper)
    canvas.clearBox(x: left, y: top, width: band, height: height, ground: paper)
    canvas.clearBox(x: left + width - band, y: top, width: band, height: height, ground: paper)
    let style = Lettering(.blue, 20)
    canvas.text("TERMINAL AREA CHART", at: PixelPoint(x: left + 200, y: top + 30), style)
  }

  private func ice(_ canvas: inout Canvas) {
    for row in 0..<patch.height {
      let y = 2 * (Double(row) + 0.5) / height - 1
      let wave = 0.06 * sin(Double(row) / 17) + 0.05 * sin(Double(row) / 41)
      let half = width / 2 * ((1 - y * y).squareRoot() * 0.9 + wave)
      guard half > 0 else { continue }
      canvas.clearBox(
        x: left + width / 2 - half, y: top + Double(row), width: 2 * half, height: 1,
        ground: SheetPalette.Ground.paper)
    }
  }

  private func restricted(_ canvas: inout Canvas) {
    canvas.box(x: left, y: top, width: width, height: height, Pen(.blue, 3))
    for step in stride(from: 0.0, to: width, by: 14) {
      canvas.stroke(
        [PixelPoint(x: left + step, y: top), PixelPoint(x: left + step, y: top + 14)], Pen(.blue, 2))
      canvas.stroke(
        [PixelPoint(x: left + step, y: top + height - 14), PixelPoint(x: left + step, y: top + height)],
        Pen(.blue, 2))
    }
  }
}
