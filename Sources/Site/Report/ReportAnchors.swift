internal import Foundation
internal import Pipeline
internal import Validation

/// The places of the products on the page, by their ids, so that others can point at them too: `report.html#vfr-sectional/Miami`.
struct ReportAnchors {
  private let ids: Set<String>

  init(_ content: ReportContent) { ids = Set(content.products.map(\.product.id)) }

  /// As the value of an attribute. An anchor has no blanks.
  static func anchor(_ id: String) -> String {
    escaped(String(id.map { $0.isWhitespace ? "_" : $0 }))
  }

  /// A link to the product, or its id alone where the page has no such product.
  func link(to id: String, text: String? = nil) -> String {
    guard ids.contains(id) else { return escaped(text ?? id) }
    let plain = String(id.map { $0.isWhitespace ? "_" : $0 })
    let fragment = plain.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? plain
    return "<a href=\"#\(escaped(fragment))\">\(escaped(text ?? id))</a>"
  }
}
