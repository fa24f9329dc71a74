import ArchiveIO
import ChartpipeClient
import Core
import CryptoIO
import Foundation
import ImageIO
import RasterIO
import TestSupport

@testable import ChartpipeKit

/// An entry point for untrusted bytes, named like its folder in the corpus.
///
/// Any input may be rejected. It must not trap, hang, or use unlimited memory.
enum FuzzEntry: String, CaseIterable, Sendable {
  case aixm, catalog, cifp, csv, definition, htm, image, listing, mbtiles, mvt, nasr, obstacles, part, pdf,
    plates, pmtiles, product, raster, request, s3, signature, tfr, tif, vectortile, weather, zip

  /// Throws if the input is rejected, which is the expected result.
  func feed(_ bytes: [UInt8]) throws {
    switch self {
    case .aixm: try SourceEntries.aixm(bytes)
    case .cifp: try SourceEntries.cifp(bytes)
    case .csv: try SourceEntries.csv(bytes)
    case .nasr: try SourceEntries.nasr(bytes)
    case .obstacles: try SourceEntries.obstacles(bytes)
    case .pdf: try SourceEntries.pdf(bytes)
    case .plates: try SourceEntries.plates(bytes)
    case .tfr: try SourceEntries.tfr(bytes)
    case .htm: try SheetEntries.htm(bytes)
    case .tif: try SheetEntries.tif(bytes)
    case .raster: try SheetEntries.raster(bytes)
    case .image: try SheetEntries.image(bytes)
    case .zip: try SheetEntries.zip(bytes)
    case .mbtiles: try ArchiveEntries.archive(bytes, ending: "mbtiles")
    case .pmtiles: try ArchiveEntries.archive(bytes, ending: "pmtiles")
    case .mvt, .vectortile: _ = try VectorTile(stored: bytes)
    case .product: try ArchiveEntries.product(bytes)
    case .catalog: try SiteEntries.catalog(bytes)
    case .signature: try SiteEntries.signature(bytes)
    case .part: try SiteEntries.part(bytes)
    case .s3: try SiteEntries.s3(bytes)
    case .listing: try SiteEntries.listing(bytes)
    case .definition: try SiteEntries.definition(bytes)
    case .request: try SiteEntries.request(bytes)
    case .weather: try SourceEntries.weather(bytes)
    }
  }
}

/// Finished files, as a user inspects them.
enum ArchiveEntries {
  static func archive(_ bytes: [UInt8], ending: String) throws {
    let folder = TemporaryFolder()
    let file = folder.file("fuzz.\(ending)")
    try Data(bytes).write(to: file)
    _ = try FileInspection(of: file)
    _ = try? Validator(jobs: 1).validate([file], progress: SilentProgress())
    let reader: any TileSource =
      ending == "mbtiles" ? try MBTilesReader(opening: file) : try PMTilesReader(opening: file)
    _ = try reader.anyTile()
    guard try reader.summary().zooms.map(\.tiles).reduce(0, +) < 10_000 else { return }
    for id in try reader.tileIDs().prefix(100) { _ = try reader.tile(id) }
    try reader.forEachStored { _ in }
  }

  private static let seeds = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  /// The description of a product with one valid file of tiles, and its HTML page.
  static func product(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let description = folder.file("fuzz.product.json")
    try Data(bytes).write(to: description)
    try FileManager.default.copyItem(
      at: seeds.appending(path: "mbtiles/good.mbtiles"), to: folder.file("fuzz.mbtiles"))
    let request = ValidationRequest([folder.url])
    let report = try Validator(jobs: 1).validate(request, progress: SilentProgress())
    _ = try ValidationPage.data(request, report, progress: SilentProgress())
    _ = try PlacedProduct(describedBy: description)
  }
}

/// Charts and their containers.
enum SheetEntries {
  /// More than the size of a seed. Further bytes would only repeat the same work.
  private static let enough = 1 << 22

  static func htm(_ bytes: [UInt8]) throws {
    _ = GeoTransform(worldFile: bytes)
    _ = try ChartPage(htm: bytes)
  }

  /// The page of the seeds.
  private static let page = """
    Beginning_Date: 20230420 Ending_Date: 20230614 West_Bounding_Coordinate: -121.0
    East_Bounding_Coordinate: -120.954072 North_Bounding_Coordinate: 38.0 South_Bounding_Coordinate: 37.969705
    """

  static func tif(_ bytes: [UInt8]) throws {
    let memory = try MemoryFile(bytes, extension: "tif")
    let files = ChartFiles(
      path: "fuzz.zip", tifName: "fuzz.tif", tif: (memory.path, memory), htmName: "fuzz.htm", htm: [],
      world: nil, records: [])
    let sheet = try SheetReader(files: files, page: try ChartPage(htm: Array(page.utf8))).open()
    try readRows(of: sheet)
  }

  /// An image that is not a chart, in any format of GDAL.
  static func raster(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let file = folder.file("fuzz")
    try Data(bytes).write(to: file)
    try readRows(of: RasterReader(file: file).open().0)
  }

  private static func readRows(of sheet: SheetImage) throws {
    let rows = 0..<min(sheet.height, max(1, enough / max(1, sheet.width)))
    for first in stride(from: 0, to: rows.count, by: 64) {
      _ = try sheet.rows(first..<min(first + 64, rows.count))
    }
  }

  /// A tile of an archive of unknown origin.
  static func image(_ bytes: [UInt8]) throws {
    _ = try? TileImage.survey(bytes)
    _ = try TileImage.decode(bytes)
  }

  /// An archive, and the archives inside it.
  static func zip(_ bytes: [UInt8]) throws {
    try read(SourceContainer(zip: ZipArchive(bytes: bytes)), depth: 0)
  }

  private static func read(_ container: SourceContainer, depth: Int) throws {
    var left = enough
    for member in container.members {
      left -= member.size
      guard left > 0 else { return }
      _ = try? container.read(member, inPiecesOf: 1000) { _ in }
      guard (try? container.read(member)) != nil, depth < 3 else { continue }
      if let inner = try? container.container(member) { try read(inner, depth: depth + 1) }
    }
  }
}

/// Data from servers, clients and authors of definitions.
enum SiteEntries {
  /// The description of a part, and what is printed about it.
  static func part(_ bytes: [UInt8]) throws {
    let part = try Data(bytes).decoded(BuildPart.self)
    _ = try part.problem()
    for failure in part.failures { _ = failure.error.message }
    let folder = TemporaryFolder()
    try Data(bytes).write(to: folder.file(BuildPart.fileName))
    let search = try PartSearch(in: [PublishTarget(folder: folder.url)])
    _ = try? PartSet(search, of: nil, libraries: [:])
  }

  private struct Refused: Error {}

  static func catalog(_ bytes: [UInt8]) throws {
    let data = Data(bytes)
    if let catalog = try? ChartpipeClient.Catalog(json: data) {
      _ = catalog.currency(at: Date(timeIntervalSince1970: 1_800_000_000))
      let plan = DownloadPlan(for: catalog.products, on: DeviceFiles())
      _ = (plan.bytesToGet, plan.bytesThere)
    }
    _ = try? data.decoded(Manifest.self).allFiles
    let catalogue = try PublishedCatalogue(data).catalogue
    _ = (catalogue.productFiles + catalogue.ownFiles).map(\.reference.problem)
  }

  private static let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"

  static func signature(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let key = try PublicKey(Self.key)
    if let other = PublicKey(minisign: text) {
      _ = (other.line, other.name)
      return
    }
    guard let signature = Signature(minisign: text) else { throw Refused() }
    _ = (signature.text, signature.keyName, try? signature.verify(Data(bytes), by: key, path: ""))
    try signature.verify(bytes, by: key)
  }

  static func s3(_ bytes: [UInt8]) throws {
    guard let answer = XMLNode.answer(Data(bytes)) else { throw Refused() }
    _ = answer["Contents"]
  }

  static func listing(_ bytes: [UInt8]) throws {
    let folder = "https://aeronav.faa.gov/visual/02-19-2026/sectional-files/"
    guard let listing = RemoteListing(html: bytes, at: folder) else { throw Refused() }
    _ = listing.fileNames
  }

  static func definition(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let file = folder.file("fuzz.json5")
    try Data(bytes).write(to: file)
    _ = try PipelineLibrary.read(file).items.map(\.id)
  }

  /// A request of a browser or another client.
  static func request(_ bytes: [UInt8]) throws {
    var buffer = RequestBuffer()
    buffer.add(bytes)
    while let head = buffer.take() {
      let request = try Request(head: head)
      _ = TileID(request.path.suffix(3))
      if let range = try request.range(of: 1000) { precondition(!range.isEmpty && range.upperBound <= 1000) }
    }
  }
}

/// The FAA's data except for the charts.
enum SourceEntries {
  /// Special-use airspace, up to the shapes.
  static func aixm(_ bytes: [UInt8]) throws {
    let directory = SpecialUseDirectory([try SpecialUseFile(bytes, name: "fuzz.xml")])
    let problems = ProblemLog()
    let composer = SpecialUseComposer(directory: directory, problems: problems)
    let maker = ShapeBuilder(toleranceInMetres: 10)
    for entry in directory.entries {
      _ = entry.file.usage.map { ($0.text, $0.timesheets) }
      _ = entry.file.channels(of: entry.area)
      guard let composition = try? composer.compose(entry.area, of: entry.file) else { continue }
      for stratum in composition.strata {
        _ = stratum.band.text
        guard let polygons = try? ShapeBuilder.settled(stratum.area) else { continue }
        _ = try? maker.shape(of: polygons)
      }
    }
  }

  /// METARs as XML or CSV, or SIGMETs as GeoJSON, up to the values of the tables.
  static func weather(_ bytes: [UInt8]) throws {
    let isJSON = bytes.first == UInt8(ascii: "{")
    let file = isJSON ? WeatherFile.foreignSigmets : .metars
    let name = isJSON ? "fuzz.json" : bytes.first == UInt8(ascii: "<") ? "fuzz.xml" : "fuzz.csv"
    for row in try WeatherReader.read(Data(bytes), name, as: file) {
      let text = METARText(row.raw)
      let made = WeatherRow(element: row, number: 1, text: text, conditions: Conditions(row, text))
      _ = (file.flaw(of: row), file.tables.map { $0.values(made) })
    }
  }

  /// Rows, and all ways of reading a field.
  static func csv(_ bytes: [UInt8]) throws {
    let columns = SourceTable.obstacles.fields.wanted.map { WantedColumn(name: $0.name, mayLack: true) }
    let nowhere = TableSource(operation: "reading", path: "the fuzzer's table", remedy: "")
    var scan = TableScan("fuzz.csv", of: nowhere, columns, ProblemLog())
    try bytes.withUnsafeBufferPointer { bytes in
      try scan.read(bytes) { row in
        for index in columns.indices { try read(row, index) }
      }
    }
    try scan.finish()
  }

  private static func read(_ row: SourceRow, _ index: Int) throws {
    _ = (row.text(index), row.flag(index), row.date(index))
    _ = (row.number(index, in: -1e6...1e6), row.whole(index, in: -1000...1000))
    _ = (row.variation(index, 0), row.word(index, ObstacleCodes.lights))
    _ = (try? ObstacleCodes.date(row, index), try? ObstacleCodes.horizontal(row, index))
    _ = (try? row.required(index), try? row.requiredNumber(index, in: 0...1))
  }

  /// A whole subscription in one text, each table after a line with its name, up to the finished database.
  static func nasr(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    for part in String(decoding: bytes, as: UTF8.self).split(separator: "==> ").prefix(100) {
      guard let end = part.firstIndex(of: "\n"), part[..<end].allSatisfy({ $0.isLetter || $0 == "_" }) else {
        continue
      }
      try folder.file("\(part[..<end]).csv").put(String(part[end...].dropFirst()))
    }
    let json = """
      {"name": "nasr", "title": "Fuzz", "cadence": "28-day", "id": "aviation", "sources": [],
       "gates": {"droppedRowShare": 1, "minimumRows": {}}, "rawTables": true}
      """
    guard let cycle = AiracCycle(identifier: "2602") else { return }
    let source = SourceFile(
      url: folder.url, sha256: try SHA256Hex(of: []), bytes: bytes.count, isFolder: true)
    let request = NASRRequest(
      definition: try Data(json.utf8).decoded(NASRDefinition.self),
      definitionSha256: try SHA256Hex(of: []), source: source, cycle: cycle)
    _ = try DatabaseBuilder.build(
      request, to: folder.file("out.sqlite"), progress: SilentProgress(), step: "nasr")
  }

  /// The obstacle file, as the daily CSV or, if it begins with the day, as DOF.DAT, up to the finished database.
  static func plates(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let file = folder.file("d-TPP_Metafile.xml")
    try Data(bytes).write(to: file)
    let list = try PlateList(SourceFolder.file(file))
    try list.scan(SourceTable.plates.wanted, ProblemLog()) { _ in }
  }

  static func pdf(_ bytes: [UInt8]) throws {
    let page = PlatePage(bytes: bytes)
    _ = page.printedDays
    _ = try? PlatePlacement(diagram: page)
    _ = try PlatePlacement(page)
  }

  static func obstacles(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let file = folder.file(bytes.starts(with: Array("CURRENCY".utf8)) ? "DOF.DAT" : "DOF.CSV")
    try Data(bytes).write(to: file)
    let json = """
      {"name": "obstacles", "title": "Fuzz", "cadence": "28-day", "id": "obstacles", "sources": [],
       "gates": {"droppedRowShare": 1, "minimumRows": {}}}
      """
    guard let cycle = AiracCycle(identifier: "2602") else { return }
    let request = DatabaseRequest(
      definition: try Data(json.utf8).decoded(ObstacleDefinition.self),
      definitionSha256: try SHA256Hex(of: []), source: try SourceFolder.file(file), cycle: cycle)
    _ = try ObstacleBuilder.build(request, to: folder.file("out.sqlite")) { _ in }
  }

  /// FAACIFP18, up to the finished database and its audit.
  static func cifp(_ bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let file = folder.file("FAACIFP18")
    try Data(bytes).write(to: file)
    let json = """
      {"name": "cifp", "title": "Fuzz", "cadence": "28-day", "id": "procedures", "sources": [], "isPart": true,
       "gates": {"droppedRowShare": 1, "minimumRows": {}}}
      """
    guard let cycle = AiracCycle(identifier: "2003") else { return }
    let (source, database) = (try SourceFolder.file(file), folder.file("out.sqlite"))
    let request = DatabaseRequest(
      definition: try Data(json.utf8).decoded(ProceduresDefinition.self),
      definitionSha256: try SHA256Hex(of: []), source: source, cycle: cycle)
    let outcome = try ProcedureBuilder.build(request, to: database) { _ in }
    try DatabaseAudit(database: database, cycle: cycle, tables: source, problems: outcome.problems, jobs: 1)
      .result()
      .check(database)
  }

  /// A list of TFRs, the answer of the map server, or the file about one TFR, up to what an app gets.
  static func tfr(_ bytes: [UInt8]) throws {
    let data = Data(bytes)
    var files = [
      TFRSource.list: Data(#"[{"notam_id": "6/6654", "mod_abs_time": "202610011551"}]"#.utf8)
    ]
    switch bytes.first {
    case UInt8(ascii: "["): files[TFRSource.list] = data
    case UInt8(ascii: "{"):
      _ = try TFRFeatures(data)
      files[TFRSource.features] = data
    default:
      guard let number = TFRNumber("6/6654") else { return }
      _ = try TFRDetail(data, of: number)
      files[number.detailName] = data
    }
    let list = try TFRList(files[TFRSource.list] ?? Data())
    try? list.check(after: list, maxLoss: 0.5, now: Instant(secondsSince1970: 1_800_000_000))
    let folder = TemporaryFolder()
    let directory = try TFRDirectory(files)
    _ = directory.notices.flatMap { $0.forApp(around: directory.newest) }
    _ = try TFRTables.write(directory, directory.counts, to: folder.file("out.sqlite"))
    try TFRTables.writeMap(of: folder.file("out.sqlite"), to: folder.file("out.geojson"))
  }
}
