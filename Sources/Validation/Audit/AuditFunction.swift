internal import Core

/// The values that take more than one step, each computed in a simple way of its own.
extension AuditExpectation {
  func computed(_ function: Origin.Function) -> Value? {
    let pairs = origin.pairs
    switch function {
    case .identity: return { _, context in AuditValue(context.airport?.identity) }
    case .shape: return nil
    case .limit, .limitDatum, .limitText, .limitAboveSea:
      return { [places] row, _ in
        AuditLimit(places.map(row.text))?.value(function) ?? .null
      }
    case .zip: return joined { $0.joined(separator: "-") }
    case .route: return joined { $0.joined() }
    case .searchWords:
      return { [places] row, _ in
        AuditValue(Self.otherSpellings(places.map { row.text($0) ?? "" }, pairs))
      }
    case .latitudeOfPair, .longitudeOfPair: return pair(function == .latitudeOfPair ? 0 : 1)
    case .thousands:
      return number(0...9999) { ($0 * 1000).rounded() }
    case .reversed: return number(0...999) { $0 == $0.rounded() ? 1000 - $0 : nil }
    case .size: return number(1...99_999) { $0 == $0.rounded() ? $0 : nil }
    case .isThere, .isThereOrUnknown:
      let isKnown = function == .isThere && places.first ?? -1 >= 0
      let none: AuditValue = isKnown ? .number(0) : .null
      return text(empty: none) { text, _ in AuditValue(pairs[text].map { $0 != "none" }) }
    case .lighting:
      return text(empty: .text("none")) { text, context in
        guard let word = pairs[text] else { return .null }
        return .text(
          word == "none" ? word : context.airport?.isLightedAllNight == true ? "fullTime" : "partTime")
      }
    case .fuels:
      return text(empty: .text("[]")) { text, _ in .text(Self.list(text, ",/ ") { pairs[$0] ?? $0 }) }
    case .services: return text(empty: .text("[]")) { text, _ in .text(Self.list(text, ", ") { pairs[$0] }) }
    case .frequencyType: return { _, context in .text(context.type) }
    case .call: return call()
    case .sector:
      let radio = place("FREQ")
      return { [places] row, _ in
        AuditValue(row.text(places[0]) ?? row.text(radio).flatMap(AuditRadio.init)?.network)
      }
    default: return text { text, _ in Self.simple(function, text, pairs) }
    }
  }

  /// A function of one text alone.
  private static func simple(
    _ function: Origin.Function, _ text: String, _ pairs: [String: String]
  ) -> AuditValue {
    let ends = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let hasTwo = ends.count == 2 && !ends.contains("")
    switch function {
    case .surface: return .text(surface(text, pairs))
    case .edgeLights: return AuditValue((pairs[text] ?? text.lowercased()).nonNone)
    case .baseEnd: return .text(hasTwo ? ends[0] : text)
    case .reciprocalEnd: return AuditValue(hasTwo ? ends[1] : nil)
    case .traffic: return AuditValue(["Y": "right", "N": "left"][text])
    case .indicator: return AuditValue(["N", "NONE"].contains(text) ? nil : text)
    case .isMEAGap: return AuditValue(["U": 1, "N": 1][text])
    case .knownDate: return AuditValue(text == "1901/01/01" ? nil : date(text))
    case .degrees: return AuditValue(degrees(text))
    case .altitude, .altitudeDatum:
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      let datum = text.dropFirst(digits.count).trimmingPrefix(" ").lowercased()
      guard let feet = Int(digits), feet <= 99_999, ["agl", "msl"].contains(datum) else { return .null }
      return function == .altitude ? AuditValue(feet) : .text(datum)
    case .assigned: return AuditValue(text == "NOT ASSIGNED" ? nil : text)
    case .spelledNumber: return AuditValue(pairs[text].flatMap(Int.init))
    case .lowSpeed, .highSpeed, .lowAltitude, .highAltitude: return AuditValue(holding(function, text))
    case .isVerified: return AuditValue(["O": 1, "U": 0][text])
    case .horizontalAccuracy, .verticalAccuracy: return AuditValue(accuracy(function, text))
    case .dayOfYear: return AuditValue(dayOfYear(text))
    case .pdf: return AuditValue(isPDF(text) ? text : nil)
    case .americanDate: return AuditValue(americanDate(text))
    case .stratum, .airspaceClass: return .text(pairs[text] ?? text.lowercased())
    case .state: return .text(pairs[text.uppercased()] ?? text)
    case .megahertz: return AuditValue(AuditRadio(text)?.megahertz)
    case .isVHF: return AuditValue(AuditRadio(text).map { (118...137).contains($0.megahertz) })
    case .isReceiveOnly: return AuditValue(AuditRadio(text)?.isReceiveOnly)
    case .channel: return AuditValue(AuditRadio(text)?.channel)
    default: return .text(text)
    }
  }

  // MARK: - Forms of functions

  private func text(
    empty: AuditValue = .null, _ compute: @escaping (String, AuditContext) -> AuditValue
  ) -> Value {
    let isMEAGap = if case .function(.isMEAGap) = origin.relation { true } else { false }
    let empty = isMEAGap ? .number(0) : empty
    return { [places] row, context in row.text(places[0]).map { compute($0, context) } ?? empty }
  }

  private func joined(_ join: @escaping ([String]) -> String) -> Value {
    { [places] row, _ in
      let texts = places.compactMap(row.text)
      return texts.isEmpty ? .null : .text(join(texts))
    }
  }

  func number(_ range: ClosedRange<Double>, _ compute: @escaping (Double) -> Double?) -> Value {
    let number = AuditNumber(origin.columns[0], range, place)
    return { row, _ in AuditValue(number.value(row).flatMap(compute)) }
  }

  /// The latitude or the longitude, where both are there.
  private func pair(_ index: Int) -> Value {
    let numbers = zip(origin.columns, [90.0, 180]).map { AuditNumber($0, -$1...$1, place) }
    return { row, _ in
      let values = numbers.map { $0.value(row) }
      return values.contains(nil) ? .null : AuditValue(values[index])
    }
  }

  private func call() -> Value {
    { [places, use = place("FREQ_USE")] row, context in
      let (tower, approach, name) = (row.text(places[0]), row.text(places[1]), row.text(places[2]))
      switch context.type {
      case "approach", "departure": return AuditValue(approach ?? name)
      case "awos": return AuditValue(row.text(use))
      case "emergency", "other": return AuditValue(name)
      default: return AuditValue(tower ?? name)
      }
    }
  }

  // MARK: - Values

  /// `2026-02-19` for `2026/02/19`; a month and a year alone in the same way.
  static func date(_ text: String) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "-" }
    guard (1...3).contains(parts.count), zip(parts, [4, 2, 2]).allSatisfy({ $0.count == $1 }),
      parts.joined().utf8.allSatisfy(\.isDigit)
    else { return nil }
    return parts.joined(separator: "-")
  }

  private static func list(_ text: String, _ separators: String, _ word: (String) -> String?) -> String {
    let words = text.split(whereSeparator: separators.contains).compactMap { word(String($0)) }
    return "[" + words.map { "\"\($0.filter { $0 != "\"" && $0 != "\\" })\"" }.joined(separator: ",") + "]"
  }

  private static func surface(_ text: String, _ pairs: [String: String]) -> String {
    if let word = pairs[text] { return word }
    let words = text.split { $0 == "-" || $0 == "/" }.map { pairs[String($0)] }
    return words.isEmpty || words.contains(nil)
      ? text.lowercased() : words.compactMap(\.self).joined(separator: "-")
  }

  private static func otherSpellings(_ texts: [String], _ pairs: [String: String]) -> String? {
    var found: [String] = []
    for text in texts {
      let words = text.uppercased().split(whereSeparator: " /-(),.".contains).map(String.init)
      let others = zip(words, words.dropFirst() + [""]).compactMap { word, next -> String? in
        if word == "MC", !next.isEmpty { return "MC" + next.filter { $0 != "'" } }
        return word.contains("'") ? word.filter { $0 != "'" } : pairs[word]
      }
      found += others.filter { !$0.isEmpty && !found.contains($0) }
    }
    return found.isEmpty ? nil : found.joined(separator: " ")
  }

  /// Degrees of `37-27-40.0000N`.
  static func degrees(_ text: String) -> Double? {
    let limit = "NS".contains(text.last ?? " ") ? 90 : 180
    return AuditAngle.degrees(text, limit: limit, digits: 4).map { Double($0) / 36_000_000 }
  }

  /// One end of `170/175` knots or `20-100` hundreds of feet.
  private static func holding(_ function: Origin.Function, _ text: String) -> Int? {
    guard let match = text.wholeMatch(of: /([0-9]+)(?:[\/\-]([0-9]+))?/), let low = Int(match.1),
      let high = Int(match.2 ?? match.1), low <= high
    else { return nil }
    let isSpeed = [.lowSpeed, .highSpeed].contains(function)
    guard isSpeed ? low >= 60 && high <= 400 : high <= 999 else { return nil }
    return ([.lowSpeed, .lowAltitude].contains(function) ? low : high) * (isSpeed ? 1 : 100)
  }

  private static func accuracy(_ function: Origin.Function, _ text: String) -> Int? {
    let (codes, feet): (String, [Int]) =
      function == .horizontalAccuracy
      ? ("12345678", [20, 50, 100, 250, 500, 1000, 3038, 6076])
      : ("ABCDEFGH", [3, 10, 20, 50, 125, 250, 500, 1000])
    let code = text.first { function == .horizontalAccuracy ? $0.isNumber : $0.isLetter }
    return zip(codes, feet).first { $0.0 == code }?.1
  }

  /// `2012-09-24` for `2012268`.
  private static func isPDF(_ name: String) -> Bool {
    let stem = name.dropLast(4)
    let isPlain = stem.utf8.allSatisfy {
      $0.isDigit || $0 == 0x2D || $0 == 0x5F || (0x41...0x5A).contains($0 & 0xDF)
    }
    return name.uppercased().hasSuffix(".PDF") && isPlain && (1...60).contains(stem.count)
      && stem != "DELETED_JOB"
  }

  /// `5/29/2014`
  private static func americanDate(_ text: String) -> String? {
    guard let match = text.wholeMatch(of: /([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})/) else { return nil }
    let (month, day) = (match.1, match.2)
    let digits = "\(match.3)-\(month.count == 1 ? "0" : "")\(month)-\(day.count == 1 ? "0" : "")\(day)"
    return CalendarDay(digits)?.description
  }

  private static func dayOfYear(_ text: String) -> String? {
    guard text.count == 7, let number = Int(text), (1900...2100).contains(number / 1000), number % 1000 > 0,
      let day = CalendarDay(year: number / 1000, month: 1, day: 1)?.adding(days: number % 1000 - 1),
      day.year == number / 1000
    else { return nil }
    return day.description
  }
}

/// A value of the column FREQ: `126.975`, `122.1R`, `109.8/35X`, `17907 CARIBBEAN FAMILY A`.
struct AuditRadio {
  let megahertz: Double
  let isReceiveOnly: Bool
  var channel: String?
  var network: String?

  init?(_ text: String) {
    let end = text.utf8.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ".") } ?? text.endIndex
    let (digits, rest) = (text[..<end], text[end...])
    guard let number = Double(digits), (30...400).contains(number) || (2000...30_000).contains(number) else {
      return nil
    }
    megahertz = number > 400 ? number / 1000 : number
    isReceiveOnly = rest == "R"
    if rest.first == " " { network = String(rest.dropFirst()) }
    if rest.first == "/", rest.wholeMatch(of: /\/[0-9]{1,3}[XY]/) != nil {
      channel = String(rest.dropFirst())
    }
    guard rest.isEmpty || isReceiveOnly || network != nil || channel != nil else { return nil }
  }
}

/// The floor or the ceiling of an airspace: a number, a unit of measure and a reference.
struct AuditLimit: Equatable {
  let datum: String
  /// Nil if it is unlimited.
  let feet: Int?

  /// - Parameter texts: `4000`, `FT`, `MSL`. -9998 is none, and `UNL` in place of the number is unlimited.
  init?(_ texts: [String?]) {
    guard let text = texts[0] else { return nil }
    let (unit, code) = (texts[1] ?? "", texts[2] ?? "")
    if text == "UNL" {
      (datum, feet) = ("unlimited", nil)
      return
    }
    guard let number = Double(text), number > -9998,
      let factor = ["FT": 1, "": 1, "FL": 100, "M": 1 / 0.3048][unit],
      (-2000...1_000_000).contains(number * factor)
    else { return nil }
    let whole = Int((number * factor).rounded())
    let isGround = ["SFC", "AGL", "GND"].contains(code)
    feet = isGround ? max(0, whole) : whole
    switch code {
    case _ where isGround: datum = whole <= 0 ? "surface" : "agl"
    case "STD": datum = "standard"
    case _ where unit == "FL": datum = "standard"
    default: datum = code == "MSL" ? "msl" : "other"
    }
  }

  func value(_ function: Origin.Function) -> AuditValue {
    switch function {
    case .limit: AuditValue(feet)
    case .limitDatum: .text(datum)
    case .limitText: .text(text)
    default: AuditValue(["surface", "msl", "standard"].contains(datum) ? feet : nil)
    }
  }

  var text: String {
    let number = feet.map(String.init) ?? ""
    switch datum {
    case "surface": return "SFC"
    case "unlimited": return "UNL"
    case "standard":
      let level = String((feet ?? 0) / 100)
      return "FL" + String(repeating: "0", count: max(0, 3 - level.count)) + level
    case "other": return "\(number) ft"
    default: return "\(number) ft \(datum.uppercased())"
    }
  }
}

extension String {
  /// Nil for `none`.
  fileprivate var nonNone: String? { self == "none" ? nil : self }
}
