import Core
import Foundation
import ImageIO
import Pipeline
import RasterIO
import Testing

@Suite("Pieces of the sheet that prove where its tiles lie")
struct ControlTests {
  @Test("the pieces are the sheet's own pixels, well within the map, each with something printed on it")
  func pieces() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...8)
    let control = try #require(built.product.control)
    let strip = try PNG.decode([UInt8](Data(contentsOf: built.control)))
    #expect(control.side == 48 && strip.height == 48)
    #expect(
      control.points.count >= 3
        && strip.width == 48 * (control.points.count + (control.inkPoints?.count ?? 0)))
    for (number, point) in control.points.enumerated() {
      var marked = 0
      for row in 0..<48 {
        for column in 0..<48 {
          let isMarked = bench.sheet.marks.contains {
            ($0.0 - 4..<$0.0 + 4).contains(point.column + column)
              && ($0.1 - 4..<$0.1 + 4).contains(point.row + row)
          }
          marked += isMarked ? 1 : 0
          let color = isMarked ? MadeUpSheet.ink : MadeUpSheet.tint
          let pixel = strip[number * 48 + column, row]
          #expect(PaletteColor(red: pixel.red, green: pixel.green, blue: pixel.blue) == color)
        }
      }
      #expect(marked > 0)
    }
    #expect(control.placing == bench.sheet.placing.six)
    #expect(control.projection?.origin == MadeUpSheet.cone.origin)
    let parallels = try #require(control.projection?.standardParallels)
    #expect(abs(parallels[0] - (38 + 2.0 / 3)) < 1e-9 && abs(parallels[1] - (33 + 1.0 / 3)) < 1e-9)
  }

  @Test(
    "where a pixel of the tiles is several of the sheet's, the pieces are larger, and few marks are too few")
  func coarse() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 4...6)
    let control = try #require(built.product.control)
    #expect((150...192).contains(control.side))
    #expect(control.points.isEmpty && control.inkPoints?.isEmpty == false)
  }

  @Test("a sheet in another projection has no pieces, and says so")
  func otherProjection() throws {
    let bench = try ChartBench()
    let wkt = """
      PROJCS["other",GEOGCS["NAD83",DATUM["North_American_Datum_1983",
      SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],
      PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",36],PARAMETER["central_meridian",-121],
      PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1]]
      """
    let tif = try bench.sheet.tif { try $0.setGeoreference(bench.sheet.placing, wkt: wkt) }
    let zip = try bench.zip([("Made Up SEC.htm", bench.sheet.htm()), ("Made Up SEC.tif", tif)])
    let built = try bench.build(zip)
    let control = try #require(built.product.control)
    #expect(control.projection == nil && control.points.isEmpty)
    #expect(built.product.files.map(\.role) == ["tiles", "reference"])
    #expect(!FileManager.default.fileExists(atPath: built.control.path))
  }
}
