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
    let groups = text.utf8.split { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
    // The kind of report, the station and the time come first: 221755Z.
    guard let time = groups.prefix(5).firstIndex(where: { $0.count == 7 && $0.hasSuffix("Z") }) else {
      return
    }
    var whole: Int?
    for group in groups[(time + 1)...] {
      if METARText.ends.contains(where: group.elementsEqual) { break }
      if takeWind(group) || takeTemperatures(group) { continue }
      if let layer = SkyLayer(group) {
        layers.append(layer)
        if layer.cover == "CAVOK" { visibility = .tenKilometres }
      } else if group.hasPrefix("Q"), group.count == 5 {
        pressure = pressure ?? group.dropFirst().number
      } else if visibility == nil {
        visibility = Visibility(group, after: whole)
        whole = group.count == 1 ? group.number : nil
      }
    }
  }

  /// The groups that end the observation: remarks and trends.
  private static let ends = ["RMK", "RMKS", "TEMPO", "BECMG", "NOSIG", "INTER", "FCST"].map { Array($0.utf8) }
  private static let units = [("KT", 1), ("MPS", 1.943844), ("KMH", 0.539957)]

  /// `19007KT`, `VRB02G15KT`, `24003MPS`, `/////KT`, and `160V230` after it.
  private mutating func takeWind(_ group: Group) -> Bool {
    let (direction, rest) = (group.prefix(3), group.dropFirst(3))
    if group.count == 7, rest.hasPrefix("V"), let from = direction.number, let to = rest.dropFirst().number {
      windRange = from <= 360 && to <= 360 ? (from, to) : windRange
      return true
    }
    guard let (unit, knots) = METARText.units.first(where: { rest.hasSuffix($0.0) }) else { return false }
    let speeds = rest.dropLast(unit.utf8.count).split(separator: UInt8(ascii: "G"), maxSplits: 1).map {
      part in
      // P99KT is 99 knots or more.
      let digits = part.hasPrefix("P") ? part.dropFirst() : part
      return digits.number.flatMap {
        $0 <= 400 && digits.count > 1 ? Int((Double($0) * knots).rounded()) : nil
      }
    }
    guard windSpeed == nil, let speed = speeds.first, let speed else { return true }
    isWindVariable = direction.elementsEqual("VRB".utf8)
    windDirection = direction.number.flatMap { $0 <= 360 ? $0 : nil }
    (windSpeed, windGust) = (speed, speeds.dropFirst().first ?? nil)
    return true
  }

  /// `23/M01`, `M05/`
  private mutating func takeTemperatures(_ group: Group) -> Bool {
    func degrees(_ part: Group) -> Int? {
      let digits = part.hasPrefix("M") ? part.dropFirst() : part
      return digits.count == 2 ? digits.number.map { part.hasPrefix("M") ? -$0 : $0 } : nil
    }
    let parts = group.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, temperature == nil, let first = degrees(parts[0]) else { return false }
    let second = degrees(parts[1])
    guard second != nil || parts[1].number == nil else { return false }
    (temperature, dewpoint) = (first, second)
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

  init(miles: Double, bound: Bound? = nil) { (self.miles, self.bound) = (miles, bound) }

  /// Reads `10SM`, `1/2SM`, `M1/4SM`, `P6SM`, `20KM`, and metres such as `0800` and `8000NDV` (not measured in all directions).
  ///
  /// - Parameter whole: the miles in the group before it, as of `1 1/2SM`.
  init?(_ group: Group, after whole: Int? = nil) {
    let bound = group.hasPrefix("M") ? Bound.less : group.hasPrefix("P") ? .more : nil
    let plain = bound == nil ? group : group.dropFirst()
    if plain.hasSuffix("SM") {
      let parts = plain.dropLast(2).split(separator: UInt8(ascii: "/"), maxSplits: 1).map {
        $0.number.map(Double.init) ?? .nan
      }
      let miles = Double(whole ?? 0) + parts.dropFirst().reduce(parts.first ?? .nan, /)
      guard (0...100).contains(miles) else { return nil }
      self.init(miles: miles, bound: bound)
    } else {
      let isFar = plain.hasSuffix("KM")
      let digits = plain.dropLast(isFar ? 2 : plain.hasSuffix("NDV") ? 3 : 0)
      guard let number = digits.number, isFar ? number <= 100 : digits.count == 4 else { return nil }
      let miles = (Double(isFar ? number * 1000 : number) / 16.09344).rounded() / 100
      self = number == 9999 ? .tenKilometres : Visibility(miles: miles, bound: bound)
    }
  }

  /// Reads a column: `10+`, `6+`, `0.25`.
  init?(column text: String) {
    let isMore = text.hasSuffix("+")
    let digits = isMore ? text.dropLast() : text[...]
    guard digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (48...57).contains($0) }),
      let miles = Double(digits), (0...100).contains(miles)
    else { return nil }
    self.init(miles: miles, bound: isMore ? .more : nil)
  }
}

/// A layer of clouds, or a sky without clouds.
struct SkyLayer: Equatable {
  /// `FEW`, `SCT`, `BKN`, `OVC`, `OVX` for a vertical visibility, or `CLR`, `SKC`, `CAVOK`.
  var cover: String
  /// Feet above ground; nil if unknown, and without clouds.
  var base: Int?
  /// `CB`, `TCU`
  var type: String?

  var isClear: Bool { SkyLayer.clear.contains(cover) }
  fileprivate static let clear: Set = ["CLR", "SKC", "CAVOK", "NSC", "NCD"]
  /// Whether its base is a ceiling.
  var isCeiling: Bool { ["BKN", "OVC", "OVX"].contains(cover) }
}

extension SkyLayer {
  private static let covers = [
    "CLR": "CLR", "SKC": "SKC", "CAVOK": "CAVOK", "NSC": "CLR", "NCD": "CLR", "FEW": "FEW", "SCT": "SCT",
    "BKN": "BKN", "OVC": "OVC", "VV": "OVX",
  ]
  /// The words of the columns.
  static let words = Set(covers.values).union(clear)

  /// Reads `BKN030CB`, `VV002`, `CLR`, `BKN///`. The words are those of the columns.
  init?(_ group: Group) {
    let word = group.prefix { $0 >= UInt8(ascii: "A") }
    guard let cover = SkyLayer.covers[String(Substring(word))] else { return nil }
    let (height, rest) = (group.dropFirst(word.count).prefix(3), group.dropFirst(word.count + 3))
    self.init(cover: cover, base: height.number.map { $0 * 100 })
    guard !isClear else { return }
    guard height.count == 3, base != nil || height.elementsEqual("///".utf8),
      rest.first.map({ !(48...57).contains($0) }) ?? true
    else { return nil }
    type = ["CB", "TCU"].first { rest.hasSuffix($0) }
  }
}

/// A word of a report.
typealias Group = Substring.UTF8View

extension Group {
  /// A number of at most nine digits and nothing else.
  var number: Int? {
    guard !isEmpty, count <= 9, allSatisfy({ (48...57).contains($0) }) else { return nil }
    return reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  func hasPrefix(_ text: String) -> Bool { starts(with: text.utf8) }
  func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
