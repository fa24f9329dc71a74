/// The values in the text of a METAR, up to its trend and remarks.
///
/// The files of the publisher have most of them as columns, and more exact temperatures. But the columns lose the `M` of `M1/4SM`, heights
/// of zero, and layers of unknown height. A group that cannot be read is skipped, and its value is nil.
struct METARText {
  /// True degrees; nil if it varies or is missing.
  var windDirection: Int?
  var isWindVariable = false
  /// Knots.
  var windSpeed: Int?
  var windGust: Int?
  /// Between which true degrees the wind varies, clockwise.
  var windRange: (from: Int, to: Int)?
  var visibility: Visibility?
  var layers: [SkyLayer] = []
  /// Degrees Celsius.
  var temperature: Int?
  var dewpoint: Int?
  /// Hectopascals; nil if it is in inches of mercury.
  var pressure: Int?

  init(_ text: String) {
    let groups = text.utf8.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x3D }
    // The kind of report, the station and the time come first.
    guard let time = groups.prefix(5).firstIndex(where: METARText.isTime) else { return }
    var whole: Int?
    for group in groups[(time + 1)...] {
      if METARText.ends.contains(where: group.elementsEqual) { break }
      let before = whole
      whole = nil
      if takeWind(group) || takeSky(group) || takeTemperatures(group) || takePressure(group) { continue }
      guard visibility == nil else { continue }
      if let miles = Visibility(group, after: before) {
        visibility = miles
      } else if group.count == 1, let digit = group.number {
        whole = digit
      }
    }
  }

  /// The groups that end the observation: remarks and trends.
  private static let ends = ["RMK", "RMKS", "TEMPO", "BECMG", "NOSIG", "INTER", "FCST"].map { Array($0.utf8) }

  /// `221755Z`
  private static func isTime(_ group: Group) -> Bool {
    group.count == 7 && group.last == UInt8(ascii: "Z") && group.dropLast().number != nil
  }

  /// `19007KT`, `VRB02G15KT`, `24003MPS`, `/////KT`, and `160V230` after it.
  private mutating func takeWind(_ group: Group) -> Bool {
    if group.count == 7, group.dropFirst(3).first == UInt8(ascii: "V") {
      guard let from = group.prefix(3).number, let to = group.dropFirst(4).number, from <= 360, to <= 360
      else {
        return false
      }
      windRange = (from, to)
      return true
    }
    guard let (unit, knots) = METARText.units.first(where: { group.hasSuffix($0.name) }) else { return false }
    let (direction, rest) = (group.prefix(3), group.dropLast(unit.count).dropFirst(3))
    let parts = rest.split(separator: UInt8(ascii: "G"), maxSplits: 1)
    func speed(_ part: Group?) -> Int? {
      // P99KT is 99 knots or more.
      let digits = part.map { $0.first == UInt8(ascii: "P") ? $0.dropFirst() : $0 }
      return digits?.number.flatMap { $0 <= 400 ? Int((Double($0) * knots).rounded()) : nil }
    }
    guard windSpeed == nil, (2...3).contains(parts.first?.count ?? 0), let first = speed(parts.first) else {
      return true
    }
    isWindVariable = direction.elementsEqual("VRB".utf8)
    windDirection = direction.number.flatMap { $0 <= 360 ? $0 : nil }
    (windSpeed, windGust) = (first, speed(parts.dropFirst().first))
    return true
  }

  private static let units: [(name: [UInt8], knots: Double)] = [
    (Array("KT".utf8), 1), (Array("MPS".utf8), 1.943844), (Array("KMH".utf8), 0.539957),
  ]

  /// `BKN030CB`, `VV002`, `CLR`, `BKN///`. `//////CB` is a cloud that no ceiling depends on.
  private mutating func takeSky(_ group: Group) -> Bool {
    if group.elementsEqual("CAVOK".utf8) { visibility = .tenKilometres }
    guard let layer = SkyLayer(group) else { return false }
    layers.append(layer)
    return true
  }

  /// `23/M01`, `M05/`
  private mutating func takeTemperatures(_ group: Group) -> Bool {
    let parts = group.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, temperature == nil, group.first != UInt8(ascii: "R") else { return false }
    func degrees(_ part: Group) -> Int? {
      let isBelow = part.first == UInt8(ascii: "M")
      let digits = isBelow ? part.dropFirst() : part
      return digits.count == 2 ? digits.number.map { isBelow ? -$0 : $0 } : nil
    }
    let second = degrees(parts[1])
    guard let first = degrees(parts[0]), second != nil || parts[1].number == nil else { return false }
    (temperature, dewpoint) = (first, second)
    return true
  }

  /// `Q1013`
  private mutating func takePressure(_ group: Group) -> Bool {
    guard group.count == 5, pressure == nil, group.first == UInt8(ascii: "Q") else { return false }
    pressure = group.dropFirst().number
    return true
  }
}

/// The prevailing visibility.
struct Visibility: Equatable {
  enum Bound: String { case less, more }

  /// Statute miles.
  var miles: Double
  /// Whether it is less or more than that; nil if it is that.
  var bound: Bound?

  /// What `9999` and `CAVOK` say.
  static let tenKilometres = Visibility(miles: 6, bound: .more)
  private static let metresPerMile = 1609.344

  init(miles: Double, bound: Bound? = nil) { (self.miles, self.bound) = (miles, bound) }

  /// Reads `10SM`, `1/2SM`, `M1/4SM`, `P6SM`, and metres such as `0800`.
  ///
  /// - Parameter whole: the miles in the group before it, as of `1 1/2SM`.
  init?(_ group: Group, after whole: Int? = nil) {
    let mark = group.first == UInt8(ascii: "M") ? Bound.less : group.first == UInt8(ascii: "P") ? .more : nil
    let plain = mark == nil ? group : group.dropFirst()
    if plain.hasSuffix(Array("SM".utf8)) {
      guard let miles = Visibility.miles(plain.dropLast(2)) else { return nil }
      self.init(miles: miles + Double(whole ?? 0), bound: mark)
    } else if plain.hasSuffix(Array("KM".utf8)), let kilometres = plain.dropLast(2).number, kilometres <= 100
    {
      self.init(metres: kilometres * 1000, bound: mark)
    } else {
      // No direction in which it can be measured: 8000NDV.
      let digits = plain.hasSuffix(Array("NDV".utf8)) ? plain.dropLast(3) : plain
      guard digits.count == 4, let metres = digits.number else { return nil }
      self = metres == 9999 ? .tenKilometres : Visibility(metres: metres, bound: mark)
    }
  }

  private init(metres: Int, bound: Bound?) {
    self.init(miles: (Double(metres) / Visibility.metresPerMile * 100).rounded() / 100, bound: bound)
  }

  private static func miles(_ text: Group) -> Double? {
    let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(\.number)
    guard let first = parts[0], first <= 100 else { return nil }
    if parts.count == 1 { return Double(first) }
    guard parts.count == 2, let second = parts[1], second > 0 else { return nil }
    return Double(first) / Double(second)
  }

  /// Reads a column: `10+`, `6+`, `0.25`.
  init?(column text: String) {
    let isMore = text.hasSuffix("+")
    guard let miles = Double(isMore ? String(text.dropLast()) : text), (0...100).contains(miles) else {
      return nil
    }
    self.init(miles: miles, bound: isMore ? .more : nil)
  }
}

/// A layer of clouds, or a sky without clouds.
struct SkyLayer: Equatable {
  /// `FEW`, `SCT`, `BKN`, `OVC`, `OVX` for a vertical visibility, or `CLR`, `SKC`, `NSC`, `NCD`, `CAVOK`.
  var cover: String
  /// Feet above ground; nil if unknown, and without clouds.
  var base: Int?
  /// `CB`, `TCU`
  var type: String?

  var isClear: Bool { SkyLayer.clear.contains(cover) }
  /// Whether its base is a ceiling.
  var isCeiling: Bool { ["BKN", "OVC", "OVX"].contains(cover) }

  init(cover: String, base: Int? = nil, type: String? = nil) {
    (self.cover, self.base, self.type) = (cover, base, type)
  }

  init?(_ group: Group) {
    let text = String(Substring(group))
    if SkyLayer.clear.contains(text) {
      // The columns have no NCD: a machine saw no clouds.
      self.init(cover: text == "NCD" ? "CLR" : text)
      return
    }
    let isObscured = text.hasPrefix("VV")
    guard isObscured || SkyLayer.covers.contains(String(text.prefix(3))) else { return nil }
    let height = group.dropFirst(isObscured ? 2 : 3)
    let digits = height.prefix(3)
    guard digits.count == 3, digits.number != nil || digits.elementsEqual("///".utf8) else { return nil }
    let type = String(Substring(height.dropFirst(3)))
    self.init(
      cover: isObscured ? "OVX" : String(text.prefix(3)), base: digits.number.map { $0 * 100 },
      type: ["CB", "TCU"].contains(type) ? type : nil)
  }

  private static let clear: Set<String> = ["CLR", "SKC", "NSC", "NCD", "CAVOK"]
  private static let covers: Set<String> = ["FEW", "SCT", "BKN", "OVC"]
}

/// A word of a report.
typealias Group = Substring.UTF8View

extension Group {
  /// A number of at most nine digits and nothing else.
  var number: Int? {
    guard !isEmpty, count <= 9, allSatisfy({ (48...57).contains($0) }) else { return nil }
    return reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
