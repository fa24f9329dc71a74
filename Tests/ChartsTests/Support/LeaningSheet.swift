import Core
import CryptoIO
import Foundation
import RasterIO
import RasterWriting
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// A small enroute chart: red, green and blue, turned on its projection, its face a rectangle of pixels with a panel cut into it.
struct LeaningSheet: ConicSheet {
  var width = 640
  var height = 420
  let metres = 500.0
  /// Degrees from the x axis to the image's rows, anticlockwise.
  var angle = 24.5
  var middle = GeoPoint(longitude: -78, latitude: 44)
  var hasPanel = true
  var cone = LambertConformal(standardParallels: (45, 33), origin: GeoPoint(longitude: -95, latitude: 39))

  let columns = 90.0..<600.0
  let rows = 40.0..<380.0
  /// The box that covers the face's upper left corner.
  let panel = (columns: 90.0..<200.0, rows: 40.0..<130.0)
  /// The corners of pixels around which 8 x 8 pixels are black.
  let marks = [(300, 200), (140, 300), (560, 350), (500, 70), (240, 90)]
  /// The only place of an ink.
  let symbol = (column: 420, row: 300)
  static let magenta = PaletteColor(red: 190, green: 30, blue: 120)

  var placing: GeoTransform {
    let turn = angle * .pi / 180
    let (cosine, sine) = (metres * cos(turn), metres * sin(turn))
    let (x, y) = cone.project(middle)
    let (across, down) = (Double(width) / 2, Double(height) / 2)
    return GeoTransform(
      originX: x - across * cosine - down * sine, originY: y - across * sine + down * cosine,
      pixelWidth: cosine, pixelHeight: -cosine, rotationX: sine, rotationY: sine)
  }

  func isMap(column: Double, row: Double) -> Bool {
    columns.contains(column) && rows.contains(row)
      && !(hasPanel && panel.columns.contains(column) && panel.rows.contains(row))
  }

  private func color(_ column: Int, _ row: Int) -> PaletteColor {
    if marks.contains(where: { ($0.0 - 4..<$0.0 + 4).contains(column) && ($0.1 - 4..<$0.1 + 4).contains(row) }
    ) {
      return MadeUpSheet.ink
    }
    if (symbol.column - 6..<symbol.column + 6).contains(column),
      (symbol.row - 6..<symbol.row + 6).contains(row)
    {
      return LeaningSheet.magenta
    }
    guard isMap(column: Double(column) + 0.5, row: Double(row) + 0.5) else {
      return hasPanel ? MadeUpSheet.collar : PaletteColor(red: 255, green: 255, blue: 255)
    }
    // More colours than a palette holds.
    var tint = MadeUpSheet.tint
    tint.red += UInt8(column / 8 % 20)
    tint.blue += UInt8(row / 8 % 20)
    return tint
  }

  /// The pixels without and with the panel, which the angle does not change.
  private static let drawn = [false, true].map { hasPanel in
    let sheet = LeaningSheet(hasPanel: hasPanel)
    return (0..<sheet.height).flatMap { row in (0..<sheet.width).map { sheet.color($0, row) } }
  }

  /// How the pixels are stored.
  enum Form: CaseIterable {
    case colors, colorsWithAlpha, planes, palette
  }

  func tif(
    _ form: Form = .colors, placing given: GeoTransform? = nil, wkt other: String? = nil
  ) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.file("sheet.tif").path
    let bands = form == .palette ? 1 : form == .colorsWithAlpha ? 4 : 3
    let options =
      form == .palette
      ? []
      : ["PHOTOMETRIC=RGB", "INTERLEAVE=\(form == .planes ? "BAND" : "PIXEL")"]
        + (bands == 4 ? ["ALPHA=YES"] : [])
    let image = try RasterWriter(
      path, width: width, height: height, bands: bands, options: ["COMPRESS=LZW"] + options)
    let colors = LeaningSheet.drawn[hasPanel ? 1 : 0]
    let window = PixelWindow(column: 0, row: 0, width: width, height: height)
    if form == .palette {
      let inks = [MadeUpSheet.collar, MadeUpSheet.tint, MadeUpSheet.ink, LeaningSheet.magenta]
      try image.setPalette(inks)
      try image.writeBytes(colors.map { UInt8(inks.firstIndex(of: $0) ?? 1) }, band: 1, window: window)
    } else {
      // Closures take a tenth of the time of key paths in debug builds.
      let channels: [(PaletteColor) -> UInt8] = [{ $0.red }, { $0.green }, { $0.blue }, { $0.alpha }]
      for (number, channel) in channels.prefix(bands).enumerated() {
        try image.writeBytes(colors.map(channel), band: number + 1, window: window)
      }
    }
    try image.setGeoreference(given ?? placing, wkt: other ?? wkt)
    try image.close()
    return [UInt8](try URL(filePath: path).data)
  }

  func worldFile(of placing: GeoTransform? = nil) -> [UInt8] {
    let placing = placing ?? self.placing
    let middle = placing.projected(column: 0.5, row: 0.5)
    let numbers = [
      placing.pixelWidth, placing.rotationY, placing.rotationX, placing.pixelHeight, middle.x, middle.y,
    ]
    return Array(numbers.map { "\($0)\r\n" }.joined().utf8)
  }

  /// The page of an enroute chart: without dates. A portrait sheet's counts are exchanged.
  func page(dates: (String, String)? = nil) throws -> [UInt8] {
    let box = try extent
    func longitude(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) }
    var fields = [
      ("Title", "ENR_L99"), ("West_Bounding_Coordinate", "\(longitude(box.west))"),
      ("East_Bounding_Coordinate", "\(longitude(box.east))"), ("North_Bounding_Coordinate", "\(box.north)"),
      ("South_Bounding_Coordinate", "\(box.south)"), ("Row_Count", "\(width)"), ("Column_Count", "\(height)"),
      ("Standard_Parallel", "\(cone.standardParallels.0)"),
      ("Standard_Parallel", "\(cone.standardParallels.1)"),
      ("Longitude_of_Central_Meridian", "\(cone.origin.longitude)"),
      ("Latitude_of_Projection_Origin", "\(cone.origin.latitude)"),
      ("Abscissa_Resolution", "\(metres)"), ("Ordinate_Resolution", "\(metres)"),
    ]
    if let dates { fields += [("Beginning_Date", dates.0), ("Ending_Date", dates.1)] }
    return Array(fields.map { "<dt>\($0.0):  \($0.1)</dt>\n" }.joined().utf8)
  }

  /// In the notation of a definition.
  var definition: String {
    """
    {"west": {"column": \(columns.lowerBound)}, "south": {"row": \(rows.upperBound)},
     "east": {"column": \(columns.upperBound)}, "north": {"row": \(rows.lowerBound)},
     "masks": [{"west": {"column": 0}, "south": {"row": \(panel.rows.upperBound)},
                "east": {"column": \(panel.columns.upperBound)}, "north": {"row": 0}}]}
    """
  }
}

/// A folder in which enroute charts are built.
struct EnrouteBench {
  let folder = TemporaryFolder()

  func family(_ sheet: LeaningSheet, keys: String = "", chartKeys: String = "") throws -> ChartFamily {
    let json = """
      {"name": "ifr-low", "title": "IFR", "cadence": "56-day", "attribution": "FAA", "undated": true,
       "tiles": {"minZoom": 5, "maxZoom": 8}\(keys),
       "charts": [{"id": "L99", "name": "L-99", "zip": "enr_l99.zip", "tif": "ENR_L99.tif",
                   "neatline": \(sheet.definition)\(chartKeys)}]}
      """
    return try Data(json.utf8).decoded(ChartFamily.self)
  }

  func zip(
    _ sheet: LeaningSheet, tif: [UInt8]? = nil, world: [UInt8]? = nil, page: [UInt8]? = nil
  ) throws -> URL {
    var writer = ZipWriter()
    writer.members = [
      ("enr_L99.TIF", try tif ?? sheet.tif()), ("ENR_L99.TFWX", world ?? sheet.worldFile()),
      ("ENR_L99_tif.HTM", try page ?? sheet.page()),
    ]
    let file = folder.file("enr_l99.zip")
    try writer.write(to: file.path)
    return file
  }

  func build(
    _ source: URL, of family: ChartFamily, jobs: Int = 2
  ) throws -> ChartBench.Built {
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(source), cycle: "2601")
    let name = UUID().uuidString
    let (file, control) = (folder.file("\(name).mbtiles"), folder.file("\(name).png"))
    let (reference, progress) = (folder.file("\(name).reference.png"), RecordedProgress())
    let product = try ChartBuilder.build(
      request, to: file, control: control, reference: reference, jobs: jobs, progress: progress, step: "L99")
    return ChartBench.Built(
      product: product, file: file, control: control, reference: reference, progress: progress)
  }

  func build(_ sheet: LeaningSheet, tif: [UInt8]? = nil) throws -> ChartBench.Built {
    try build(try zip(sheet, tif: tif), of: try family(sheet))
  }

  /// The reason why a sheet is refused.
  func refusal(
    _ sheet: LeaningSheet, tif: [UInt8]? = nil, world: [UInt8]? = nil, page: [UInt8]? = nil,
    chartKeys: String = ""
  ) throws -> String {
    let source = try zip(sheet, tif: tif, world: world, page: page)
    let family = try family(sheet, chartKeys: chartKeys)
    let error = #expect(throws: UserError.self) { _ = try build(source, of: family) }
    return error?.reason ?? ""
  }
}
