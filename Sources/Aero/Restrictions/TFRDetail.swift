internal import Core
internal import Foundation

/// The FAA's file about one TFR, in the format XNOTAM.
struct TFRDetail {
  /// An area before its shape is drawn.
  struct Area {
    var name: String?
    var floor: AltitudeLimit?
    var ceiling: AltitudeLimit?
    var includesFloor = true
    var includesCeiling = true
    var periods: [TFRPeriod]
    var hasUnknownDays = false
    /// The parts from which it is composed; nil if they cannot be read.
    var recipe: TFRRecipe?
    /// The finished polygon, whose arcs are drawn with a corner every 10 degrees.
    var merged: ShapeRing?
  }

  let number: TFRNumber
  var year: Int?
  var guid: String?
  var issued: Instant?
  var created: Instant?
  var localName: String?
  /// `28NM W TWISP, WASHINGTON`
  var places: [String] = []
  var facility: String?
  var purpose: String?
  /// `91.137(a)(2)`
  var rule: String?
  var template: String?
  /// The NOTAM.
  var text: String?
  var from: Instant?
  var until: Instant?
  /// Whether the dates differ from those at the end of the NOTAM.
  var datesDiffer = false
  private(set) var areas: [Area] = []

  /// Throws for anything but a whole file about this NOTAM.
  init(_ data: Data, of number: TFRNumber) throws {
    let root: AIXMElement?
    do {
      root = try AIXMElement.read(Array(data)).first
    } catch {
      throw TFRDefect(error.reason)
    }
    guard let root, root.name == "XNOTAM-Update" else { throw TFRDefect("it is no XNOTAM file") }
    let notices = root.all("Not")
    guard let notice = notices.first(where: { TFRDetail.number(of: $0) == number }), let id = notice["NotUid"]
    else {
      let found = notices.compactMap { TFRDetail.number(of: $0)?.text }
      throw TFRDefect(
        "it is not about \(number.text) but \(found.isEmpty ? "no NOTAM" : found.joined(separator: ", "))")
    }
    self.number = number
    year = id["dateIndexYear"]?.text.flatMap { Int($0) }
    (guid, localName) = (id["codeGUID"]?.text, id["txtLocalName"]?.text)
    (issued, created) = (id.time("dateIssued"), root.attributes["created"].flatMap { Instant(faa: $0) })
    places = notice.children.filter { $0.name == "AffLocGroup" }.map { group in
      [group["txtNameCity"]?.text, group["txtNameUSState"]?.text].compactMap(\.self).joined(separator: ", ")
    }
    (facility, purpose) = (notice["codeFacility"]?.text, notice["txtDescrPurpose"]?.text)
    text = (notice["txtDescrUSNS"]?.text ?? notice["txtDescrTraditional"]?.text).map {
      String($0.prefix(TFRDetail.mostText))
    }
    readDates(notice)
    guard let restriction = notice["TfrNot"] else { return }
    (rule, template) = (restriction["codeType"]?.text, restriction["TemplateType"]?.text)
    areas = restriction.children.filter { $0.name == "TFRAreaGroup" }.map { area($0) }
  }

  /// Characters; several times as many as a NOTAM has.
  private static let mostText = 50_000

  private static func number(of notice: AIXMElement) -> TFRNumber? {
    guard let id = notice["NotUid"], let year = id["dateIndexYear"]?.text?.last,
      let number = id["noSeqNo"]?.text.flatMap({ Int($0) }), (0...999_999).contains(number)
    else { return nil }
    return TFRNumber("\(year)/\(String(10_000 + number).dropFirst(number > 9999 ? 0 : 1))")
  }

  /// Takes missing dates from the end of the NOTAM: `2610011600-2610150200`, or `-PERM`.
  private mutating func readDates(_ notice: AIXMElement) {
    (from, until) = (notice.time("dateEffective"), notice.time("dateExpire"))
    guard let end = (text ?? "").matches(of: /\b([0-9]{10})-([0-9]{10}|PERM)\b/).last else { return }
    let (first, last) = (Instant(digits: end.1), Instant(digits: end.2))
    datesDiffer = from != nil && first != nil && from != first || until != nil && until != last
    (from, until) = (from ?? first, until ?? last)
  }

  private func area(_ group: AIXMElement) -> Area {
    let about = group["aseTFRArea"]
    func limit(_ side: String) -> AltitudeLimit? {
      AltitudeLimit(
        tfr: about?["valDistVer" + side]?.text, unit: about?["uomDistVer" + side]?.text,
        code: about?["codeDistVer" + side]?.text)
    }
    let words = about?.children.filter { $0.name == "dayCode" }.compactMap { $0.text?.lowercased() } ?? []
    let days = words.flatMap { word in TFRPeriod.weekdays.filter { word.count > 2 && $0.hasPrefix(word) } }
    let isDaily = words.isEmpty || days.count < words.count
    let periods = about?.children.filter { $0.name == "ScheduleGroup" }.map { group in
      period(
        group, isScheduled: about?["isScheduledTfrArea"]?.text?.uppercased() == "TRUE", isDaily ? nil : days)
    }
    return Area(
      name: about?["txtName"]?.text, floor: limit("Lower"), ceiling: limit("Upper"),
      includesFloor: about?["codeExclVerLower"]?.text != "EXCLUDE",
      includesCeiling: about?["codeExclVerUpper"]?.text != "EXCLUDE",
      periods: periods.flatMap { $0.isEmpty ? nil : $0 } ?? [TFRPeriod(from: from, until: until)],
      hasUnknownDays: isDaily && words.contains { $0 != "daily" },
      recipe: TFRRecipe(group), merged: group["abdMergedArea"].flatMap { ShapeRing(tfr: $0) })
  }

  private func period(_ group: AIXMElement, isScheduled: Bool, _ days: [String]?) -> TFRPeriod {
    var period = TFRPeriod(
      from: group.time("dateEffective") ?? from, until: group.time("dateExpire") ?? until)
    let times = ["startTime", "endTime"].compactMap { group[$0]?.text.flatMap(TFRPeriod.TimeOfDay.init) }
    if isScheduled, group["isTimeSeparate"]?.text?.uppercased() == "TRUE", times.count == 2 {
      (period.days, period.start, period.end) = (days, times[0], times[1])
    }
    return period
  }
}

extension AIXMElement {
  fileprivate func time(_ name: String) -> Instant? { self[name]?.text.flatMap { Instant(faa: $0) } }
}

extension AltitudeLimit {
  /// The value for unlimited.
  private static let top = 99_999.0
  private static let references = ["ALT": "MSL", "HEI": "SFC", "STD": "STD"]

  /// Reads `430`, `FL`, `ALT`: a flight level by its unit. Nil if it cannot be read.
  fileprivate init?(tfr text: String?, unit: String?, code: String?) {
    guard let number = text.flatMap(Double.init), let reference = AltitudeLimit.references[code ?? ""] else {
      return nil
    }
    if number == AltitudeLimit.top || unit == "FL" && number >= 999 {
      self = .unlimited
    } else if number == 0 {
      self = .surface
    } else {
      self.init(number: number, unit: unit ?? "FT", reference: reference)
    }
  }
}
