internal import Core

/// The FGDC metadata page of a chart's image: its edition, its extent with the collar, and its projection.
struct ChartPage {
  let beginning: CalendarDay
  /// The last day, inclusive.
  let ending: CalendarDay
  /// `San Francisco SEC.tif`; nil if the page omits it.
  let title: String?
  /// As written in the page. West is greater than east for the sheet across 180 degrees.
  let extent: GeoBox
  /// Nil if the page omits the fields; the same holds for the next two.
  let projection: Product.Control.Projection?
  /// As written in the page. Some editions swap the two.
  let counts: (rows: Int, columns: Int)?
  /// Metres.
  let resolution: (abscissa: Double, ordinate: Double)?

  struct Missing: Error, CustomStringConvertible {
    let field: String
    var description: String { "`\(field)` is missing or unreadable" }
  }

  /// Parses the page. It is HTML in Latin-1, even if its header states another encoding.
  init(htm bytes: [UInt8]) throws(Missing) {
    let text = ChartPage.withoutTags(bytes)
    beginning = try ChartPage.day("Beginning_Date", in: text)
    ending = try ChartPage.day("Ending_Date", in: text)
    title = ChartPage.line("Title", in: text)
    extent = GeoBox(
      west: try ChartPage.degrees("West_Bounding_Coordinate", in: text),
      south: try ChartPage.degrees("South_Bounding_Coordinate", in: text),
      east: try ChartPage.degrees("East_Bounding_Coordinate", in: text),
      north: try ChartPage.degrees("North_Bounding_Coordinate", in: text))
    projection = ChartPage.projection(in: text)
    counts = ChartPage.pair("Row_Count", "Column_Count", in: text).flatMap {
      guard let rows = Int(exactly: $0), let columns = Int(exactly: $1) else { return nil }
      return (rows, columns)
    }
    resolution =
      ChartPage.value("Planar_Distance_Units", in: text)?.lowercased().hasPrefix("met") == false
      ? nil
      : ChartPage.pair("Abscissa_Resolution", "Ordinate_Resolution", in: text)
  }

  private static func projection(in text: String) -> Product.Control.Projection? {
    let parallels = values("Standard_Parallel", in: text).compactMap { Double($0) }
    guard parallels.count == 2,
      let origin = pair("Longitude_of_Central_Meridian", "Latitude_of_Projection_Origin", in: text)
    else { return nil }
    let shift = pair("False_Easting", "False_Northing", in: text) ?? (0, 0)
    return Product.Control.Projection(
      standardParallels: parallels, origin: GeoPoint(longitude: origin.0, latitude: origin.1),
      falseEasting: shift.0, falseNorthing: shift.1)
  }

  private static func pair(_ first: String, _ second: String, in text: String) -> (Double, Double)? {
    guard let one = value(first, in: text).flatMap({ Double($0) }),
      let other = value(second, in: text).flatMap({ Double($0) }), one.isFinite, other.isFinite
    else { return nil }
    return (one, other)
  }

  private static func withoutTags(_ bytes: [UInt8]) -> String {
    var scalars = String.UnicodeScalarView()
    var isTag = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): isTag = true
      case UInt8(ascii: ">"):
        isTag = false
        scalars.append(" ")
      default: if !isTag { scalars.append(UnicodeScalar(byte)) }
      }
    }
    return String(scalars)
  }

  private static func day(_ field: String, in text: String) throws(Missing) -> CalendarDay {
    guard let day = value(field, in: text).flatMap({ CalendarDay(compact: $0) }) else {
      throw Missing(field: field)
    }
    return day
  }

  private static func degrees(_ field: String, in text: String) throws(Missing) -> Double {
    guard let value = value(field, in: text), let number = Double(value), abs(number) <= 360 else {
      throw Missing(field: field)
    }
    return number
  }

  /// Returns the first word after the first `Field:`. The dates occur twice, first for the chart itself.
  private static func value(_ field: String, in text: String) -> Substring? {
    values(field, in: text).first
  }

  private static func values(_ field: String, in text: String) -> [Substring] {
    text.ranges(of: field + ":").map { name in
      text[name.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
    }
  }

  /// Returns the words of a field up to the end of the line or the next field; nil for none.
  private static func line(_ field: String, in text: String) -> String? {
    guard let name = text.firstRange(of: field + ":") else { return nil }
    let words = text[name.upperBound...].prefix { !$0.isNewline }.split(separator: " ")
      .prefix { !$0.hasSuffix(":") }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension ChartPage {
  /// Returns the problem of a page whose edition is not in force during a cycle, or nil.
  func otherEdition(than cycle: AiracCycle, _ family: ChartFamily) -> (problem: String, remedy: String)? {
    let edition = cycle.edition(family.cadence)
    let (begins, ends) = (edition.effectiveDay, edition.lastDay)
    guard beginning != begins || ending != ends else { return nil }
    return (
      "this is the edition of \(beginning) to \(ending), "
        + "but cycle \(cycle.identifier) needs that of \(begins) to \(ends)",
      "Fetch the chart from the FAA's folder \(begins.monthDayYear), or build the cycle it belongs to."
    )
  }
}

extension ChartFiles {
  /// The source files of the chart. The page is in the last one, or is the last one.
  func records(dated page: ChartPage) -> [Product.Source] {
    var records = records
    let dates = Product.StatedDate(
      in: htmName, from: page.beginning.description, until: page.ending.description)
    if !records.isEmpty { records[records.count - 1].dates = [dates] }
    return records
  }
}
