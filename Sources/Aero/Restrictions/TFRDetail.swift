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

  let year: Int?
  let guid: String?
  let issued: Instant?
  let created: Instant?
  let localName: String?
  /// `28NM W TWISP, WASHINGTON`
  let places: [String]
  let facility: String?
  let purpose: String?
  /// `91.137(a)(2)`
  let rule: String?
  let template: String?
  /// The NOTAM.
  let text: String?
  /// The dates of the whole NOTAM; missing ones are those at its end: `2610011600-2610150200`, or `-PERM`.
  let from: Instant?
  let until: Instant?
  /// Whether they differ from those at its end.
  let datesDiffer: Bool
  private(set) var areas: [Area] = []

  /// Characters; several times as many as a NOTAM has.
  private static let mostText = 50_000

  /// Throws for anything but a whole file about this NOTAM.
  init(_ data: Data, of number: TFRNumber) throws {
    let roots = try Result { () throws(XMLDefect) in try AIXMElement.read(Array(data)) }.mapError {
      unusable($0.reason)
    }.get()
    guard let root = roots.first, root.name == "XNOTAM-Update" else { throw unusable("it is no XNOTAM file") }
    let notices = root.all("Not")
    guard let notice = notices.first(where: { $0.number == number }), let id = notice["NotUid"] else {
      let found = notices.compactMap { $0.number?.text }.joined(separator: ", ")
      throw unusable("it is not about \(number.text) but \(found.isEmpty ? "no NOTAM" : found)")
    }
    (year, guid, localName) = (
      Int(id["dateIndexYear"]?.text ?? ""), id["codeGUID"]?.text, id["txtLocalName"]?.text
    )
    (issued, created) = (id.time("dateIssued"), root.attributes["created"].flatMap { Instant(faa: $0) })
    places = notice.children.filter { $0.name == "AffLocGroup" }.map { group in
      [group["txtNameCity"]?.text, group["txtNameUSState"]?.text].compactMap(\.self).joined(separator: ", ")
    }
    (facility, purpose) = (notice["codeFacility"]?.text, notice["txtDescrPurpose"]?.text)
    let text = String(
      (notice["txtDescrUSNS"]?.text ?? notice["txtDescrTraditional"]?.text ?? "").prefix(TFRDetail.mostText))
    self.text = text.isEmpty ? nil : text
    let dates = text.matches(of: /\b([0-9]{10})-([0-9]{10}|PERM)\b/).last
    let stated = (
      from: dates.flatMap { Instant(digits: $0.1) }, until: dates.flatMap { Instant(digits: $0.2) }
    )
    let own = (from: notice.time("dateEffective"), until: notice.time("dateExpire"))
    (from, until) = (own.from ?? stated.from, own.until ?? stated.until)
    datesDiffer = dates != nil && (from != stated.from || until != stated.until)
    let restriction = notice["TfrNot"]
    (rule, template) = (restriction?["codeType"]?.text, restriction?["TemplateType"]?.text)
    areas = (restriction?.children ?? []).filter { $0.name == "TFRAreaGroup" }.map { area($0) }
  }

  private func area(_ group: AIXMElement) -> Area {
    let about = group["aseTFRArea"]
    func value(_ name: String) -> String? { about?[name]?.text }
    func limit(_ side: String) -> AltitudeLimit? {
      AltitudeLimit(
        tfr: value("valDistVer" + side), unit: value("uomDistVer" + side), code: value("codeDistVer" + side))
    }
    let words = (about?.children ?? []).filter { $0.name == "dayCode" }.compactMap { $0.text?.lowercased() }
    let days = words.flatMap { word in TFRPeriod.weekdays.filter { word.count > 2 && $0.hasPrefix(word) } }
    let isDaily = days.count < words.count || days.isEmpty
    var periods = (about?.children ?? []).filter { $0.name == "ScheduleGroup" }.map { group in
      var period = TFRPeriod(
        from: group.time("dateEffective") ?? from, until: group.time("dateExpire") ?? until)
      let times = ["startTime", "endTime"].compactMap { group[$0]?.text.flatMap(TFRPeriod.seconds) }
      if [value("isScheduledTfrArea"), group["isTimeSeparate"]?.text] == ["TRUE", "TRUE"], times.count == 2 {
        (period.days, period.clock) = (isDaily ? nil : days, (times[0], times[1]))
      }
      return period
    }
    if periods.isEmpty { periods = [TFRPeriod(from: from, until: until)] }
    return Area(
      name: value("txtName"), floor: limit("Lower"), ceiling: limit("Upper"),
      includesFloor: value("codeExclVerLower") != "EXCLUDE",
      includesCeiling: value("codeExclVerUpper") != "EXCLUDE",
      periods: periods, hasUnknownDays: isDaily && words.contains { $0 != "daily" }, recipe: TFRRecipe(group),
      merged: group["abdMergedArea"].flatMap { ShapeRing(tfr: $0) })
  }
}

extension AIXMElement {
  fileprivate func time(_ name: String) -> Instant? { self[name]?.text.flatMap { Instant(faa: $0) } }

  /// The number of the NOTAM in a `Not`.
  fileprivate var number: TFRNumber? {
    guard let id = self["NotUid"], let year = id["dateIndexYear"]?.text?.last,
      let number = id["noSeqNo"]?.text
    else { return nil }
    return TFRNumber("\(year)/\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)")
  }
}

extension AltitudeLimit {
  private static let references = ["ALT": "MSL", "HEI": "SFC", "STD": "STD"]

  /// Reads `430`, `FL`, `ALT`: a flight level by its unit. Nil if it cannot be read.
  fileprivate init?(tfr text: String?, unit: String?, code: String?) {
    guard let number = Double(text ?? ""), let reference = AltitudeLimit.references[code ?? ""] else {
      return nil
    }
    switch (number, unit) {
    case (0, _): self = .surface
    case (99_999, _), (999..., "FL"): self = .unlimited
    default: self.init(number: number, unit: unit ?? "FT", reference: reference)
    }
  }
}
