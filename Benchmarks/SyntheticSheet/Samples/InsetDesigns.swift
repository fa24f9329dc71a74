internal import ChartpipeKit
internal import Core

/// Sheets with insets that their definitions do not mask, and with content that resembles insets. They are not samples.
extension SheetDesign {
  public static func insetSheets(_ edition: Edition) -> [SheetDesign] {
    [
      insetsInside(edition), insetsInCorners(edition), insetsAtEdges(edition), insetsSideBySide(edition),
      smallInsets(edition), insetsOnOcean(edition), blurredInsets(edition), largeInset(edition),
      tiltedInset(edition), decoys(edition),
    ]
  }

  /// In the middle of the land: with a frame and a title, at the sheet's own scale.
  public static func insetsInside(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Inside", edition)
    design.print(column: 500, row: 400, width: 1000, height: 800, InsetStyle(hasTitle: true))
    design.print(column: 1900, row: 1300, width: 900, height: 1000, InsetStyle(scale: 1))
    return design
  }

  /// In each corner, touching the neatline.
  public static func insetsInCorners(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Corners", edition)
    design.print(column: 200, row: 50, width: 1000, height: 850)
    design.print(column: 2350, row: 50, width: 1000, height: 860, InsetStyle(frame: 1))
    design.print(column: 200, row: 1850, width: 900, height: 850, InsetStyle(frame: 0))
    design.print(column: 2250, row: 1800, width: 1100, height: 900, InsetStyle(hasTitle: true))
    return design
  }

  /// At each edge. Two of the edges are lines of the graticule, which are slanted.
  public static func insetsAtEdges(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Edges", edition)
    let (west, south) = (
      design.place(of: PixelPoint(x: 220, y: 1400)), design.place(of: PixelPoint(x: 1700, y: 2680))
    )
    design.neatline.outline[0] = .meridian(west.longitude)
    design.neatline.outline[1] = .parallel(south.latitude)
    design.print(column: 230, row: 900, width: 900, height: 850)
    design.print(column: 1300, row: 1830, width: 1000, height: 860)
    design.print(column: 2500, row: 1000, width: 850, height: 900)
    design.print(column: 1500, row: 50, width: 900, height: 850)
    return design
  }

  /// Two above each other and two beside each other, with one band of 100 pixels between them.
  public static func insetsSideBySide(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Pairs", edition)
    let style = InsetStyle(band: 100)
    design.print(column: 400, row: 300, width: 1200, height: 700, style)
    design.print(column: 400, row: 1100, width: 1000, height: 600, style)
    design.print(column: 1900, row: 1850, width: 600, height: 600, style)
    design.print(column: 2600, row: 1850, width: 550, height: 600, style)
    return design
  }

  /// Insets with sides of 300 pixels, on lines of the graticule and between them.
  public static func smallInsets(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Small", edition)
    for (crossing, frame) in zip(design.graticuleCrossings(margin: 300).prefix(3), [3.0, 1, 0]) {
      design.print(
        column: Int(crossing.pixel.x) - 130, row: Int(crossing.pixel.y) - 170, width: 300, height: 300,
        InsetStyle(frame: frame))
    }
    design.print(column: 1700, row: 1250, width: 300, height: 320, InsetStyle())
    return design
  }

  /// Insets surrounded by water.
  public static func insetsOnOcean(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Ocean", edition)
    design.scenery.shift.longitude -= 3
    design.print(column: 600, row: 300, width: 900, height: 850)
    design.print(column: 1900, row: 1200, width: 1000, height: 1000, InsetStyle(band: 100, frame: 0))
    return design
  }

  public static func blurredInsets(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Blurred", edition)
    design.print(column: 500, row: 400, width: 1000, height: 800)
    design.print(column: 2450, row: 1800, width: 900, height: 900, InsetStyle(frame: 1))
    design.scenery.isBlurred = true
    return design
  }

  /// An inset with sides of 3000 pixels.
  public static func largeInset(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Large", edition, width: 4400, height: 4000)
    design.print(column: 700, row: 500, width: 3000, height: 3000)
    return design
  }

  /// An inset rotated by a degree.
  public static func tiltedInset(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Tilted", edition)
    design.print(column: 900, row: 700, width: 1400, height: 1100, InsetStyle(turn: 1))
    return design
  }

  /// Content that is not an inset, although some has a frame, a white band or both.
  public static func decoys(_ edition: Edition) -> SheetDesign {
    var design = host("Inset Decoys", edition)
    let crossing = design.graticuleCrossings(margin: 500)[0].pixel
    design.patches = [
      SheetPatch(.outline, column: 260, row: 120, width: 1500, height: 1300),
      SheetPatch(.note, column: 2000, row: 150, width: 700, height: 420),
      SheetPatch(.table, column: 2800, row: 150, width: 420, height: 700),
      SheetPatch(.tintedNote, column: 2000, row: 800, width: 600, height: 450),
      SheetPatch(.ice, column: 2700, row: 1000, width: 600, height: 800),
      SheetPatch(.blank, column: 300, row: 1700, width: 700, height: 500),
      SheetPatch(.restricted, column: 1200, row: 1600, width: 900, height: 800),
      SheetPatch(
        .tintedNote, column: Int(crossing.x) - 200, row: Int(crossing.y) - 200, width: 420, height: 420),
      SheetPatch(.outline, column: 2300, row: 1900, width: 1049, height: 800),
    ]
    return design
  }

  // MARK: Parts

  struct InsetStyle {
    var band = 40
    var frame = 3.0
    /// The scale of the inset relative to the sheet.
    var scale = 2.0
    var hasTitle = false
    var turn = 0.0
  }

  /// The position of an inset with its white band, cut at the neatline's box.
  public struct InsetPlace: Hashable, Sendable {
    public var columns: Range<Int>
    public var rows: Range<Int>
  }

  /// The positions of the insets, by the edges of the map as columns and rows.
  public func insetPlaces(within columns: Range<Int>, _ rows: Range<Int>) -> [InsetPlace] {
    insets.map { inset in
      InsetPlace(
        columns: (inset.column - inset.band..<inset.column + inset.design.width + inset.band).clamped(
          to: columns),
        rows: (inset.row - inset.band..<inset.row + inset.design.height + inset.band).clamped(to: rows))
    }
  }

  private static func host(
    _ name: String, _ edition: Edition, width: Int = 3400, height: Int = 2800
  ) -> SheetDesign {
    let projection = LambertConformal(
      standardParallels: (38 + 2.0 / 3, 33 + 1.0 / 3),
      origin: GeoPoint(longitude: -121 - 25.0 / 60, latitude: 38 + 20.0 / 60))
    let (metres, middle) = (42.333, projection.project(GeoPoint(longitude: -122.3, latitude: 37.8)))
    return SheetDesign(
      name: name, series: .sectional, projection: projection, metresPerPixel: metres, width: width,
      height: height, originX: (middle.x - Double(width) / 2 * metres).rounded(),
      originY: (middle.y + Double(height) / 2 * metres).rounded(),
      neatline: NeatlineDefinition(outline: [
        .column(200), .row(Double(height) - 100), .column(Double(width) - 50), .row(50),
      ]), edition: edition, features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
  }

  /// Prints a map of a place north-east of the inset's own.
  private mutating func print(
    column: Int, row: Int, width: Int, height: Int, _ style: InsetStyle = InsetStyle()
  ) {
    var inset = self
    inset.name = "\(name) \(insets.count + 1)"
    inset.metresPerPixel /= style.scale
    (inset.width, inset.height) = (width, height)
    // Another place, so that its graticule differs; its ground is that of the bay.
    let number = Double(insets.count)
    inset.originX += Double(column) * metresPerPixel + 23_456 + 2_111 * number
    inset.originY -= Double(row) * metresPerPixel - 47_000 - 5_100 * number
    let middle = inset.place(of: PixelPoint(x: Double(width) / 2, y: Double(height) / 2))
    inset.scenery.shift = (-122.1 - 0.04 * number - middle.longitude, 37.7 - middle.latitude)
    inset.scenery.hasFrame = style.frame > 0
    let rim = style.frame / 2
    inset.neatline = NeatlineDefinition(outline: [
      .column(rim), .row(Double(height) - rim), .column(Double(width) - rim), .row(rim),
    ])
    (inset.insets, inset.patches) = ([], [])
    if style.hasTitle { inset.patches = [SheetPatch(.title, column: 0, row: 0, width: width, height: 70)] }
    insets.append(
      SheetInset(column: column, row: row, design: inset, band: style.band, turn: style.turn))
  }
}
