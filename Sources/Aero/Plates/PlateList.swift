internal import Core
internal import Foundation

/// The FAA's list of terminal procedures, `d-TPP_Metafile.xml`: itself, or in one of the zips of the PDFs.
///
/// Its records are presented as rows with named columns, so that they are read as all other tables are.
struct PlateList {
  /// One record, with the values of what it belongs to.
  struct Record {
    let line: Int
    fileprivate let values: [String: String]

    /// Nil for an empty value.
    subscript(column: String) -> String? {
      let text = values[column]?.trimmingCharacters(in: .whitespacesAndNewlines)
      return text?.isEmpty == false ? text : nil
    }

    /// The airport's ICAO code, or else its FAA identifier.
    var airport: String? { self["ICAO_IDENT"] ?? self["APT_IDENT"] }
    /// The name of its PDF; nil for a deleted chart, and for a name that is none of a file.
    var pdf: String? {
      self["PDF_NAME"].flatMap { $0 != PlateList.deleted && PlateList.isFile($0) ? $0 : nil }
    }
  }

  /// Whether a text is the name of a PDF, and not the path of any other file.
  static func isFile(_ name: String) -> Bool { name.wholeMatch(of: /(?i)[a-z0-9_-]{1,60}\.pdf/) != nil }

  /// Stands for the PDF of a deleted chart.
  static let deleted = "DELETED_JOB.PDF"
  private static let mostBytes = 256 << 20
  private static let limits = (elements: 5_000_000, depth: 16)
  /// The names of the attributes and the columns for them.
  private static let outer = [
    "state_code": ["ID": "STATE", "state_fullname": "STATE_NAME"],
    "city_name": ["ID": "CITY", "volume": "VOLUME"],
    "airport_name": [
      "ID": "AIRPORT_NAME", "military": "MILITARY", "apt_ident": "APT_IDENT", "icao_ident": "ICAO_IDENT",
      "alnum": "ALNUM",
    ],
  ]
  private static let inner = [
    "CHARTSEQ", "CHART_CODE", "CHART_NAME", "USERACTION", "PDF_NAME", "CN_FLG", "CNSECTION", "CNPAGE",
    "BVSECTION",
    "BVPAGE", "PROCUID", "TWO_COLORED", "CIVIL", "FAANFD15", "FAANFD18", "COPTER", "AMDTNUM", "AMDTDATE",
  ]
  private static let allColumns = outer.values.flatMap(\.values).sorted() + inner

  /// Those that any record has. The others are missing, and not empty.
  private var columns: [String] {
    PlateList.allColumns.filter { column in records.contains { $0.values[column] != nil } }
  }

  let origin: TableSource
  /// `d-TPP_Metafile.xml`
  let name: String
  /// `2610`
  let cycle: String
  let records: [Record]

  init(_ source: SourceFile) throws {
    let origin = TableSource(
      operation: "reading the list of terminal procedures", path: source.url.path,
      remedy:
        "Get the FAA's d-TPP_Metafile.xml of this cycle again, or the zip DDTPPE_YYMMDD.zip that holds it.")
    self.origin = origin
    let (name, bytes) = try PlateList.content(source, origin)
    self.name = name
    var roots: [XMLNode] = []
    do throws(XMLDefect) {
      try XMLTreeReader(limits: PlateList.limits) { roots.append($0) }.read(Data(bytes))
    } catch {
      let line = error.line > 0 ? " in line \(error.line)" : ""
      throw origin.error("\(name) cannot be read\(line): \(error.reason)")
    }
    guard let root = roots.first, root.name == "digital_tpp", let cycle = root.attributes["cycle"] else {
      throw origin.error("\(name) is not a list of terminal procedures: it has no digital_tpp with a cycle")
    }
    self.cycle = cycle
    records = PlateList.records(in: root, [:])
    guard !records.isEmpty else { throw origin.error("\(name) lists no chart") }
  }

  private static func content(_ source: SourceFile, _ origin: TableSource) throws -> (String, [UInt8]) {
    try explaining({ $0 as? UserError ?? origin.error("it cannot be read: \($0)", causes: [$0]) }) {
      let isList = source.name.lowercased().hasSuffix(".xml")
      let container = try isList ? SourceContainer(file: source.url) : SourceContainer(source)
      let lists = container.members.filter { $0.fileName.lowercased() == "d-tpp_metafile.xml" }
      guard let list = isList ? container.members.first : lists.first else {
        throw origin.error("there is no d-TPP_Metafile.xml in it")
      }
      return (list.fileName, try container.read(list, limit: mostBytes))
    }
  }

  private static func records(in element: XMLNode, _ values: [String: String]) -> [Record] {
    var values = values
    if element.name == "record" {
      for child in element.children { values[child.name.uppercased()] = child.text }
      return [Record(line: element.line, values: values)]
    }
    for (name, column) in outer[element.name] ?? [:] { values[column] = element.attributes[name] }
    return element.children.flatMap { records(in: $0, values) }
  }

  /// Passes on the records as rows with these columns.
  func scan(_ wanted: [WantedColumn], _ problems: ProblemLog, _ each: (SourceRow) throws -> Void) throws {
    var scan = TableScan(name, of: origin, wanted, problems)
    func pass(_ texts: [String], _ line: Int) throws {
      let row = texts.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
      try Array(row.utf8).withUnsafeBufferPointer { try scan.read($0, firstLine: line, each) }
    }
    let columns = columns
    try pass(columns, 1)
    for record in records {
      try pass(columns.map { record[$0] ?? "" }, max(2, record.line))
    }
    try scan.finish()
  }
}
