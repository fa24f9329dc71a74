/// An element of an XML file with what is in it; names are without their namespaces.
final class SourceElement {
  let name: String
  let attributes: [String: String]
  /// Where it begins.
  let line: Int
  fileprivate(set) var children: [SourceElement] = []
  fileprivate var characters = ""

  init(_ name: String, _ attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
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
