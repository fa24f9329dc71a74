/// A navaid of OurAirports.
struct WorldNavaid {
  static let columns = [
    "ID", "IDENT", "TYPE", "LATITUDE_DEG", "LONGITUDE_DEG", "ISO_COUNTRY", "POWER",
  ]

  /// OurAirports' own number.
  let number: Int
  let ident: String
  /// `VOR-DME`
  let type: String
  let latitude: Double
  let longitude: Double
  let country: String?
  /// `HIGH`, `MEDIUM` or `LOW`
  let power: String?

  init(_ row: SourceRow) throws(UnusableRow) {
    number = Int(try row.requiredNumber(0, in: 0...1e9))
    ident = try row.required(1)
    type = row.text(2) ?? ""
    latitude = try row.requiredNumber(3, in: -90...90)
    longitude = try row.requiredNumber(4, in: -180...180)
    country = row.text(5)
    power = row.text(6)
  }

  /// Whether the FAA publishes the navaids of its country, so that what the FAA does not list is not in service.
  var isFAAs: Bool { country.map { $0 == "US" || DatabaseAirport.territories.contains($0) } ?? false }
}
