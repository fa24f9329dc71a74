/// Where the values of a column come from. The documentation and the audit follow from it.
public struct Origin: Sendable {
  /// How a value follows from the FAA's columns.
  public enum Relation: Sendable {
    /// The text of the first column that is not empty.
    case text
    /// The number; NULL outside of the range. A position may be in degrees, minutes and seconds.
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// The word for a code, one of the `pairs`; another code in lower case.
    case word
    /// 1 for `Y`, 0 for `N`, this for an empty field.
    case flag(whenEmpty: Bool?)
    case date
    /// Degrees with their hemisphere in the second column.
    case variation
    /// The identity of the airport that owns the row.
    case airport
    /// The one airport that the column names.
    case airportNamed
    /// The number of the row that owns the row.
    case owner
    /// The number of the one row of another table that the columns name.
    case row(RowKey)
    /// The lines of another table.
    case lines(Gathering)
    /// 1, 2, 3 ... in the order of the source.
    case rowNumber
    /// The same within the owner.
    case count
    case function(Function)
    /// A value of fixed columns.
    case coded(CodedForm)
    /// Made from the finished database, or by the program.
    case made
  }

  /// A value that takes more than one step.
  public enum Function: String, CaseIterable, Sendable {
    case identity, name, zip, route, isThere, isThereOrUnknown, fuels, services, searchWords
    case size, surface, lighting, edgeLights, baseEnd, reciprocalEnd, latitudeOfPair, longitudeOfPair
    case traffic, indicator, thousands, isMEAGap, knownDate, degrees, altitude, altitudeDatum
    case isVerified, horizontalAccuracy, verticalAccuracy, dayOfYear
    case pdf, americanDate
    case frequencyType, megahertz, isVHF, isReceiveOnly, channel, call, sector
    case reversed, assigned, spelledNumber, lowSpeed, highSpeed, lowAltitude, highAltitude
    case stratum, shape, airspaceClass, state, limit, limitDatum, limitText, limitAboveSea
  }

  /// The FAA's table; nil for that of the table of the database.
  public var table: String?
  /// The FAA's columns.
  public internal(set) var columns: [String]
  public let relation: Relation
  /// The codes of the FAA with their words.
  public let pairs: [String: String]

  init(_ columns: [String], _ relation: Relation, pairs: CodeBook? = nil, in table: String? = nil) {
    (self.columns, self.relation, self.table) = (columns, relation, table)
    self.pairs = Dictionary(first: pairs?.pairs.map { ($0.code, $0.word) } ?? [])
  }

  /// A value that the program makes.
  static let made = Origin([], .made)
  package static let airport = Origin(["SITE_NO", "SITE_TYPE_CODE"], .airport)
  package static func text(_ column: String) -> Origin { Origin([column], .text) }

  /// `APT_RWY_END.TDZ_ELEV`, `LAT_DECIMAL, LONG_DECIMAL`; nil without columns.
  var text: String? {
    let names = columns.map { name in table.map { "\($0).\(name)" } ?? name }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// The words of a column of codes; empty if any text is possible.
  var words: Set<String> { if case .word = relation { Set(pairs.values) } else { [] } }
}
