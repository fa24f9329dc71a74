import Core
import CryptoIO
import Foundation
import RasterIO
import RasterWriting
import TestSupport
import Testing

@testable import ChartpipeKit

/// A small printed sheet with edges at known places: the west is a meridian, the south a parallel, the east a column and the
/// north a row.
struct PrintedSheet: ConicSheet {
  enum Print: UInt8 {
    case paper, land, ink, water, neighbour, magenta
  }

  static let palette = [
    PaletteColor(red: 255, green: 255, blue: 255), PaletteColor(red: 214, green: 230, blue: 196),
    PaletteColor(red: 20, green: 18, blue: 22), PaletteColor(red: 203, green: 227, blue: 242),
    PaletteColor(red: 238, green: 238, blue: 234), PaletteColor(red: 158, green: 32, blue: 104),
  ]

  let width = 900
  let height = 700
  let west = -123.5
  let south = 35.5
  var eastColumn = 820.0
  var northRow = 60.0
  /// The width of the frame; 0 for none.
  var frame = 3.0
  /// The print on the map and around it, by the distance inside the map (negative: outside), column and row.
  var map: (_ depth: Double, _ column: Int, _ row: Int) -> Print = { _, column, row in
    (column + 2 * row) % 97 < 3 ? .ink : (column - row) % 61 == 0 ? .magenta : .land
  }
  var collar: (_ depth: Double, _ column: Int, _ row: Int) -> Print = { depth, column, row in
    depth < -30 && (column / 5 + row / 7) % 3 == 0 ? .ink : .paper
  }

  /// The middle of the image is west of the central meridian, so that meridians are slanted on it.
  var placing: GeoTransform {
    GeoTransform(originX: -250_000, originY: 8_000, pixelWidth: 100, pixelHeight: -100)
  }

  var cone: LambertConformal { MadeUpSheet.cone }

  func pixel(longitude: Double, latitude: Double) -> PixelPoint {
    pixel(of: GeoPoint(longitude: longitude, latitude: latitude))
  }

  /// The column of the western edge in each row, and the row of the southern edge in each column.
  private func graticule() -> (columns: [Double], rows: [Double]) {
    let columns = (0..<height).map { row in
      let latitude = place(column: 80, row: Double(row) + 0.5).latitude
      return pixel(longitude: west, latitude: latitude).column
    }
    let rows = (0..<width).map { column in
      let longitude = place(column: Double(column) + 0.5, row: 620).longitude
      return pixel(longitude: longitude, latitude: south).row
    }
    return (columns, rows)
  }

  private func pixels() -> [UInt8] {
    let (columns, rows) = graticule()
    let (map, collar, ink) = (map, collar, Print.ink.rawValue)
    // Without ranges and closures, which are slow in debug builds.
    return [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
      count = width * height
      var index = 0
      while index < count {
        let (row, column) = (index / width, index % width)
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let depth = min(min(x - columns[row], rows[column] - y), min(eastColumn - x, y - northRow))
        let print = { (depth > 0 ? map(depth, column, row) : collar(depth, column, row)).rawValue }
        pixels[index] = abs(depth) < frame / 2 ? ink : print()
        index += 1
      }
    }
  }

  /// The four edges in the form of a definition, each moved outward from its true position.
  func definition(_ outward: [Double] = [0, 0, 0, 0]) -> NeatlineDefinition {
    let middle = place(column: pixel(longitude: west, latitude: 36).column - outward[0], row: 350)
    let slant = pixel(longitude: west, latitude: middle.latitude).column
    let moved = place(column: slant - outward[0], row: 350).longitude
    let below = pixel(longitude: -122.9, latitude: south)
    let lower = place(column: below.column, row: below.row + outward[1]).latitude
    return NeatlineDefinition(outline: [
      .meridian(outward[0] == 0 ? west : moved), .parallel(outward[1] == 0 ? south : lower),
      .column(eastColumn + outward[2]), .row(northRow - outward[3]),
    ])
  }

  /// Writes the sheet to a file, and opens it like a chart in the build.
  func image() throws -> SheetImage {
    let folder = TemporaryFolder()
    let path = folder.file("printed.tif").path
    let image = try RasterWriter(path, width: width, height: height, bands: 1)
    try image.setPalette(PrintedSheet.palette)
    try image.setGeoreference(placing, wkt: MadeUpSheet.wkt)
    try image.writeBytes(
      pixels(), band: 1, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    try image.close()
    try Data(MadeUpSheet().htm(extent: extent)).write(to: folder.file("printed.htm"))
    return try SheetImage.opened(folder.file("printed.tif"), tif: "printed.tif")
  }
}

extension SheetImage {
  /// Opens a chart's image, from its zip or bare.
  static func opened(_ file: URL, tif: String) throws -> SheetImage {
    let json = """
      {"name": "printed", "title": "Printed", "cadence": "56-day", "attribution": "nobody",
       "tiles": {"minZoom": 6, "maxZoom": 8, "format": "png", "size": 256},
       "charts": [{"id": "Printed", "name": "Printed", "zip": "\(file.lastPathComponent)", "tif": "\(tif)"}]}
      """
    let family = try Data(json.utf8).decoded(ChartFamily.self)
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(file), cycle: "2601")
    let files = try ChartFiles(request.source, tifName: request.chart.tif)
    return try SheetReader(files: files, page: try ChartPage(htm: files.htm)).open()
  }
}

/// Compares a neatline with a function that defines the map: at pixels all over the sheet, and by area.
func expectMaskAndArea(
  of neatline: Neatline, on sheet: FullSizeSheet, isMap: (GeoPoint) -> Bool
) throws {
  let step = 151
  var (inside, wrong) = (0, 0)
  for row in stride(from: 0, to: sheet.height, by: step) {
    for column in stride(from: 0, to: sheet.width, by: step) {
      let pixel = PixelPoint(column: Double(column) + 0.5, row: Double(row) + 0.5)
      let truth = isMap(sheet.place(of: pixel))
      inside += truth ? 1 : 0
      wrong += neatline.contains(pixel) == truth ? 0 : 1
    }
  }
  #expect(inside > 500)
  // Within a quarter of a pixel of the edge the two may differ: a few of the thousands of points.
  #expect(wrong <= inside / 500)
  try expectMask(of: neatline, near: neatline.ring + neatline.masks.flatMap(\.self), on: sheet, isMap: isMap)
}

/// Compares around some vertices, pixel by pixel.
private func expectMask(
  of neatline: Neatline, near vertices: [Neatline.Vertex], on sheet: FullSizeSheet, isMap: (GeoPoint) -> Bool
) throws {
  let side = 12
  for vertex in vertices.enumerated().filter({ $0.offset.isMultiple(of: 5) }).map(\.element.pixel) {
    let window = PixelWindow(
      column: Int(vertex.column) - side / 2, row: Int(vertex.row) - side / 2, width: side, height: side)
    let mask = try neatline.mask(of: window)
    let wrong = mask.indices.count { index in
      let pixel = PixelPoint(
        column: Double(window.column + index % side) + 0.5, row: Double(window.row + index / side) + 0.5)
      return (mask[index] == 255) != isMap(sheet.place(of: pixel))
    }
    // Each of the twelve pixels of an edge may differ only within a quarter of a pixel from its centre.
    #expect(wrong <= side, "\(wrong) pixels near \(vertex)")
  }
}

/// The numbers of real FAA pages and world files: the 21 flyway planning charts of 2023-11-30, and the San Francisco sectional
/// of 2022-01-27, whose page swaps the row and column counts. They are works of the United States government, in the public
/// domain.
///
/// One line for each chart: name | rows | columns | abscissa | ordinate | central meridian | origin latitude | two parallels |
/// west | east | north | south, and lines 1, 4, 5 and 6 of the world file.
enum FAAPlacements {
  static let lines = """
    Atlanta FLY | 7729 | 9318 | 21.171252 | 21.169447 | -84.33333333333333 | 33.65 | 45 | 33 | -85.681439 | -83.532846 | 34.347625 | 32.862857 | 21.1712521873 | -21.1694476091 | -123768.3664232075 | 77245.6658512135
    Baltimore-Washington FLY | 8776 | 12251 | 21.166412 | 21.167349 | -77.05 | 38.99166666666667 | 45 | 33 | -78.744246 | -75.698645 | 39.838952 | 38.144610 | 21.1664120424 | -21.1673496572 | -144244.2534062711 | 93546.6734263613
    Charlotte FLY | 7569 | 9328 | 21.165022 | 21.163977 | -81.05 | 35.24167 | 45 | 33 | -82.214907 | -80.018047 | 35.947124 | 34.492641 | 21.1650225399 | -21.1639776676 | -104677.8142319235 | 77975.6387861118
    Chicago FLY | 5766 | 7918 | 21.169462 | 21.171602 | -88 | 42.05 | 45 | 33 | -89.173433 | -87.126271 | 42.517982 | 41.408794 | 21.1694620844 | -21.1716029923 | -96070.0584163898 | 51770.1721360111
    Cincinnati FLY | 8668 | 9132 | 21.163948 | 21.164320 | -85 | 38.25 | 45 | 33 | -85.928974 | -83.650400 | 40.101237 | 38.432294 | 21.1639485308 | -21.1643205869 | -78783.4190979035 | 204398.4890484625
    Dallas-Ft Worth FLY | 8738 | 12012 | 21.165104 | 21.166566 | -97.05 | 32.86666666666667 | 45 | 33 | -98.591959 | -95.846752 | 33.696855 | 32.018930 | 21.1651047814 | -21.1665665726 | -142793.4798587620 | 92020.8180784275
    Denver FLY | 7794 | 9202 | 21.167180 | 21.168293 | -104.85 | 39.91666666666666 | 45 | 33 | -105.988139 | -103.674114 | 40.632712 | 39.133141 | 21.1671803078 | -21.1682937699 | -95790.7985346359 | 79082.3940483409
    Detroit FLY | 6824 | 10645 | 21.165947 | 21.167041 | -83.41666666666667 | 42.25 | 45 | 33 | -85.084813 | -82.317317 | 42.903003 | 41.586469 | 21.1659475624 | -21.1670415702 | -135802.4487776210 | 72268.0135813635
    Houston FLY | 8139 | 9067 | 21.168645 | 21.170495 | -95.41666666666667 | 29.8 | 45 | 33 | -96.483712 | -94.492424 | 30.603837 | 29.055074 | 21.1686452868 | -21.1704954988 | -102840.2436159216 | 89643.0533696178
    Las Vegas FLY | 6299 | 10785 | 21.164412 | 21.163457 | -115.0833333333333 | 36.25 | 45 | 33 | -116.362350 | -113.793598 | 36.777782 | 35.564116 | 21.1644129391 | -21.1634575500 | -113642.1947893762 | 58294.9116481603
    Los Angeles FLY | 6040 | 16501 | 21.167955 | 21.167681 | -118 | 33.96666666666667 | 45 | 33 | -119.522632 | -115.708721 | 34.545886 | 33.367924 | 21.1679553069 | -21.1676812015 | -139427.9095943763 | 64111.7906395065
    Miami FLY | 8980 | 10547 | 21.179207 | 21.180048 | -80.11666666666666 | 25.95 | 45 | 33 | -81.511743 | -79.302327 | 26.780145 | 25.087197 | 21.1792076565 | -21.1800488154 | -141037.5865388657 | 93628.2661568104
    New Orleans FLY | 6152 | 9164 | 21.165025 | 21.164410 | -90.3 | 30.06666666666667 | 45 | 33 | -91.626781 | -89.612258 | 30.693662 | 29.518299 | 21.1650252049 | -21.1644106771 | -127732.8771935188 | 69889.6263373177
    Orlando FLY | 7719 | 10432 | 21.169486 | 21.169028 | -80.96666666666667 | 28.5 | 45 | 33 | -82.059743 | -79.807191 | 29.259608 | 27.794663 | 21.1694866058 | -21.1690288020 | -107154.2077386344 | 85000.9908571492
    Phoenix FLY | 7651 | 10548 | 21.168956 | 21.169473 | -112 | 33.43333333333333 | 45 | 33 | -113.574441 | -111.150187 | 34.109884 | 32.637524 | 21.1689563094 | -21.1694736128 | -145009.6466294538 | 74935.0672156038
    Salt Lake City FLY | 7484 | 9143 | 21.169132 | 21.168238 | -112.1333333333333 | 40.76666666666667 | 45 | 33 | -113.314534 | -110.987646 | 41.450337 | 40.010866 | 21.1691328520 | -21.1682383864 | -98241.2229476903 | 75548.2647508818
    San Diego FLY | 6243 | 12467 | 21.170513 | 21.169202 | -117.1666666666667 | 33 | 45 | 33 | -118.050950 | -115.202692 | 33.655393 | 32.446205 | 21.1705134719 | -21.1692021550 | -81924.2051811263 | 72638.3813321620
    San Francisco FLY | 7098 | 10823 | 21.164659 | 21.164950 | -122.25 | 37.6 | 45 | 33 | -123.947645 | -121.314158 | 38.324600 | 36.951833 | 21.1646596794 | -21.1649503697 | -147657.6718177509 | 79993.5981037273
    Seattle FLY | 7292 | 9170 | 21.167483 | 21.165879 | -122.4666666666667 | 47.41666666666666 | 45 | 33 | -123.656134 | -121.069025 | 48.115118 | 46.727588 | 21.1674833436 | -21.1658795449 | -89231.8447252074 | 78156.4231982751
    St Louis FLY | 6322 | 7930 | 21.169246 | 21.168311 | -90.33333333333333 | 38.68472 | 45 | 33 | -91.476306 | -89.518828 | 39.327324 | 38.109733 | 21.1692465275 | -21.1683116509 | -98011.0852634523 | 70939.3638146548
    Tampa FLY | 7501 | 7563 | 21.166315 | 21.167546 | -82.61666666666666 | 27.95 | 45 | 33 | -83.118016 | -81.496812 | 28.688397 | 27.267429 | 21.1663153079 | -21.1675462246 | -49492.2148181324 | 82759.5194722337
    San Francisco SEC | 16658 | 12340 | 42.336600 | 42.337168 | -121.4166666666667 | 38.33333333333334 | 38.66666666666666 | 33.33333333333334 | -125.946499 | -117.633281 | 40.639460 | 35.857057 | 42.3366006779 | -42.3371681488 | -384300.5425231989 | 256233.4262048799
    """
}
