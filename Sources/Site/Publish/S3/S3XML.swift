internal import Core
internal import Foundation
internal import Pipeline

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

/// What a store says in XML, with what is in it.
final class S3Element {
  let name: String
  fileprivate(set) var text = ""
  fileprivate(set) var children: [S3Element] = []

  fileprivate init(_ name: String) { self.name = name }

  subscript(_ child: String) -> String? { children.first { $0.name == child }?.text }

  /// Nil for what is no XML, or could harm.
  static func read(_ data: Data) -> S3Element? {
    // A store that takes long to answer sends blanks first, and no declaration may come after blanks.
    let blanks: Set<UInt8> = [9, 10, 13, 32]
    let answer = Data(data.drop { blanks.contains($0) })
    guard PlainXML.objection(to: answer) == nil else { return nil }
    let reader = S3XMLReader()
    let parser = XMLParser(data: answer)
    parser.shouldProcessNamespaces = true
    parser.delegate = reader
    // Its answer is of no use: a text that is cut short counts as read.
    _ = parser.parse()
    return reader.isGood && reader.open.isEmpty ? reader.root : nil
  }
}

private final class S3XMLReader: NSObject, XMLParserDelegate {
  /// A page of a list has a thousand objects, each with a handful of elements.
  private static let mostElements = 100_000
  private static let deepest = 16

  var root: S3Element?
  var open: [S3Element] = []
  var isGood = true
  private var elements = 0

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements += 1
    let element = S3Element(name)
    if let parent = open.last { parent.children.append(element) } else { root = element }
    open.append(element)
    guard open.count <= S3XMLReader.deepest, elements <= S3XMLReader.mostElements else {
      isGood = false
      return parser.abortParsing()
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    _ = open.popLast()
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { isGood = false }
}
