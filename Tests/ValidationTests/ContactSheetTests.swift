import Core
import Foundation
import ImageIO
import Pipeline
import TestSupport
import Testing
import TileArchive
import Validation

/// Each tile of the fixture has a colour of its own, so a pixel tells which tile it was taken from.
@Suite struct ContactSheetTests {
  let fixture: ArchiveFixture
  init() throws { fixture = try ArchiveFixture() }

  private static let magenta = [255, 0, 190]
  /// Where the pictures begin: margin, title, four lines of captions and a gap.
  private static let top = 24 + 34 + 4 * 22 + 20

  /// Made once: drawing is most of these tests' time.
  private static let good = Result { () throws -> RGBAImage in
    let fixture = try ArchiveFixture()
    return try ContactSheet(of: MBTilesReader(opening: fixture.file), bytes: 1000).image
  }

  private func sheet(_ file: URL? = nil) throws -> RGBAImage {
    try ContactSheet(of: ArchiveKind.open(file ?? fixture.file), bytes: 1000).image
  }

  private func color(_ id: TileID) -> [Int] { ArchiveFixture.color(of: id).map(Int.init) }

  private func pixel(_ image: RGBAImage, _ x: Int, _ y: Int) -> [Int] {
    let (red, green, blue, alpha) = image[x, y]
    #expect(alpha == 255)
    return [Int(red), Int(green), Int(blue)]
  }

  /// The box is 0.7 degrees wide: 1,020 pixels at zoom 11, the largest at which it fits.
  @Test func theWholeChartIsThereAndWhereItBelongs() throws {
    let image = try Self.good.get()
    let origin = WebMercator.project(
      GeoPoint(longitude: ArchiveFixture.box.west, latitude: ArchiveFixture.box.north))
    let place = GeoPoint(longitude: -122.31, latitude: 37.51)
    let (x, y) = WebMercator.project(place)
    let metres = WebMercator.resolution(zoom: 11)
    let column = 24 + 20 + Int((x - origin.x) / metres)
    let row = Self.top + 20 + Int((origin.y - y) / metres)
    #expect(pixel(image, column, row) == color(TileID(zoom: 11, containing: place)))
  }

  @Test func theLastCropIsTheSouthEasternCornerEnlarged() throws {
    let image = try Self.good.get()
    // A quarter of the crop lies beyond the corner, where the tile that holds it ends later.
    let corner = GeoPoint(longitude: ArchiveFixture.box.east, latitude: ArchiveFixture.box.south)
    let expected = color(TileID(zoom: 11, containing: corner))
    let (x, y) = (24 + 2 * (384 + 20) + 288, image.height - 24 - 96)
    #expect(pixel(image, x - 3, y - 3) == expected)
    #expect(pixel(image, x - 4, y - 4) == expected)
  }

  @Test func theNeatlineIsTickedFromOutsideOnly() throws {
    let image = try Self.good.get()
    let left = 24 + 20
    let ticks = (Self.top + 40..<Self.top + 400).filter { y in pixel(image, left - 3, y) == Self.magenta }
    #expect(ticks.count >= 25, "one every twelve pixels")
    #expect(!(Self.top + 40..<Self.top + 400).contains { pixel(image, left + 3, $0) == Self.magenta })
  }

  @Test func whatIsTransparentShowsTheBoardAndWhatIsBrokenIsRed() throws {
    let whole = try Self.good.get()
    let middle = (24 + (384 + 20) + 192, image(whole, row: 1))
    #expect(pixel(whole, middle.0, middle.1) == color(ArchiveFixture.inner))
    try fixture.remove(ArchiveFixture.inner)
    let holed = try sheet()
    #expect([168, 192].contains(pixel(holed, middle.0, middle.1)[0]))
    let other = try ArchiveFixture()
    try other.replace(ArchiveFixture.inner, by: [0])
    #expect(pixel(try sheet(other.file), middle.0, middle.1) == [230, 0, 0])
  }

  /// The middle of a row of crops.
  private func image(_ sheet: RGBAImage, row: Int) -> Int {
    sheet.height - 24 - 192 - (2 - row) * (384 + 24 + 20)
  }

  @Test func pmtilesGiveTheSamePicture() throws {
    let twin = fixture.folder.file("Bay.pmtiles")
    _ = try PMTilesWriter.write(try MBTilesReader(opening: fixture.file), to: twin)
    #expect(try sheet(twin) == Self.good.get())
  }

  @Test func nonsenseIsAFaultOrAPictureAndNoCrash() throws {
    try fixture.set(
      "chartpipe:neatline", #"{"type":"Polygon","coordinates":[[[1e300,9],[9,9],[9,8],[1e300,9]]]}"#)
    _ = try sheet()
    try fixture.set("bounds", "-180,-90,180,90")
    let wide = #expect(throws: UserError.self) { try sheet() }
    #expect(wide?.reason.hasPrefix("even at its smallest zoom, 9, it is 131") == true)
    try fixture.set("bounds", "here")
    #expect(throws: UserError.self) { try sheet() }
  }
}
