import Foundation
import ImageIO
import Pipeline
import RasterIO
import Testing

@Suite("The coarse picture of the sheet")
struct ReferenceTests {
  @Test("it has the mean colour of each cell of the map, and the texture where something is printed")
  func cells() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...8)
    let reference = try #require(built.product.reference)
    let picture = try PNG.decode([UInt8](Data(contentsOf: built.reference)))
    #expect(picture.width == reference.columns && picture.height == 2 * reference.rows)
    #expect(reference.blanks.isEmpty)
    let seen = (0..<reference.rows * reference.columns).filter { cell in
      picture[cell % reference.columns, cell / reference.columns + reference.rows].green == 255
    }
    #expect(seen.count > 20)
    let flat = seen.filter { cell in
      let pixel = picture[cell % reference.columns, cell / reference.columns]
      return (pixel.red, pixel.green, pixel.blue)
        == (MadeUpSheet.tint.red, MadeUpSheet.tint.green, MadeUpSheet.tint.blue)
    }
    #expect(flat.count * 2 > seen.count)
    for cell in flat {
      #expect(picture[cell % reference.columns, cell / reference.columns + reference.rows].red == 0)
    }
    #expect(
      seen.contains { picture[$0 % reference.columns, $0 / reference.columns + reference.rows].red > 0 })
  }

  @Test("the picture does not depend on how many workers there are")
  func jobs() throws {
    let bench = try ChartBench()
    let zip = try bench.zip()
    let one = try bench.build(zip, zooms: 5...8, jobs: 1)
    let four = try bench.build(zip, zooms: 5...8, jobs: 4)
    #expect(try Data(contentsOf: one.reference) == Data(contentsOf: four.reference))
    #expect(one.product.reference == four.product.reference)
  }
}
