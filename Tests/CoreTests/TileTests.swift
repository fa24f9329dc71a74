import Core
import Testing

/// Palo Alto's field, the example of most tests here.
let kpao = GeoPoint(longitude: -122.115, latitude: 37.461_111_1)

@Suite struct TileIDTests {
  /// Computed with the usual slippy-map formula, outside of this package.
  @Test(arguments: [
    (-122.115, 37.461_111_1, 0, 0, 0), (-122.115, 37.461_111_1, 6, 10, 24),
    (-122.115, 37.461_111_1, 10, 164, 396), (-122.115, 37.461_111_1, 12, 658, 1587),
    (-122.115, 37.461_111_1, 13, 1317, 3175), (-0.1278, 51.5074, 6, 31, 21),
    (-0.1278, 51.5074, 12, 2046, 1362), (151.2093, -33.8688, 6, 58, 38), (151.2093, -33.8688, 12, 3768, 2457),
    (-147.7164, 64.8378, 12, 367, 1070), (0, 0, 12, 2048, 2048), (-180, 85.06, 12, 0, 0),
    (180, -85.06, 12, 4095, 4095), (180, 90, 3, 7, 0),
  ])
  func `a position is in its tile`(longitude: Double, latitude: Double, zoom: Int, column: Int, row: Int) {
    let tile = TileID(zoom: zoom, containing: GeoPoint(longitude: longitude, latitude: latitude))
    #expect(tile == TileID(zoom: zoom, column: column, row: row))
  }

  @Test func `MBTiles rows count from the south`() {
    #expect(TileID(zoom: 12, column: 658, row: 1587).tmsRow == 2508)
    #expect(TileID(zoom: 0, column: 0, row: 0).tmsRow == 0)
    #expect(TileID(zoom: 1, column: 0, row: 0).tmsRow == 1)
    for row in 0..<64 {
      let tile = TileID(zoom: 6, column: 3, row: row)
      #expect(TileID(zoom: 6, column: 3, tmsRow: tile.tmsRow) == tile)
      #expect(tile.tmsRow + tile.row == 63)
    }
  }

  @Test func `parents and children agree`() {
    let tile = TileID(zoom: 12, containing: kpao)
    #expect(tile.parent == TileID(zoom: 11, containing: kpao))
    #expect(tile.ancestor(zoom: 6) == TileID(zoom: 6, containing: kpao))
    #expect(tile.ancestor(zoom: 12) == tile)
    #expect(Set(tile.children.map(\.parent)) == [tile])
    #expect(Set(tile.children).count == 4)
    #expect(tile.children.contains(TileID(zoom: 13, containing: kpao)))
  }

  @Test func `children are in reading order`() {
    let boxes = TileID(zoom: 5, column: 4, row: 9).children.map(\.box)
    #expect(boxes[0].west < boxes[1].west && boxes[0].north == boxes[1].north)
    #expect(boxes[2].west < boxes[3].west && boxes[2].north == boxes[3].north)
    #expect(boxes[2].north < boxes[0].north)
  }

  @Test func `tile boxes meet without gaps and contain their positions`() {
    let tile = TileID(zoom: 12, containing: kpao)
    let east = TileID(zoom: 12, column: tile.column + 1, row: tile.row)
    let south = TileID(zoom: 12, column: tile.column, row: tile.row + 1)
    #expect(tile.box.contains(kpao))
    #expect(abs(tile.box.east - east.box.west) < 1e-12)
    #expect(abs(tile.box.south - south.box.north) < 1e-12)
  }

  @Test func `the tile of zoom 0 is the world`() {
    let world = TileID(zoom: 0, column: 0, row: 0)
    #expect(world.box.west == -180 && world.box.east == 180)
    #expect(abs(world.box.north - 85.051_128_779_806_59) < 1e-12)
    #expect(abs(world.box.south + 85.051_128_779_806_59) < 1e-12)
    #expect(abs(world.mercator.side - 40_075_016.685_578_49) < 1e-6)
    #expect("\(TileID(zoom: 12, column: 656, row: 1586))" == "12/656/1586")
  }
}

@Suite struct TileRangeTests {
  @Test func `a box is covered by the tiles of its corners`() {
    let box = GeoBox(west: -122.6, south: 37.2, east: -121.6, north: 37.9)
    let range = TileRange(zoom: 10, covering: box)
    #expect(range.columns == 163...166 && range.rows == 395...397)
    #expect(range.count == 12)
    #expect(range.contains(TileID(zoom: 10, containing: kpao)))
    #expect(!range.contains(TileID(zoom: 11, containing: kpao)))
    #expect(!range.contains(TileID(zoom: 10, column: 162, row: 395)))
    #expect(!range.contains(TileID(zoom: 10, column: 164, row: 398)))
  }

  @Test func `a point is in one tile`() {
    let box = GeoBox(west: kpao.longitude, south: kpao.latitude, east: kpao.longitude, north: kpao.latitude)
    #expect(TileRange(zoom: 12, covering: box).count == 1)
  }

  @Test func `the world covers every tile`() {
    let range = TileRange(zoom: 4, covering: GeoBox(west: -180, south: -90, east: 180, north: 90))
    #expect(range.columns == 0...15 && range.rows == 0...15 && range.count == 256)
  }
}

@Suite struct GeoBoxTests {
  let bay = GeoBox(west: -123, south: 37, east: -121, north: 38)

  @Test func `a box contains its edges`() {
    #expect(bay.contains(GeoPoint(longitude: -123, latitude: 38)))
    #expect(!bay.contains(GeoPoint(longitude: -123.001, latitude: 37.5)))
    #expect(!bay.contains(GeoPoint(longitude: -122, latitude: 38.001)))
    #expect(bay.contains(bay))
    #expect(bay.center == GeoPoint(longitude: -122, latitude: 37.5))
  }

  @Test func `touching boxes intersect`() {
    #expect(bay.intersects(GeoBox(west: -121, south: 38, east: -120, north: 39)))
    #expect(!bay.intersects(GeoBox(west: -120.9, south: 37, east: -120, north: 38)))
    #expect(!bay.intersects(GeoBox(west: -123, south: 38.1, east: -121, north: 39)))
    #expect(!bay.contains(GeoBox(west: -123, south: 37, east: -120.9, north: 38)))
  }

  @Test func `unions and points give the smallest box`() {
    let other = GeoBox(west: -122, south: 36, east: -120, north: 37.5)
    #expect(bay.union(other) == GeoBox(west: -123, south: 36, east: -120, north: 38))
    #expect(GeoBox(around: []) == nil)
    let points = [kpao, GeoPoint(longitude: -121, latitude: 36), GeoPoint(longitude: -123, latitude: 37)]
    #expect(GeoBox(around: points) == GeoBox(west: -123, south: 36, east: -121, north: kpao.latitude))
  }

  @Test func `a box around the world takes the shorter way`() {
    let isles = GeoBox(west: 178, south: 51, east: 187.5, north: 53)
    #expect(GeoBox(aroundWorld: []) == nil)
    #expect(GeoBox(aroundWorld: [isles]) == isles)
    #expect(GeoBox(aroundWorld: [bay, isles]) == GeoBox(west: 178, south: 37, east: 239, north: 53))
    #expect(GeoBox(aroundWorld: [isles, bay]) == GeoBox(aroundWorld: [bay, isles]))
    let east = GeoBox(west: -80, south: 30, east: -70, north: 31)
    #expect(GeoBox(aroundWorld: [east, bay]) == GeoBox(west: -123, south: 30, east: -70, north: 38))
    let thirds = [-180.0, -60, 60].map { GeoBox(west: $0, south: 0, east: $0 + 120, north: 1) }
    #expect(GeoBox(aroundWorld: thirds) == GeoBox(west: -180, south: 0, east: 180, north: 1))
  }
}

@Suite struct HilbertTests {
  /// Computed by the format's reference implementation.
  private static let known: [(TileID, Int)] = [
    (TileID(zoom: 0, column: 0, row: 0), 0), (TileID(zoom: 1, column: 0, row: 0), 1),
    (TileID(zoom: 1, column: 0, row: 1), 2), (TileID(zoom: 1, column: 1, row: 1), 3),
    (TileID(zoom: 1, column: 1, row: 0), 4), (TileID(zoom: 2, column: 0, row: 0), 5),
    (TileID(zoom: 3, column: 5, row: 2), 76), (TileID(zoom: 12, column: 656, row: 1586), 8_921_595),
    (TileID(zoom: 12, column: 3423, row: 1763), 19_078_479),
    (TileID(zoom: 18, column: 131_071, row: 100_000), 34_003_152_554),
    (TileID(zoom: 29, column: 1, row: 2), 96_076_792_050_570_594),
    (TileID(zoom: 29, column: (1 << 29) - 1, row: (1 << 29) - 1), 288_230_376_151_711_743),
  ]

  @Test(arguments: known)
  func `known tiles have their Hilbert numbers`(tile: TileID, number: Int) {
    #expect(tile.hilbert == number)
    #expect(TileID(hilbert: number) == tile)
  }

  @Test func `consecutive Hilbert numbers are adjacent tiles`() throws {
    var last: TileID?
    for number in 0..<(1 + 4 + 16 + 64 + 256 + 1024) {
      let tile = try #require(TileID(hilbert: number))
      #expect(tile.hilbert == number)
      if let last, last.zoom == tile.zoom {
        #expect(abs(last.column - tile.column) + abs(last.row - tile.row) == 1)
      }
      last = tile
    }
    #expect(last?.zoom == 5)
  }

  @Test(arguments: [-1, Int.min, Int.max]) func `a number without a tile is nil`(number: Int) {
    #expect(TileID(hilbert: number) == nil)
  }
}
