internal import Core
internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// An element of an XML file with its descendants. Names have no namespaces.
final class AuditXML: NSObject, XMLParserDelegate {
  let name: String
  let attributes: [String: String]
  private(set) var children: [AuditXML] = []
  private var characters = ""
  private var open: [AuditXML] = []

  init(_ name: String = "", _ attributes: [String: String] = [:]) {
    (self.name, self.attributes) = (name, attributes)
  }

  /// The root of a file; nil for a file that cannot be read.
  static func read(_ bytes: [UInt8]) -> AuditXML? {
    let data = Data(bytes)
    guard PlainXML.objection(to: data) == nil else { return nil }
    let (root, parser) = (AuditXML(), XMLParser(data: data))
    root.open = [root]
    parser.shouldProcessNamespaces = true
    parser.delegate = root
    return parser.parse() && root.open.count == 1 ? root : nil
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let plain = attributes.map { key, value in (key.split(separator: ":").last.map(String.init) ?? key, value)
    }
    let element = AuditXML(name, Dictionary(plain) { first, _ in first })
    open.last?.children.append(element)
    open.append(element)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.characters += text }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    open.removeLast()
  }

  /// The trimmed text; nil if it is empty.
  var text: String? {
    let text = characters.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.isEmpty ? nil : text
  }

  /// The id that it refers to.
  var reference: String? {
    attributes["href"].map {
      $0.hasPrefix("#") ? String($0.dropFirst()) : String($0.split(separator: ":").last ?? "")
    }
  }

  subscript(name: String) -> AuditXML? { children.first { $0.name == name } }

  /// The descendants of a name, in the order of the file.
  func all(_ name: String) -> [AuditXML] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }

  func first(_ name: String) -> AuditXML? {
    for child in children {
      if let found = child.name == name ? child : child.first(name) { return found }
    }
    return nil
  }

  func text(_ name: String) -> String? { first(name)?.text }
}
