internal import Airac
internal import Geo
internal import Pipeline

/// What the FGDC page beside a chart's image says of it: its edition, and the extent of the image with its collar.
struct ChartPage: Equatable {
  let beginning: CalendarDay
  /// The last day, included.
  let ending: CalendarDay
  /// As it is written: for the sheet across 180 degrees, west is greater than east.
  let extent: GeoBox

  struct Missing: Error, CustomStringConvertible {
    let field: String
    var description: String { "`\(field)` is missing or unreadable" }
  }

  /// The page is HTML in Latin-1, whatever its header claims.
  init(htm bytes: [UInt8]) throws(Missing) {
    let text = ChartPage.withoutTags(bytes)
    beginning = try ChartPage.day("Beginning_Date", in: text)
    ending = try ChartPage.day("Ending_Date", in: text)
    extent = GeoBox(
      west: try ChartPage.degrees("West_Bounding_Coordinate", in: text),
      south: try ChartPage.degrees("South_Bounding_Coordinate", in: text),
      east: try ChartPage.degrees("East_Bounding_Coordinate", in: text),
      north: try ChartPage.degrees("North_Bounding_Coordinate", in: text))
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
    guard let value = value(field, in: text), let day = CalendarDay(compact: value) else {
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

  /// The word after the first `Field:`. The dates come twice, the first time for the chart itself.
  private static func value(_ field: String, in text: String) -> Substring? {
    guard let name = text.firstRange(of: field + ":") else { return nil }
    return text[name.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
  }
}

extension ChartRequest {
  /// Refuses an image of another edition: a pack labelled with one cycle must never show another.
  func checkEdition(_ page: ChartPage, of files: ChartFiles) throws {
    if let other = page.otherEdition(than: cycle, family) {
      throw files.fault(files.htmName, other.problem, remedy: other.remedy)
    }
  }
}

extension ChartPage {
  /// What is wrong with a page that is not of the edition that is in force during a cycle; nil when it is.
  func otherEdition(than cycle: AiracCycle, _ family: ChartFamily) -> (problem: String, remedy: String)? {
    let begins = cycle.issue(family.cadence).effectiveDay
    let ends = cycle.issue(family.cadence, stepsAhead: 1).effectiveDay.adding(days: -1)
    guard beginning != begins || ending != ends else { return nil }
    return (
      "this is the edition of \(beginning) to \(ending), "
        + "but cycle \(cycle.identifier) needs that of \(begins) to \(ends)",
      "Fetch the chart from the FAA's folder \(begins.monthDayYear), or build the cycle it belongs to."
    )
  }
}

extension ChartFiles {
  /// The files that the chart is made of; the page lies in the last one, or is it.
  func records(dated page: ChartPage) -> [Product.Source] {
    var records = records
    let dates = Product.StatedDate(
      in: htmName, from: page.beginning.description, until: page.ending.description)
    if !records.isEmpty { records[records.count - 1].dates = [dates] }
    return records
  }
}
