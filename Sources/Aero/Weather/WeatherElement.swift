internal import Core
internal import Foundation

/// An element of a weather file: a row, or a value of one. The rows of CSV and JSON files become elements with the names of the XML form.
final class WeatherElement: XMLTreeElement {
  let name: String
  var attributes: [String: String]
  private(set) var children: [WeatherElement] = []
  private var characters = ""
  /// Values that are not possible. They are read as unknown.
  private(set) var misread: Set<String> = []

  init(
    _ name: String, _ attributes: [String: String] = [:], line: Int = 0, in parent: WeatherElement? = nil
  ) { (self.name, self.attributes) = (name, attributes) }

  func add(_ child: WeatherElement) { children.append(child) }
  func add(_ text: String) { characters += text }
  func add(_ name: String, text: String) {
    add(WeatherElement(name))
    children.last?.add(text)
  }

  /// The names of the text of a row.
  static let raw = ["raw_text", "rawAirSigmet", "rawSigmet"]
  /// The row as published, or what there is of it.
  var raw: String { self[WeatherElement.raw] ?? text ?? children.compactMap(\.text).joined(separator: " ") }

  /// The text without the blanks around it; nil if there is none.
  var text: String? {
    guard let first = characters.utf8.first, let last = characters.utf8.last else { return nil }
    if first > 0x20, last > 0x20 { return characters }
    let text = characters.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }

  func child(_ name: some StringProtocol) -> WeatherElement? { children.first { $0.name == name } }
  func all(_ name: String) -> [WeatherElement] { children.filter { $0.name == name } }

  /// The text of a child, an attribute, or the attribute of a child, such as `hazard@type`; nil if it is empty.
  subscript(name: String) -> String? {
    if let text = child(name)?.text { return text }
    var value = attributes[name]
    if let at = name.firstIndex(of: "@") {
      value = child(name[..<at])?.attributes[String(name[name.index(after: at)...])]
    }
    return value?.isEmpty == true ? nil : value
  }

  /// The first value of these names: the forms of a file have other names for it.
  subscript(names: [String]) -> String? { names.lazy.compactMap { self[$0] }.first }

  /// A value as a number; nil and recorded if it is not possible.
  ///
  /// - Parameter unknown: what the publisher writes for an unknown number.
  func number(_ names: [String], _ range: ClosedRange<Double>, unknown: Double? = nil) -> Double? {
    guard let text = self[names] else { return nil }
    let number = Double(text)
    if let number, range.contains(number) { return number }
    if unknown == nil || number != unknown { misread.insert("\(names[0]) is \(text.prefix(40))") }
    return nil
  }

  /// Records a value that is not possible, and returns nothing in its place.
  func misread<Value>(_ name: String) -> Value? {
    misread.insert("\(name) is \((self[name] ?? "").prefix(40))")
    return nil
  }

  /// The values that are not possible, of all of it.
  var allMisread: [String] { misread.sorted() + children.flatMap(\.allMisread) }

  func integer(_ names: [String], _ range: ClosedRange<Int>) -> Int? {
    number(names, Double(range.lowerBound)...Double(range.upperBound)).map { Int($0.rounded()) }
  }

  /// Feet of a value in metres.
  func feet(_ name: String) -> Int? {
    number([name], -500...9000, unknown: 9999).map { Int(($0 / 0.3048).rounded()) }
  }

  func time(_ names: [String]) -> Instant? { self[names].flatMap { Instant($0) } }

  /// Whether a flag is set, in a row or in its list of flags.
  func flag(_ name: String) -> Bool { (child("quality_control_flags") ?? self)[name] == "TRUE" }

  /// The attributes of the children of a name as JSON, such as layers of turbulence; nil without any.
  func list(_ name: String) -> String? {
    let all = all(name).map(\.attributes)
    return all.isEmpty ? nil : (try? CanonicalJSON.line(all)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Nil unless it is on the earth.
  private static func point(_ longitude: some StringProtocol, _ latitude: some StringProtocol) -> GeoPoint? {
    guard let x = Double(longitude), let y = Double(latitude), abs(x) <= 180, abs(y) <= 90 else { return nil }
    return GeoPoint(longitude: x, latitude: y)
  }

  /// Nil where the publisher has -99.99 or zeros for an unknown position.
  var position: GeoPoint? {
    guard let text = self["latitude"], !text.hasPrefix("-99.99"),
      let latitude = number(["latitude"], -90...90),
      let longitude = number(["longitude"], -180...180), (longitude, latitude) != (0, 0)
    else { return nil }
    return GeoPoint(longitude: longitude, latitude: latitude)
  }
}

/// The areas of a warning.
extension WeatherElement {
  /// The points of each area: elements of XML, or `lon:lat;lon:lat` of CSV and JSON.
  private var rings: [[GeoPoint]] {
    let pairs = self[WeatherFile.pairs]?.split(separator: ";").map { $0.split(separator: ":") } ?? []
    let points = pairs.compactMap { $0.count == 2 ? WeatherElement.point($0[0], $0[1]) : nil }
    return (all("area").map { $0.all("point").compactMap(\.position) } + [points]).filter { $0.count > 1 }
  }

  /// GeoJSON; nil without points.
  var geometry: String? {
    let isLine = self["geometry_type"] == "LINE"
    let lists = rings.map { ring in
      let closed = isLine || ring.first == ring.last ? ring : ring + ring.prefix(1)
      return "[" + closed.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",") + "]"
    }
    let (type, list) =
      isLine
      ? ("MultiLineString", lists.joined(separator: ","))
      : ("MultiPolygon", "[\(lists.joined(separator: "],["))]")
    return lists.isEmpty ? nil : #"{"type":"\#(type)","coordinates":[\#(list)]}"#
  }

  /// The box around the areas. One that crosses 180 degrees is around the whole world.
  var box: GeoBox? {
    guard var box = GeoBox(around: Array(rings.joined())) else { return nil }
    if box.east - box.west > 180 { (box.west, box.east) = (-180, 180) }
    return box
  }
}
