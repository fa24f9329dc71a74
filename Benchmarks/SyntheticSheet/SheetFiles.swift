internal import ChartpipeKit
internal import Core
public import Foundation
internal import RasterIO
internal import RasterWriting
internal import ZipWriting

/// The three files of one chart, as in the FAA's zips.
public struct SheetFiles: Sendable {
  public let stem: String
  public let tif: [UInt8]
  public let tfw: [UInt8]
  public let htm: [UInt8]

  /// Draws and encodes a sheet. GDAL writes the tif to a temporary file in the scratch folder.
  ///
  /// - Parameter drawing: a drawing of the design that was changed; nil to draw it.
  public init(_ design: SheetDesign, _ drawing: SheetDrawing? = nil, scratch: URL) throws {
    let file = scratch.appending(path: design.fileStem + ".tif")
    try GeoTIFF.write(drawing ?? SheetDrawing(design), design, to: file.path)
    tif = try [UInt8](Data(contentsOf: file))
    try FileManager.default.removeItem(at: file)
    stem = design.fileStem
    tfw = Array(design.worldFile.utf8)
    htm = Array(FGDCMetadata(design).latin1)
  }

  var members: [(name: String, bytes: [UInt8])] {
    [(stem + ".tif", tif), (stem + ".tfw", tfw), (stem + ".htm", htm)]
  }

  /// Writes the zip in the FAA's form: all members at the top level.
  public func writeZip(to file: URL) throws {
    var zip = ZipWriter()
    zip.members = members
    try zip.write(to: file.path)
  }
}

enum GeoTIFF {
  /// 8-bit palette, LZW, in strips, without a nodata value: the form of the FAA's charts.
  static func write(_ drawing: SheetDrawing, _ design: SheetDesign, to path: String) throws {
    let dataset = try RasterWriter(
      path, width: drawing.width, height: drawing.height, bands: 1,
      options: ["COMPRESS=LZW", "BLOCKYSIZE=64"])
    try dataset.setPalette(SheetPalette.colors(of: design.scenery))
    try dataset.setGeoreference(design.geoTransform, wkt: design.wkt)
    try dataset.writeBytes(
      drawing.pixels, band: 1,
      window: PixelWindow(column: 0, row: 0, width: drawing.width, height: drawing.height))
    try dataset.close()
  }

  /// The picture without a georeference, like a chart saved from a web page.
  static func writePlain(_ drawing: SheetDrawing, to path: String) throws {
    let dataset = try RasterWriter(
      path, width: drawing.width, height: drawing.height, bands: 1,
      options: ["COMPRESS=LZW"])
    try dataset.setPalette(SheetPalette.colors(of: Scenery()))
    try dataset.writeBytes(
      drawing.pixels, band: 1,
      window: PixelWindow(column: 0, row: 0, width: drawing.width, height: drawing.height))
    try dataset.close()
  }
}

extension SheetDesign {
  var geoTransform: GeoTransform {
    GeoTransform(
      originX: originX, originY: originY, pixelWidth: metresPerPixel, pixelHeight: -metresPerPixel)
  }

  /// An ESRI world file. Its last two numbers are the middle of the upper left pixel.
  var worldFile: String {
    [
      metresPerPixel, 0, 0, -metresPerPixel, originX + metresPerPixel / 2, originY - metresPerPixel / 2,
    ].map { String(format: "%.10f\r\n", $0) }.joined()
  }

  /// GDAL converts this to the GeoTIFF keys.
  public var wkt: String {
    let (first, second) = projection.standardParallels
    return """
      PROJCS["NAD83 / Lambert Conformal Conic",GEOGCS["NAD83",DATUM["North_American_Datum_1983",\
      SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6269"]],\
      PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],\
      UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4269"]],\
      PROJECTION["Lambert_Conformal_Conic_2SP"],PARAMETER["latitude_of_origin",\(projection.origin.latitude)],\
      PARAMETER["central_meridian",\(projection.origin.longitude)],\
      PARAMETER["standard_parallel_1",\(first)],PARAMETER["standard_parallel_2",\(second)],\
      PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]]]
      """
  }
}

/// The definition that builds the drawn charts, in the form of a file of `pipelines/`.
public struct SheetPipeline: Encodable {
  private struct Chart: Encodable {
    var id: String
    var name: String
    var zip: String
    var tif: String
    var neatline: NeatlineDefinition
  }

  private struct Zooms: Encodable {
    var minZoom: Int
    var maxZoom: Int
  }

  private let kind = "charts"
  private let name: String
  private let title = "Synthetic charts"
  private let cadence = "56-day"
  private let attribution = "Synthetic chart, not for navigation"
  private let tiles: Zooms
  private let charts: [Chart]

  private enum CodingKeys: String, CodingKey {
    case kind, name, title, cadence, attribution, tiles, charts
  }

  public init(_ name: String, _ designs: [SheetDesign], zooms: ClosedRange<Int> = 6...11) {
    self.name = name
    tiles = Zooms(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
    charts = designs.map {
      Chart(
        id: $0.id, name: $0.name, zip: $0.zipName, tif: $0.fileStem + ".tif", neatline: $0.neatline)
    }
  }

  /// Draws the charts and writes their zips and the definition, `NAME.json5`, to a folder.
  public static func write(
    _ name: String, _ designs: [SheetDesign], zooms: ClosedRange<Int> = 6...11, to folder: URL, scratch: URL
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for design in designs {
      try SheetFiles(design, scratch: scratch).writeZip(to: folder.appending(path: design.zipName))
    }
    let definition = try CanonicalJSON.pretty(SheetPipeline(name, designs, zooms: zooms))
    try definition.write(to: folder.appending(path: "\(name).json5"))
  }
}

extension SheetDesign {
  /// `Sample_West`
  public var id: String { name.replacing(" ", with: "_") }
  public var zipName: String { id + ".zip" }
}
