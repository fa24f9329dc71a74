internal import ImageIO

/// One place of a chart at the largest zoom, enlarged, with the neatline ticked from outside.
struct ContactCrop {
  let place: CropPlace
  private let neatline: Neatline
  private let grid: PixelGrid
  private let box: PixelBox
  private let picture: RGBAImage
  /// How many pixels a side one of the archive's becomes.
  private let scale: Int

  init(_ place: CropPlace, of subject: ContactSubject, side: Int, scale: Int) throws {
    grid = subject.grid(subject.largest)
    var box = grid.box(around: place.point, side: side)
    // More of the map than of the nothing beside it.
    box.column -= place.side.x * side / 4
    box.row -= place.side.y * side / 4
    picture = try subject.painter.picture(zoom: grid.zoom, box)
    (self.place, self.box, self.scale, neatline) = (place, box, scale, subject.neatline)
  }

  func draw(on page: inout PageCanvas, x: Int, y: Int) {
    page.place(picture, x: x, y: y, enlarged: scale)
    let frame = PixelBox(column: x, row: y, width: box.width * scale, height: box.height * scale)
    let ticks = NeatlineTicks(neatline: neatline, spacing: 16, length: 8)
    for stroke in ticks.strokes(in: box, of: grid, scale: Double(scale)) {
      page.line(from: stroke.from, to: stroke.to, ContactSheet.Look.tick, inside: frame)
    }
  }
}
