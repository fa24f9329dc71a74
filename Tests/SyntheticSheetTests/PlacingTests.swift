import Core
import RasterIO
import SyntheticSheet
import Testing

struct PlacingTests {
  /// The metres come from `gdaltransform` (PROJ), which is independent.
  @Test(arguments: [
    (-123.0, 37.0, -44_464.2167711079, -46_088.4985311808),
    (-121.5, 37.8, 88_016.7939208773, 42_968.1353692955),
    (-122.4, 36.9, 8_904.25910252503, -57_285.1893303052),
  ])
  func `places are where PROJ has them`(longitude: Double, latitude: Double, x: Double, y: Double) throws {
    let set = try sampleSet()
    let west = SheetDesign.sampleWest(set.edition, set.features)
    let place = GeoPoint(longitude: longitude, latitude: latitude)
    let metres = west.projection.project(place)
    #expect(abs(metres.x - x) < 0.001)
    #expect(abs(metres.y - y) < 0.001)
    let pixel = west.pixel(of: place)
    #expect(abs(pixel.x - (x + 70_500) / 42.333) < 0.001)
    let back = west.place(of: pixel)
    #expect(abs(back.longitude - longitude) < 1e-9)
    #expect(abs(back.latitude - latitude) < 1e-9)
  }

  @Test(arguments: [0, 1, 2])
  func `the samples lie where their designs say`(number: Int) throws {
    let (path, design) = try sampleSet().charts[number]
    let picture = try SamplePicture(zip: path)
    let transform = try #require(picture.dataset.geoTransform)
    #expect(picture.dataset.width == design.width)
    #expect(picture.dataset.height == design.height)
    #expect(
      transform
        == GeoTransform(
          originX: design.originX, originY: design.originY, pixelWidth: design.metresPerPixel,
          pixelHeight: -design.metresPerPixel))
    #expect(picture.dataset.projectionWKT.contains("Lambert_Conformal_Conic_2SP"))
    #expect(picture.dataset.projectionWKT.contains("North_American_Datum_1983"))
  }

  @Test(arguments: [0, 1, 2])
  func `crossings and control marks are dark where they should be`(number: Int) throws {
    let (path, design) = try sampleSet().charts[number]
    let picture = try SamplePicture(zip: path)
    let palette = try #require(try picture.dataset.palette())
    let places = design.graticuleCrossings(margin: 20) + design.controlMarks()
    #expect(places.count > 5)
    for place in places {
      let color = palette[Int(picture.index(at: place.pixel))]
      // A line between two pixels is a dark gray in both; the palest ground has more than 600.
      #expect(Int(color.red) + Int(color.green) + Int(color.blue) < 300, "\(place)")
    }
  }

  /// The centroid of the dark pixels of each mark. Nothing is drawn over marks.
  @Test func `control marks are found within a third of a pixel`() throws {
    let (path, design) = try sampleSet().charts[0]
    let picture = try SamplePicture(zip: path)
    let palette = try #require(try picture.dataset.palette())
    for mark in design.controlMarks() {
      var weight = 0.0
      var x = 0.0
      var y = 0.0
      for row in Int(mark.pixel.y) - 5...Int(mark.pixel.y) + 5 {
        for column in Int(mark.pixel.x) - 5...Int(mark.pixel.x) + 5 {
          let dark = 1 - Double(palette[Int(picture.pixels[row * design.width + column])].green) / 255
          weight += dark
          x += dark * (Double(column) + 0.5)
          y += dark * (Double(row) + 0.5)
        }
      }
      #expect(abs(x / weight - mark.pixel.x) < 0.34, "\(mark)")
      #expect(abs(y / weight - mark.pixel.y) < 0.34, "\(mark)")
    }
  }

  @Test func `neighbours show the same world where they overlap`() throws {
    let charts = try sampleSet().charts
    let pictures = try charts.prefix(2).map { try SamplePicture(zip: $0.path) }
    var same = 0
    var count = 0
    for latitude in stride(from: 37.05, to: 37.75, by: 0.011) {
      for longitude in stride(from: -121.995, to: -121.94, by: 0.007) {
        let place = GeoPoint(longitude: longitude, latitude: latitude)
        let grounds = zip(pictures, charts).map { $0.index(at: $1.design.pixel(of: place)) / 9 }
        count += 1
        if grounds[0] == grounds[1] { same += 1 }
      }
    }
    #expect(count > 400)
    #expect(Double(same) / Double(count) > 0.85)
  }
}
