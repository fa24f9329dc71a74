internal import Core
internal import Foundation

/// The FAA's file about one TFR, in the format XNOTAM.
struct TFRDetail {
  private let notice: AIXMElement
  /// All parts about the NOTAM.
  private let parts: [AIXMElement]
  /// In an unknown zone.
  let created: Instant?
  /// The dates of the whole NOTAM; missing ones are those at its end: `2610011600-2610150200`, or `-PERM`.
  let from: Instant?
  let until: Instant?

  /// Throws for anything but a whole file about this NOTAM.
  init(_ data: Data, of number: TFRNumber) throws {
    let roots = Result { () throws(XMLDefect) in try AIXMElement.read(Array(data)) }
    let root = try roots.mapError { unusable($0.reason) }.get().first
    guard let root, root.name == "XNOTAM-Update" else { throw unusable("it is no XNOTAM file") }
    let notices = root.all("Not")
    guard let notice = notices.first(where: { $0.number == number }) else {
      let found = notices.compactMap { $0.number?.text }.joined(separator: ", ")
      throw unusable("it is not about \(number.text) but \(found.isEmpty ? "no NOTAM" : found)")
    }
    parts = notices.filter { $0.number == number }
    (self.notice, created) = (notice, root.attributes["created"].flatMap { Instant(faa: $0) })
    let dates = notice.words?.matches(of: /\b([0-9]{10})-([0-9]{10}|PERM)\b/).last
    from = notice.time("dateEffective") ?? dates.flatMap { Instant(digits: $0.1) }
    until = notice.time("dateExpire") ?? dates.flatMap { Instant(digits: $0.2) }
  }

  /// The text of the element at a path.
  subscript(path: String...) -> String? { path.reduce(notice) { $0?[$1] }?.text }

  var issued: Instant? { notice["NotUid"]?.time("dateIssued") }
  /// `91.137(a)(2)`
  var rule: String? { self["TfrNot", "codeType"] }
  /// The NOTAM.
  var text: String? { notice.words }
  /// `28NM W TWISP, WASHINGTON`
  var places: [String] {
    notice.children.filter { $0.name == "AffLocGroup" }.map { group in
      [group["txtNameCity"]?.text, group["txtNameUSState"]?.text].compactMap(\.self).joined(separator: ", ")
    }
  }

  var areas: [TFRArea] {
    let groups = parts.flatMap(\.children).filter { $0.name == "TfrNot" }.flatMap(\.children)
      .filter { $0.name == "TFRAreaGroup" }
    return groups.enumerated().map { index, group in
      TFRArea(
        about: group["aseTFRArea"], number: index + 1, whole: TFRPeriod(from: from, until: until),
        shape: TFRShape(group))
    }
  }
}

/// An area of a TFR.
struct TFRArea {
  let name: String?
  /// From 1, in the order of the FAA's file.
  let number: Int
  /// Nil if they are not known.
  let floor: AltitudeLimit?
  let ceiling: AltitudeLimit?
  let includesFloor: Bool
  let includesCeiling: Bool
  let periods: [TFRPeriod]
  let hasUnknownDays: Bool
  let shape: TFRShape?
  /// Feet above the sea: the lowest and the highest ground; nil if it is not known, or no limit is above it.
  var ground: ClosedRange<Int>?

  /// - Parameters:
  ///   - about: an `aseTFRArea`; nil for an area that only the map server has.
  ///   - whole: the time of the whole NOTAM.
  init(about: AIXMElement?, number: Int, whole: TFRPeriod, shape: TFRShape?) {
    (self.number, self.shape) = (number, shape)
    func value(_ name: String) -> String? { about?[name]?.text }
    func limit(_ side: String) -> AltitudeLimit? {
      AltitudeLimit(
        tfr: value("valDistVer" + side), unit: value("uomDistVer" + side), code: value("codeDistVer" + side))
    }
    (name, floor, ceiling) = (value("txtName"), limit("Lower"), limit("Upper"))
    includesFloor = value("codeExclVerLower") != "EXCLUDE"
    includesCeiling = value("codeExclVerUpper") != "EXCLUDE"
    let words = about?.children.filter { $0.name == "dayCode" }.compactMap { $0.text?.lowercased() } ?? []
    let days = words.flatMap { word in TFRPeriod.weekdays.filter { word.count > 2 && $0.hasPrefix(word) } }
    let isDaily = days.count < words.count || days.isEmpty
    hasUnknownDays = isDaily && words.contains { $0 != "daily" }
    let own = about?.children.filter { $0.name == "ScheduleGroup" }.map { group in
      var period = TFRPeriod(
        from: group.time("dateEffective") ?? whole.from, until: group.time("dateExpire") ?? whole.until)
      let times = ["startTime", "endTime"].compactMap { group[$0]?.text.flatMap(TFRPeriod.seconds) }
      if [value("isScheduledTfrArea"), group["isTimeSeparate"]?.text] == ["TRUE", "TRUE"], times.count == 2 {
        (period.days, period.clock) = (isDaily ? nil : days, (times[0], times[1]))
      }
      return period
    }
    periods = own.flatMap { (1...TFRPeriod.most).contains($0.count) ? $0 : nil } ?? [whole]
  }

  /// The limits in feet above the sea. What is not known is taken as from the surface to unlimited.
  var feet: (floor: Int, ceiling: Int, areKnown: Bool) {
    let (low, high) = (floor?.feet(above: ground?.lowerBound), ceiling?.feet(above: ground?.upperBound))
    let feet = (floor: low ?? 0, ceiling: high ?? AltitudeLimit.unlimitedFeet)
    guard feet.ceiling > feet.floor else { return (0, AltitudeLimit.unlimitedFeet, false) }
    return (feet.floor, feet.ceiling, low != nil && high != nil)
  }
}

extension AIXMElement {
  /// Characters; several times as many as a NOTAM has.
  private static let mostText = 50_000

  fileprivate func time(_ name: String) -> Instant? { self[name]?.text.flatMap { Instant(faa: $0) } }

  /// The text of the NOTAM in a `Not`.
  fileprivate var words: String? {
    (self["txtDescrUSNS"]?.text ?? self["txtDescrTraditional"]?.text).map {
      String($0.prefix(AIXMElement.mostText))
    }
  }

  /// The number of the NOTAM in a `Not`.
  fileprivate var number: TFRNumber? {
    guard let id = self["NotUid"], let year = id["dateIndexYear"]?.text?.last,
      let number = id["noSeqNo"]?.text
    else { return nil }
    return TFRNumber("\(year)/\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)")
  }
}

extension AltitudeLimit {
  /// OpenEFB's value for unlimited.
  fileprivate static let unlimitedFeet = 99_999
  private static let references = ["ALT": "MSL", "HEI": "SFC", "STD": "STD"]

  /// Reads `430`, `FL`, `ALT`: a flight level by its unit. Nil if it cannot be read.
  fileprivate init?(tfr text: String?, unit: String?, code: String?) {
    guard let number = Double(text ?? ""), let reference = AltitudeLimit.references[code ?? ""] else {
      return nil
    }
    switch (number, unit) {
    case (0, _): self = .surface
    case (99_999, _), (999..., "FL"): self = .unlimited
    default:
      // Without a unit, 180 can be feet or a flight level.
      guard let unit else { return nil }
      self.init(number: number, unit: unit, reference: reference)
    }
  }

  /// Feet above the sea, 0 for the surface; nil if that is not known.
  fileprivate func feet(above ground: Int?) -> Int? {
    if datum == .agl { return feet.flatMap { height in ground.map { $0 + height } } }
    return datum == .unlimited ? AltitudeLimit.unlimitedFeet : comparableFeet
  }
}
