internal import Core
internal import Foundation

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Why an XML document cannot be read.
struct XMLDefect: Error {
  let line: Int
  let reason: String
}

/// An element with its descendants. Names have no namespaces.
protocol XMLTreeElement: AnyObject {
  init(_ name: String, _ attributes: [String: String], line: Int, in parent: Self?) throws(XMLDefect)
  func add(_ child: Self)
  func add(_ text: String)
}

/// An element as it is written.
final class XMLNode: XMLTreeElement {
  let name: String
  let attributes: [String: String]
  let line: Int
  private(set) var children: [XMLNode] = []
  /// Up to its first child.
  private(set) var text = ""

  init(_ name: String, _ attributes: [String: String], line: Int, in parent: XMLNode?) {
    (self.name, self.attributes, self.line) = (name, attributes, line)
  }

  func add(_ child: XMLNode) { children.append(child) }
  func add(_ text: String) { if children.isEmpty { self.text += text } }

  /// The text of a child.
  subscript(_ child: String) -> String? { children.first { $0.name == child }?.text }
}

/// Reads an untrusted XML document as a stream and returns each wanted element with its descendants. Other elements are not kept in
/// memory.
final class XMLTreeReader<Element: XMLTreeElement>: NSObject, XMLParserDelegate {
  private let isWanted: (String) -> Bool
  private let limits: (elements: Int, depth: Int)
  private let handler: (Element) -> Void
  /// The open elements below a wanted one, the outermost first.
  private var open: [Element] = []
  private var depth = 0
  private var elements = 0
  private var error: XMLDefect?

  init(
    limits: (elements: Int, depth: Int), wanted isWanted: @escaping (String) -> Bool = { _ in true },
    _ handler: @escaping (Element) -> Void
  ) {
    (self.limits, self.isWanted, self.handler) = (limits, isWanted, handler)
  }

  func read(_ data: Data) throws(XMLDefect) {
    if let objection = PlainXML.objection(to: data) { throw XMLDefect(line: 0, reason: objection) }
    // From data, the parser refuses a document of more than 10 MB.
    let parser = XMLParser(stream: InputStream(data: data))
    parser.shouldProcessNamespaces = true
    parser.delegate = self
    // The result is useless: it is true for a truncated file.
    _ = parser.parse()
    if let error { throw error }
    if elements == 0 { throw XMLDefect(line: 0, reason: "it is no XML, or damaged") }
    if depth != 0 { throw XMLDefect(line: 0, reason: "it is cut short") }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    depth += 1
    elements += 1
    if depth > limits.depth { stop(parser, "its elements are nested too deep") }
    if elements > limits.elements { stop(parser, "it has too many elements") }
    guard error == nil, !open.isEmpty || isWanted(name) else { return }
    let plain = attributes.map { key, value in
      (key.split(separator: ":").last.map(String.init) ?? key, value)
    }
    do throws(XMLDefect) {
      let element = try Element(
        name, Dictionary(first: plain), line: parser.lineNumber, in: open.last)
      open.last?.add(element)
      open.append(element)
    } catch {
      stop(parser, error.reason)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.add(text) }

  func parser(_ parser: XMLParser, foundCDATA data: Data) {
    open.last?.add(String(decoding: data, as: UTF8.self))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    guard let element = open.popLast(), open.isEmpty, error == nil else { return }
    handler(element)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if self.error == nil {
      self.error = XMLDefect(line: parser.lineNumber, reason: "it is no XML, or damaged")
    }
  }

  private func stop(_ parser: XMLParser, _ reason: String) {
    if error == nil { error = XMLDefect(line: parser.lineNumber, reason: reason) }
    parser.abortParsing()
  }
}
