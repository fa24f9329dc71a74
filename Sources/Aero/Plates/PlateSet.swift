public import Core
internal import CryptoIO
public import Foundation
internal import RasterIO
internal import SQLiteIO

/// The inputs of a set of PDFs.
public struct PlateSetRequest: Sendable {
  public var definition: PlatesDefinition
  public var definitionSha256: SHA256Hex
  /// A state or an airport: `CA`, `KSFO`.
  public var place: String
  public var cycle: AiracCycle
  /// `plates.sqlite` of the cycle, and its product.
  public var database: URL
  public var base: Product
  /// The PDFs that are there, as files.
  public var pdfs: [SourceFile]
  /// The zips that may have others.
  public var archives: [SourceFile]
}

/// A PDF of a set.
struct PlateFile {
  let name: String
  var page: PlatePage?
  var days: PrintedDays?
  var placement: PlatePlacement?
  /// Why the set does not have it.
  var problem: String?
  /// Why the place of an airport diagram is not known.
  var unplaced: String?

  static let missing = "it is not in the sources"
}

/// Builds a set: the PDFs of a state or an airport in one database, with their days and their places on the earth.
public enum PlateSetBuilder {
  /// The versions that can change a byte of the database.
  public static var libraries: [String: String] {
    DatabaseBuilder.libraries.merging(RasterLibraries.versions) { own, _ in own }
  }

  /// Writes the set to `scratch`. Returns its product, and what is wrong with some of the PDFs.
  public static func build(
    _ request: PlateSetRequest, to scratch: URL, progress: any ProgressReporter, step: String
  ) throws -> (product: Product, warnings: [String]) {
    try DatabaseBuilder.writing(to: scratch) {
      let charts = try PlateSetBuilder.charts(request)
      let names = PlateSetBuilder.names(charts)
      let diagrams = Set(charts.filter(\.isDiagram).compactMap(\.pdf))
      var writer = try DatabaseWriter(scratch, as: PlateSetSchema.form)
      try writer.fill(SourceTable.plates.schema, charts) { $0.values }
      let library = try PlateLibrary(request)
      var (files, points) = ([PlateFile](), [[SQLiteValue]]())
      try writer.insert(PlateSetSchema.pdfs.schema) { insert in
        for name in names {
          try CancellationToken.current.check()
          var file = library.file(name, of: request.cycle, isDiagram: diagrams.contains(name))
          try insert.run(PlateSetSchema.pdfs.values(file))
          points += PlateSetSchema.points(of: file)
          file.page = nil
          files.append(file)
          progress.report(.advanced(step: step, done: files.count, total: names.count, unit: "PDFs"))
        }
      }
      try writer.fill(PlateSetSchema.controlPoints, points) { $0 }
      let problems = files.filter { $0.problem != nil }
      guard problems.count < files.count else { throw empty(request, problems) }
      let counts = [
        "charts": charts.count, "pdfs": files.count, "missingPDFs": problems.count,
        "controlPoints": points.count, "georeferenced": files.count { $0.placement?.source == .pdf },
        "placedByTicks": files.count { $0.placement?.source == .ticks },
        "unplacedDiagrams": files.count { $0.unplaced != nil },
        "undatedPDFs": files.count { $0.problem == nil && $0.days == nil },
      ]
      try writer.write(metadata: pairs(request, counts))
      try writer.finish()
      let product = try Metadata.product(
        request.definition, part: request.place, of: request.cycle, box: nil, file: scratch,
        sources: request.base.sources + (request.pdfs + request.archives).map(\.record), libraries: libraries,
        request.definitionSha256, counts)
      return (product, problems.map { "\($0.name): \($0.problem ?? "")" })
    }
  }

  private static func pairs(_ request: PlateSetRequest, _ counts: [String: Int]) -> [String: String] {
    let base = request.base.files[0]
    var pairs = Metadata.common(
      PlateSetSchema.form, of: request.cycle,
      from: Product.Source(url: base.path, sha256: base.sha256, bytes: base.bytes), counts: counts)
    pairs["place"] = request.place
    pairs["disclaimer"] = "The PDFs are the FAA's, unchanged. \(Metadata.warning)"
    return pairs
  }

  private static func empty(_ request: PlateSetRequest, _ files: [PlateFile]) -> UserError {
    let first = files.first { $0.problem != PlateFile.missing } ?? files.first
    let reason =
      first.map { "none of its PDFs can be used, such as \($0.name): \($0.problem ?? "")" }
      ?? "\(request.base.files[0].path) has no chart of it"
    return UserError(
      .badInput, operation: "making the set of PDFs", path: request.place, reason: reason,
      suggestion: first == nil
        ? "Name a state such as CA, or an airport such as KSFO."
        : "Fetch the PDFs of this cycle with `chartpipe fetch`, or put them or the FAA's DDTPP zips into the folder of --from."
    )
  }

  /// The charts of a place, in the order of the list.
  static func charts(_ request: PlateSetRequest) throws -> [(
    values: [SQLiteValue], pdf: String?, isDiagram: Bool
  )] {
    let schema = SourceTable.plates.schema
    let columns = schema.columns.map(\.name)
    let database = try SQLiteConnection(request.database.path, mode: .readOnly)
    let query =
      "SELECT \(columns.joined(separator: ", ")), pdf, kind IS 'airportDiagram' FROM \(schema.name) WHERE ?1 IN (airport, faaID, state) ORDER BY id"
    return try database.prepare(query).map([.text(request.place)]) { row in
      ((0..<columns.count).map(row.value), row.text(columns.count), row.int(columns.count + 1) == 1)
    }
  }

  /// The names of the PDFs of the set.
  public static func names(_ request: PlateSetRequest) throws -> [String] { names(try charts(request)) }

  private static func names(_ charts: [(values: [SQLiteValue], pdf: String?, isDiagram: Bool)]) -> [String] {
    Set(charts.compactMap(\.pdf)).sorted()
  }

  /// The names of the PDFs of a place.
  static func pdfs(of place: String, in list: PlateList) -> [String] {
    let charts = list.records.filter { [$0.airport, $0["APT_IDENT"], $0["STATE"]].contains(place) }
    return Set(charts.compactMap(\.pdf)).sorted()
  }
}

/// The PDFs of a folder of sources, as files and in zips.
private struct PlateLibrary {
  private let files: [String: SourceFile]
  private let members: [String: (container: SourceContainer, member: SourceContainer.Member)]

  init(_ request: PlateSetRequest) throws {
    files = Dictionary(first: request.pdfs.map { ($0.name.lowercased(), $0) })
    members = try request.archives.reduce(into: [:]) { members, archive in
      let container = try UserError.wrapping(
        "reading the PDFs", archive.url.path, kind: .badInput, suggestion: "Get the zip again."
      ) { try SourceContainer(archive) }
      for member in container.members { members[member.fileName.lowercased()] = (container, member) }
    }
  }

  /// A PDF with its days and its place on the earth, or with the reason why it cannot be used.
  func file(_ name: String, of cycle: AiracCycle, isDiagram: Bool) -> PlateFile {
    var file = PlateFile(name: name)
    do {
      guard let bytes = try bytes(name) else { throw PlateDefect(PlateFile.missing) }
      let page = PlatePage(bytes: bytes)
      if let problem = page.problem { throw PlateDefect(problem) }
      let days = page.printedDays.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
      let day = cycle.effectiveDay
      if let first = days.first, !days.contains(where: { $0.from <= day && day < $0.to }) {
        throw PlateDefect("it is of another edition, \(first.from) to \(first.to)")
      }
      file.days = days.first { $0.from <= day && day < $0.to }
      file.placement = try PlatePlacement(page)
      if file.placement == nil && isDiagram {
        do { file.placement = try PlatePlacement(diagram: page) } catch { file.unplaced = "\(error)" }
      }
      file.page = page
    } catch {
      file.problem = "\(error)"
    }
    return file
  }

  private func bytes(_ name: String) throws -> [UInt8]? {
    if let file = files[name.lowercased()] {
      guard file.bytes <= PlatePage.mostBytes else { throw PlateDefect("it is too large") }
      return try [UInt8](Data(contentsOf: file.url))
    }
    guard let found = members[name.lowercased()] else { return nil }
    return try found.container.read(found.member, limit: PlatePage.mostBytes)
  }
}

/// The tables of a set.
enum PlateSetSchema {
  /// With the mark "PLS1".
  static let form = DatabaseForm(
    applicationID: 0x504C_5331, version: PlateSchema.version,
    tables: [SourceTable.plates.schema, pdfs.schema, controlPoints, DatabaseSchema.metadata],
    finishing: [DatabaseSchema.analysis])

  static let pdfs = RecordTable<PlateFile>(
    "pdfs", "The PDFs of the charts, each once.",
    [
      .init("name", "TEXT PRIMARY KEY", "As in `charts.pdf`.") { $0.name },
      .init("problem", "TEXT", "Why there is no content; NULL for a good PDF.") { $0.problem },
      .init("sha256", "TEXT") { $0.page.flatMap { try? SHA256Hex(of: $0.bytes).text } },
      .init("bytes", "INTEGER") { $0.page?.bytes.count },
      .init(
        "printedFrom", "TEXT", "The first day of the edition as printed; NULL if no day is printed as text."
      ) {
        $0.days?.from.description
      },
      .init("printedTo", "TEXT", "The day of the next edition.") { $0.days?.to.description },
      .init(
        "placedBy", "TEXT",
        "Where the place of the page comes from: `pdf` for the FAA's georeference, `ticks` for the labelled meridians and parallels of an airport diagram; NULL for a page without a place."
      ) { $0.placement?.source.rawValue },
      .init(
        "unplaced", "TEXT",
        "Why the ticks of an airport diagram do not give its place; NULL for one that is placed, and for other charts."
      ) { $0.unplaced },
      .init(
        "projection", "TEXT",
        "The reference system of the page as WKT; NULL for a page without a place."
      ) { $0.placement?.projection },
      .init(
        "transform", "TEXT",
        "JSON [a, b, c, d, e, f]: x = a + b * across + c * down, y = d + e * across + f * down in the reference system, with across and down as in `controlPoints`."
      ) { $0.placement.map { "[" + $0.six.map { "\($0)" }.joined(separator: ",") + "]" } },
      .init("content", "BLOB", "The FAA's file, unchanged.") { file in
        file.page.map { SQLiteValue.blob($0.bytes) } ?? .null
      },
    ])

  static let controlPoints = TableSchema(
    "controlPoints",
    "The points by which the FAA places its georeferenced pages, and the corners of airport diagrams that are placed by ticks.",
    [
      .init("pdf", "TEXT NOT NULL REFERENCES pdfs(name)"), .init("number", "INTEGER NOT NULL", "From 1."),
      .init(
        "across", "REAL NOT NULL",
        "The share of the width of the media box, from the left of the page as it is shown."),
      .init("down", "REAL NOT NULL", "The share of its height, from the top."),
      .init("longitude", "REAL NOT NULL"), .init("latitude", "REAL NOT NULL"),
    ], constraints: ["PRIMARY KEY (pdf, number)"], isKeyed: true)

  static func points(of file: PlateFile) -> [[SQLiteValue]] {
    (file.placement?.controlPoints ?? []).enumerated().map { number, point in
      [.text(file.name), .integer(number + 1), .real(point.across), .real(point.down)]
        + [point.place.longitude, point.place.latitude].map { .real(($0 * 1e7).rounded() / 1e7) }
    }
  }
}
