/// An element of an XML file with what is in it; names are without their namespaces.
final class SourceElement {
  let name: String
  let attributes: [String: String]
  /// Where it begins.
  let line: Int
  /// As the element or one around it says. Without a word the FAA writes the longitude first.
  let axes: AxisOrder
  /// How many numbers a position has.
  let dimension: Int
  fileprivate(set) var children: [SourceElement] = []
  fileprivate var characters = ""

  /// Throws for a reference system that is not understood, or a number of dimensions that no position has.
  init(
    _ name: String, _ attributes: [String: String], line: Int, in parent: SourceElement? = nil
  ) throws(XMLFeatures.Trouble) {
    self.name = name
    self.attributes = attributes
    self.line = line
    axes = try SourceElement.axes(attributes, line) ?? parent?.axes ?? .longitudeFirst
    dimension = try SourceElement.dimension(attributes, line) ?? parent?.dimension ?? 2
  }

  private static func axes(
    _ attributes: [String: String], _ line: Int
  ) throws(XMLFeatures.Trouble) -> AxisOrder? {
    guard let name = attributes["srsName"]?.trimmed, !name.isEmpty else { return nil }
    if let axes = AxisOrder(srsName: name) { return axes }
    throw XMLFeatures.Trouble(
      line: line,
      reason: "its srsName \(name) is not understood; OGC:CRS84, EPSG:4326 and EPSG:4269 are")
  }

  private static func dimension(
    _ attributes: [String: String], _ line: Int
  ) throws(XMLFeatures.Trouble) -> Int? {
    guard let text = attributes["srsDimension"]?.trimmed else { return nil }
    guard let number = Int(text), (2...3).contains(number) else {
      throw XMLFeatures.Trouble(line: line, reason: "its srsDimension \(text) is neither 2 nor 3")
    }
    return number
  }

  func add(_ child: SourceElement) { children.append(child) }
  func add(_ text: String) { characters += text }

  /// Trimmed; nil when there is none.
  var text: String? {
    let text = characters.trimmed
    return text.isEmpty ? nil : text
  }

  func attribute(_ name: String) -> String? { attributes[name] }

  /// What a reference points at, without its `#` or `urn:uuid:`.
  var reference: String? {
    attributes["href"].map { href in
      href.hasPrefix("#") ? String(href.dropFirst()) : String(href.split(separator: ":").last ?? "")
    }
  }

  subscript(name: String) -> SourceElement? { children.first { $0.name == name } }

  /// The first one below it, at any depth.
  func first(_ name: String) -> SourceElement? {
    for child in children {
      if child.name == name { return child }
      if let found = child.first(name) { return found }
    }
    return nil
  }

  /// Every one below it, at any depth, in the file's order.
  func all(_ name: String) -> [SourceElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }

  func text(_ name: String) -> String? { first(name)?.text }
}

extension StringProtocol {
  var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}
