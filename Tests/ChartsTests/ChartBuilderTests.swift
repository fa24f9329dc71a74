import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite("Building a chart from the FAA's zip", .slow)
struct ChartBuilderTests {
  @Test(arguments: [7, 8, 9, 10])
  func `marks are within a tenth of a pixel of the projection's formulas`(maxZoom: Int) throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...maxZoom)
    let picture = try ZoomPicture(built.file, zoom: maxZoom)
    for (column, row) in bench.sheet.marks {
      let truth = picture.pixel(of: bench.sheet.place(column: Double(column), row: Double(row)))
      let found = try picture.darkCentre(near: truth, reach: 5 + (4 << maxZoom) / (1 << 8))
      // The warp alone is within a twentieth; runs and copies of colours move the soft edges of enlarged marks.
      #expect(abs(found.column - truth.column) < 0.1)
      #expect(abs(found.row - truth.row) < 0.1)
    }
  }

  @Test func `tiles cover the map up to its neatline and contain no collar`() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip())
    for zoom in 4...8 {
      let image = try ZoomPicture(built.file, zoom: zoom).image
      let odd = (0..<image.width * image.height).first { index in
        let pixel = image[index % image.width, index / image.width]
        let isBlank = pixel.red == 0 && pixel.green == 0 && pixel.blue == 0
        return pixel.alpha == 0 ? !isBlank : Int(pixel.red) > Int(pixel.green) + 20
      }
      #expect(odd == nil, "a pixel of the collar's red, or a colour that cannot be seen, at zoom \(zoom)")
    }
    let picture = try ZoomPicture(built.file, zoom: 8)
    let sheet = bench.sheet
    let pairs: [[Double]] = [
      [557, 250, 563, 250], [557, 440, 563, 440], [300, 33, 300, 27], [530, 33, 530, 27],
    ]
    for pair in pairs {
      #expect(alpha(picture, sheet.place(column: pair[0], row: pair[1])) == 255)
      #expect(alpha(picture, sheet.place(column: pair[2], row: pair[3])) == 0)
    }
    for latitude in [35.3, 36, 36.8] {
      #expect(alpha(picture, GeoPoint(longitude: sheet.west + 0.012, latitude: latitude)) == 255)
      #expect(alpha(picture, GeoPoint(longitude: sheet.west - 0.012, latitude: latitude)) == 0)
    }
    for longitude in [-122.2, -121, -119.9] {
      #expect(alpha(picture, GeoPoint(longitude: longitude, latitude: sheet.south + 0.012)) == 255)
      #expect(alpha(picture, GeoPoint(longitude: longitude, latitude: sheet.south - 0.012)) == 0)
    }
  }

  @Test(arguments: [3...9, 1...3, 6...6])
  func `every tile has a parent, none is empty, and no zoom is missing`(range: ClosedRange<Int>) throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: range)
    let zooms = try range.map { try ZoomPicture(built.file, zoom: $0) }
    for (above, below) in zip(zooms, zooms.dropFirst()) {
      #expect(Set(below.tiles.map(\.parent)) == above.tiles)
    }
    let bounds = try #require(built.product.boundingBox)
    let reader = try MBTilesReader(opening: built.file)
    try reader.forEachTile { tile in
      let image = try PNG.decode(tile.data)
      #expect(!image.isTransparent)
      #expect(TileRange(zoom: tile.id.zoom, covering: bounds).contains(tile.id))
    }
    #expect(built.product.build.counts["tiles"] == zooms.map(\.tiles.count).reduce(0, +))
  }

  @Test func `writes the same bytes with any number of workers`() throws {
    let bench = try ChartBench()
    let zip = try bench.zip()
    let one = try bench.build(zip, zooms: 4...9, jobs: 1)
    for jobs in [2, 5] {
      let more = try bench.build(zip, zooms: 4...9, jobs: jobs)
      #expect(try one.file.data == more.file.data)
      #expect(one.product == more.product)
    }
  }

  @Test func `tiles of 512 pixels have their own file name and the expected count`() throws {
    let bench = try ChartBench()
    let zip = try bench.zip()
    let built = try bench.build(zip, zooms: 4...7, size: 512)
    let plain = try bench.build(zip, zooms: 4...7)
    #expect(
      built.product.files.map(\.path) == [
        "Made_Up@2x.mbtiles", "Made_Up@2x.control.png", "Made_Up@2x.reference.png",
      ])
    #expect(built.product.build.counts["tiles"] == plain.product.build.counts["tiles"])
    let reader = try MBTilesReader(opening: built.file)
    try reader.forEachTile { tile in
      let image = try PNG.decode(tile.data)
      #expect(image.width == 512 && image.height == 512)
    }
  }

  @Test func `rejects a map smaller than a pixel of its largest zoom and leaves no file`() throws {
    let bench = try ChartBench()
    let fault = try bench.userError(
      try bench.zip(),
      neatline: """
        {"west": {"column": 100}, "south": {"row": 100.1}, "east": {"column": 100.1}, "north": {"row": 100}}
        """)
    #expect(fault.kind == .badInput)
    #expect(fault.reason == "its neatline contains no visible pixel at zoom 8")
  }

  @Test func `the archive and the product describe themselves`() throws {
    let bench = try ChartBench()
    let zip = try bench.zip()
    let built = try bench.build(zip, cycle: "2602")
    let metadata = try MBTilesReader(opening: built.file).metadata()
    #expect(metadata["chartpipe:cycle"] == "2601")
    #expect(metadata["chartpipe:effective"] == "2026-01-22T09:01:00Z")
    #expect(metadata["chartpipe:expires"] == "2026-03-19T09:01:00Z")
    #expect(metadata["chartpipe:source_sha256"] == built.product.sources.first?.sha256.text)
    #expect(metadata["version"] == "2601")
    #expect(metadata["description"] == "Sectional charts: Made Up, edition of 2026-01-22 to 2026-03-18")
    let product = built.product
    #expect(product.id == "vfr-sectional/Made_Up")
    #expect(product.edition == "2026-01-22")
    #expect(product.files.map(\.path) == ["Made_Up.mbtiles", "Made_Up.control.png", "Made_Up.reference.png"])
    let size = try built.file.data.count
    #expect(product.files[0].bytes == size)
    #expect(
      Set(product.build.libraries.keys)
        == [
          "warp", "gdal", "geos", "proj", "proj.db", "libtiff", "libgeotiff", "libdeflate", "libwebp",
          "sqlite",
          "libc", "swift",
        ])
    let box = try #require(product.boundingBox)
    // The collar is tinted, so the edge is detected as a step and the cut stays half a pixel of 500 m inside it.
    #expect(abs(box.west - bench.sheet.west) < 0.004)
    #expect(abs(box.south - bench.sheet.south) < 0.004)
    let geometry = try #require(metadata["chartpipe:neatline"])
    let json = try #require(try JSONSerialization.jsonObject(with: Data(geometry.utf8)) as? [String: Any])
    let rings = try #require(json["coordinates"] as? [[[Double]]])
    #expect(rings[0].first == rings[0].last)
  }

  @Test func `reports progress a few dozen times at most and ends at the total`() throws {
    let bench = try ChartBench()
    let built = try bench.build(try bench.zip(), zooms: 5...10)
    #expect((2...30).contains(built.progress.all.count))
    guard case .advanced("a step", let done, let total, "tiles") = built.progress.all.last else {
      Issue.record("the last event is \(String(describing: built.progress.all.last))")
      return
    }
    #expect(done == total)
  }

  @Test func `a cancelled build ends soon and leaves no file`() throws {
    let bench = try ChartBench()
    let zip = try bench.zip()
    let token = CancellationToken()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.3)
      token.cancel()
    }
    #expect(throws: CancellationError.self) { try token.run { _ = try bench.build(zip, zooms: 4...14) } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path) == ["Made_Up.zip"])
  }

  private func alpha(_ picture: ZoomPicture, _ place: GeoPoint) -> UInt8 {
    let (column, row) = picture.pixel(of: place)
    return picture.image[Int(column), Int(row)].alpha
  }
}
