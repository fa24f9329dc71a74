internal import Core

/// The FGDC metadata page of a chart's image: its edition, its extent with the collar, and its projection.
struct ChartPage {
  /// The first and the last day, both inclusive; nil if the page of an enroute chart states none.
  let dates: (beginning: CalendarDay, ending: CalendarDay)?
  /// `San Francisco SEC.tif`; nil if the page omits it.
  let title: String?
  /// As written in the page. West is greater than east for the sheet across 180 degrees. Nil if the page of an enroute chart
  /// omits it.
  let extent: GeoBox?
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
  ///
  /// - Parameter isUndated: whether the page may lack dates and bounds.
  init(htm bytes: [UInt8], isUndated: Bool = false) throws(Missing) {
    let text = ChartPage.withoutTags(bytes)
    do throws(Missing) {
      dates = (try ChartPage.day("Beginning_Date", in: text), try ChartPage.day("Ending_Date", in: text))
    } catch {
      guard isUndated else { throw error }
      dates = nil
    }
    do throws(Missing) {
      extent = try ChartPage.extent(in: text)
    } catch {
      guard isUndated else { throw error }
      extent = nil
    }
    title = ChartPage.line("Title", in: text)
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

  private static func extent(in text: String) throws(Missing) -> GeoBox {
    GeoBox(
      west: try degrees("West_Bounding_Coordinate", in: text),
      south: try degrees("South_Bounding_Coordinate", in: text),
      east: try degrees("East_Bounding_Coordinate", in: text),
      north: try degrees("North_Bounding_Coordinate", in: text))
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
    guard let dates, dates != (begins, ends) else { return nil }
    return (
      "this is the edition of \(dates.beginning) to \(dates.ending), "
        + "but cycle \(cycle.identifier) needs that of \(begins) to \(ends)",
      "Fetch the chart from the FAA's folder \(begins.monthDayYear), or build the cycle it belongs to."
    )
  }
}

extension ChartFiles {
  /// The source files of the chart. The page is in the last one, or is the last one.
  func records(dated page: ChartPage) -> [Product.Source] {
    var records = records
    guard !records.isEmpty else { return records }
    guard let dates = page.dates else {
      records[records.count - 1].written = written?.description
      return records
    }
    records[records.count - 1].dates = [
      Product.StatedDate(in: htmName, from: dates.beginning.description, until: dates.ending.description)
    ]
    return records
  }
}
