internal import Core
internal import Foundation

/// CSV tables, such as those in a zip or a folder, where they are found by their names in any folder of it.
struct TableFiles {
  private let origin: TableSource
  private let problems: ProblemLog
  private let files: [String: () throws -> [UInt8]]

  /// - Parameters:
  ///   - files: the bytes of each table by its name in lower case.
  ///   - problems: Records unusable rows and fields.
  init(_ files: [String: () throws -> [UInt8]], _ origin: TableSource, _ problems: ProblemLog) {
    (self.files, self.origin, self.problems) = (files, origin, problems)
  }

  init(_ source: SourceFile, _ origin: TableSource, _ problems: ProblemLog) throws {
    let container = try explaining({ error in
      origin.error("it is no zip archive that can be read: \(error)", causes: [error])
    }) { try SourceContainer(source) }
    let files = container.members.map { member in
      (
        member.fileName.lowercased(),
        { try container.read(member, limit: SubscriptionArchive.mostTableBytes) }
      )
    }
    self.init(Dictionary(first: files), origin, problems)
  }

  func has(_ name: String) -> Bool { files[name] != nil }

  /// Calls a closure for each row of a table. A row for which it throws `UnusableRow` is dropped and recorded. Lines that start with
  /// `#` before the header are comments.
  ///
  /// - Parameter shown: The name of the table in problems.
  func scan(
    _ name: String, _ wanted: [WantedColumn], as shown: String? = nil, _ each: (SourceRow) throws -> Void
  ) throws {
    guard let read = files[name] else { throw origin.error("there is no \(name) in it") }
    let bytes = try explaining({ origin.error("\(name) cannot be read: \($0)", causes: [$0]) }, read)
    var (rest, line) = (bytes[...], 1)
    while rest.first == UInt8(ascii: "#") {
      rest = rest.drop { $0 != .lineFeed }.dropFirst()
      line += 1
    }
    var scan = TableScan(shown ?? name, of: origin, wanted, problems)
    try rest.withUnsafeBufferPointer { try scan.read($0, firstLine: line, each) }
    try scan.finish()
  }
}

/// The tables of OurAirports: `airports.csv`, and for RZFlight also `runways.csv`, `airport-frequencies.csv` and `navaids.csv`.
extension TableFiles {
  init(ofOurAirports source: SourceFile, _ problems: ProblemLog) throws {
    let origin = TableSource(
      operation: "reading OurAirports' data", path: source.url.path,
      remedy:
        "Put airports.csv, runways.csv, airport-frequencies.csv and navaids.csv of OurAirports into one zip.")
    try self.init(source, origin, problems)
  }

  /// The airports in use, in the order of their identifiers. Closed airports contain duplicates and inventions, since OurAirports never removes
  /// a row.
  func airports() throws -> [WorldAirport] {
    var airports: [WorldAirport] = []
    try forEach { (airport: WorldAirport) in if airport.type != "closed" { airports.append(airport) } }
    return airports.sorted { $0.ident < $1.ident }
  }

  func forEach<Record: TableRecord>(_ each: (Record) throws -> Void) throws {
    try scan(Record.file, Record.wanted) { row in if let record = try Record(row) { try each(record) } }
  }
}

/// An airport of OurAirports. It is a class, since lists of 70,000 structs with so many fields are expensive to copy.
final class WorldAirport: TableRecord {
  static let table = "airports"
  static let columns = [
    "IDENT", "TYPE", "NAME", "LATITUDE_DEG", "LONGITUDE_DEG", "ELEVATION_FT", "CONTINENT", "ISO_COUNTRY",
    "ISO_REGION", "MUNICIPALITY", "SCHEDULED_SERVICE", "GPS_CODE", "IATA_CODE", "LOCAL_CODE", "HOME_LINK",
    "WIKIPEDIA_LINK", "KEYWORDS",
  ]

  let ident: String
  let type: String
  let name: String
  let latitude: Double
  let longitude: Double
  let elevation: Double?
  /// The other values by their columns in lower case, such as `iata_code`.
  private let texts: [String: String]

  subscript(column: String) -> String? { texts[column] }

  /// What an advertisement changes.
  private static let advertised = ["HOME_LINK", "WIKIPEDIA_LINK", "KEYWORDS"]

  init?(_ row: SourceRow) throws(UnusableRow) {
    ident = try row.required("IDENT")
    type = try row.required("TYPE")
    let name = row.text("NAME") ?? ident
    latitude = try row.required("LATITUDE_DEG", in: -90...90)
    longitude = try row.required("LONGITUDE_DEG", in: -180...180)
    guard !WorldAirport.isPlaceholder(latitude, longitude) else {
      throw row.unusable("LATITUDE_DEG", "the position is a placeholder in the Gulf of Guinea")
    }
    guard !WorldAirport.isMarked(name) else { throw row.unusable("NAME", "the name marks it as no airport") }
    elevation = row.number("ELEVATION_FT", in: -1500...30_000)
    let isAdvertising = row.text("KEYWORDS").map(WorldAirport.isAdvertising(keywords:)) ?? false
    self.name = isAdvertising ? row.drop("NAME", "it is advertising") ?? ident : name
    var texts: [String: String] = [:]
    for column in WorldAirport.columns.dropFirst(6) {
      guard let text = row.text(column) else { continue }
      let isDropped =
        WorldAirport.advertised.contains(column)
        && (isAdvertising || WorldAirport.isAdvertising(link: text))
      texts[column.lowercased()] = isDropped ? row.drop(column, "it is advertising") : text
    }
    self.texts = texts
  }

  var isHeliport: Bool { type == "heliport" }

  /// OurAirports never removes a row: an editor writes `(Duplicate)` or `(SPAM)` before the name.
  private static func isMarked(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("(duplicate)")
      || ["duplicate", "spam", "delete", "mischief"].contains { mark in
        name.hasPrefix("(" + mark) || name.hasPrefix("[" + mark)
      }
  }

  /// OurAirports moves duplicates and airports of unknown position to the sea around 0 N 0 E.
  private static func isPlaceholder(_ latitude: Double, _ longitude: Double) -> Bool {
    abs(latitude) <= 1.5 && abs(longitude) <= 1.5
  }

  var position: GeoPoint { GeoPoint(longitude: longitude, latitude: latitude) }

  /// The codes that another source can use, the most reliable first.
  var codes: [String] { [ident, self["gps_code"], self["local_code"]].compactMap(\.self) }

  /// The ICAO code: four letters.
  var icao: String? {
    [self["gps_code"], ident].compactMap(\.self).first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }
  }
}

/// A runway of OurAirports.
struct WorldRunway: TableRecord {
  static let table = "runways"
  static let columns =
    ["AIRPORT_IDENT", "LENGTH_FT", "WIDTH_FT", "SURFACE", "LIGHTED", "CLOSED"]
    + ["LE", "HE"].flatMap { end in
      ["IDENT", "LATITUDE_DEG", "LONGITUDE_DEG", "ELEVATION_FT", "HEADING_DEGT", "DISPLACED_THRESHOLD_FT"]
        .map { "\(end)_\($0)" }
    }

  let airport: String
  let length: Double?
  let width: Double?
  let surface: String
  /// Nil where OurAirports does not state it.
  let isLighted: Bool?
  let isClosed: Bool
  let low: RunwayDirection.End
  let high: RunwayDirection.End

  init?(_ row: SourceRow) throws(UnusableRow) {
    airport = try row.required("AIRPORT_IDENT")
    length = row.number("LENGTH_FT", in: 0...99_999)
    width = row.number("WIDTH_FT", in: 0...99_999)
    surface = row.text("SURFACE") ?? ""
    isLighted = row.value("LIGHTED").isEmpty ? nil : row.value("LIGHTED").equals("1")
    isClosed = row.value("CLOSED").equals("1")
    low = WorldRunway.end(row, "LE_")
    high = WorldRunway.end(row, "HE_")
  }

  private static func end(_ row: SourceRow, _ end: String) -> RunwayDirection.End {
    RunwayDirection.End(
      ident: row.text(end + "IDENT") ?? "", latitude: row.number(end + "LATITUDE_DEG", in: -90...90),
      longitude: row.number(end + "LONGITUDE_DEG", in: -180...180),
      elevation: row.number(end + "ELEVATION_FT", in: -1500...30_000),
      heading: row.number(end + "HEADING_DEGT", in: 0...360),
      displaced: row.number(end + "DISPLACED_THRESHOLD_FT", in: 0...99_999))
  }
}

/// A radio frequency of an airport of OurAirports.
struct WorldFrequency: TableRecord {
  static let table = "airport-frequencies"
  static let columns = ["AIRPORT_IDENT", "TYPE", "DESCRIPTION", "FREQUENCY_MHZ"]

  let airport: String
  /// Free text: `TWR`, `Tower`, `A/G`.
  let type: String
  let description: String
  let megahertz: Double
}

extension WorldFrequency {
  init?(_ row: SourceRow) throws(UnusableRow) {
    airport = try row.required("AIRPORT_IDENT")
    type = row.text("TYPE") ?? ""
    description = row.text("DESCRIPTION") ?? ""
    megahertz = try row.required("FREQUENCY_MHZ", in: 0...30_000)
  }

  /// Whether civil aircraft radios receive it. ATIS is also broadcast on VORs, from 108 MHz.
  var isVHF: Bool {
    let lowest = FrequencyNames.plain(type) == "ATIS" ? 108.0 : 118.0
    return lowest <= megahertz && megahertz < 137
  }
}

/// A navaid of OurAirports.
struct WorldNavaid: TableRecord {
  static let table = "navaids"
  static let columns = ["ID", "IDENT", "TYPE", "LATITUDE_DEG", "LONGITUDE_DEG", "ISO_COUNTRY", "POWER"]

  /// The number in OurAirports.
  let number: Int
  let ident: String
  /// `VOR-DME`
  let type: String
  let latitude: Double
  let longitude: Double
  let country: String?
  /// `HIGH`, `MEDIUM` or `LOW`
  let power: String?

  init?(_ row: SourceRow) throws(UnusableRow) {
    number = Int(try row.required("ID", in: 0...1e9))
    ident = try row.required("IDENT")
    type = row.text("TYPE") ?? ""
    latitude = try row.required("LATITUDE_DEG", in: -90...90)
    longitude = try row.required("LONGITUDE_DEG", in: -180...180)
    country = row.text("ISO_COUNTRY")
    power = row.text("POWER")
  }

  /// Whether the FAA publishes the navaids of its country, so that others are out of service.
  var isInFAAArea: Bool { country.map { $0 == "US" || DatabaseAirport.territories.contains($0) } ?? false }
}

/// Detects advertising in the texts of OurAirports, which every registered user can edit.
///
/// Only the form counts, not the words: Casino is a town in Australia with an airport, and hotels with a casino have heliports.
extension WorldAirport {
  /// Whether one of the keywords is a hashtag: `#word`, but not `Auxiliary Field #2`.
  private static func isAdvertising(keywords: String) -> Bool {
    keywords.split(separator: ",").contains { keyword in
      let text = keyword.drop { $0 == " " }
      return text.first == "#" && text.prefix { $0 != " " }.contains(where: \.isLetter)
    }
  }

  /// Whether the host of a link is an IP address, which no airport and no encyclopedia uses.
  private static func isAdvertising(link: String) -> Bool {
    guard let scheme = link.range(of: "//") else { return false }
    let host = link[scheme.upperBound...].prefix { !"/:?#".contains($0) }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
