internal import Core
internal import Foundation
internal import Pipeline

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// Reads an XML file as a stream, and gives out each wanted element with what is in it; the rest is never held.
final class XMLFeatures: NSObject, XMLParserDelegate {
  /// Why a file cannot be read.
  struct Trouble: Error {
    let line: Int
    let reason: String
  }

  /// The largest of the FAA's files are some megabytes.
  static let mostBytes = 64 << 20
  private static let mostElements = 500_000
  private static let deepest = 64

  private let wanted: Set<String>
  private let take: (SourceElement) -> Void
  /// The open elements of the feature that is being read, from the outermost in.
  private var open: [SourceElement] = []
  private var depth = 0
  private var elements = 0
  private var trouble: Trouble?

  static func read(
    _ bytes: [UInt8], wanted: Set<String>, _ take: @escaping (SourceElement) -> Void
  ) throws(Trouble) {
    let data = Data(bytes)
    if let objection = PlainXML.objection(to: data) { throw Trouble(line: 0, reason: objection) }
    let features = XMLFeatures(wanted, take)
    let parser = XMLParser(data: data)
    parser.shouldProcessNamespaces = true
    parser.delegate = features
    // Its answer is of no use: a file that is cut short counts as read.
    _ = parser.parse()
    if let trouble = features.trouble { throw trouble }
    if features.elements == 0 { throw Trouble(line: 0, reason: "it is no XML, or damaged") }
    if features.depth != 0 { throw Trouble(line: 0, reason: "it is cut short") }
  }

  private init(_ wanted: Set<String>, _ take: @escaping (SourceElement) -> Void) {
    self.wanted = wanted
    self.take = take
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    depth += 1
    elements += 1
    if depth > XMLFeatures.deepest { stop(parser, "its elements are nested too deep") }
    if elements > XMLFeatures.mostElements { stop(parser, "it has too many elements") }
    guard trouble == nil, !open.isEmpty || wanted.contains(name) else { return }
    let plain = attributes.map { key, value in
      (key.split(separator: ":").last.map(String.init) ?? key, value)
    }
    do throws(Trouble) {
      let element = try SourceElement(
        name, Dictionary(plain) { first, _ in first }, line: parser.lineNumber, in: open.last)
      open.last?.add(element)
      open.append(element)
    } catch {
      stop(parser, error.reason)
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.add(text) }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    guard let element = open.popLast(), open.isEmpty, trouble == nil else { return }
    take(element)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if trouble == nil { trouble = Trouble(line: parser.lineNumber, reason: "it is no XML, or damaged") }
  }

  private func stop(_ parser: XMLParser, _ reason: String) {
    if trouble == nil { trouble = Trouble(line: parser.lineNumber, reason: reason) }
    parser.abortParsing()
  }
}
