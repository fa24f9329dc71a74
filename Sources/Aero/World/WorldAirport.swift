internal import Core

/// An airport of OurAirports. A class, since 70,000 of so many fields would be moved about with each list that is made of them.
final class WorldAirport {
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
  let continent: String?
  let country: String?
  let region: String?
  let municipality: String?
  /// `yes` or `no`
  let scheduledService: String?
  let gpsCode: String?
  let iataCode: String?
  let localCode: String?
  let homeLink: String?
  let wikipediaLink: String?
  let keywords: String?

  init(_ row: SourceRow) throws(UnusableRow) {
    ident = try row.required(0)
    type = try row.required(1)
    let name = row.text(2) ?? ident
    latitude = try row.requiredNumber(3, in: -90...90)
    longitude = try row.requiredNumber(4, in: -180...180)
    guard !WorldAirport.isPlaceholder(latitude, longitude) else {
      throw row.unusable(3, "the position is a placeholder in the Gulf of Guinea")
    }
    guard !WorldAirport.isMarked(name) else { throw row.unusable(2, "the name marks it as no airport") }
    elevation = row.number(5, in: -1500...30_000)
    continent = row.text(6)
    country = row.text(7)
    region = row.text(8)
    municipality = row.text(9)
    scheduledService = row.text(10)
    gpsCode = row.text(11)
    iataCode = row.text(12)
    localCode = row.text(13)
    // The links and the name beside an advertisement advertise the same.
    let isAdvertising = row.text(16).map(Advertising.isIn(keywords:)) ?? false
    func unlessAdvertising(_ column: Int) -> String? {
      guard let text = row.text(column) else { return nil }
      return isAdvertising || Advertising.isIn(link: text) ? row.drop(column, "it is advertising") : text
    }
    self.name = isAdvertising ? row.drop(2, "it is advertising") ?? ident : name
    homeLink = unlessAdvertising(14)
    wikipediaLink = unlessAdvertising(15)
    keywords = isAdvertising ? row.drop(16, "it is advertising") : row.text(16)
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

  var place: GeoPoint { GeoPoint(longitude: longitude, latitude: latitude) }

  /// By which another source may know it, the surest first.
  var codes: [String] { [ident, gpsCode, localCode].compactMap(\.self) }

  /// The code that the ICAO could have given it: four letters.
  var icao: String? {
    [gpsCode, ident].compactMap(\.self).first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }
  }
}

@available(*, unavailable)
extension WorldAirport: Sendable {}

/// A runway of OurAirports.
struct WorldRunway {
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
  /// Nil where OurAirports does not say.
  let isLighted: Bool?
  let isClosed: Bool
  let low: RunwayDirection.End
  let high: RunwayDirection.End

  init(_ row: SourceRow) throws(UnusableRow) {
    airport = try row.required(0)
    length = row.number(1, in: 0...99_999)
    width = row.number(2, in: 0...99_999)
    surface = row.text(3) ?? ""
    isLighted = row.value(4).isEmpty ? nil : row.value(4).equals("1")
    isClosed = row.value(5).equals("1")
    low = WorldRunway.end(row, from: 6)
    high = WorldRunway.end(row, from: 12)
  }

  private static func end(_ row: SourceRow, from first: Int) -> RunwayDirection.End {
    RunwayDirection.End(
      ident: row.text(first) ?? "", latitude: row.number(first + 1, in: -90...90),
      longitude: row.number(first + 2, in: -180...180), elevation: row.number(first + 3, in: -1500...30_000),
      heading: row.number(first + 4, in: 0...360), displaced: row.number(first + 5, in: 0...99_999))
  }
}
