internal import Foundation

/// Detects advertising in the texts of OurAirports, which every registered user can edit.
///
/// Only the form counts, not the words: Casino is a town in Australia with an airport, and hotels with a casino have heliports.
enum Advertising {
  /// Whether one of the keywords is a hashtag: `#word`, but not `Auxiliary Field #2`.
  static func isIn(keywords: String) -> Bool {
    keywords.split(separator: ",").contains { keyword in
      let text = keyword.drop { $0 == " " }
      return text.first == "#" && text.prefix { $0 != " " }.contains(where: \.isLetter)
    }
  }

  /// Whether the host of a link is the number of a computer, since no airport and no encyclopedia is without a name.
  static func isIn(link: String) -> Bool {
    guard let scheme = link.range(of: "//") else { return false }
    let host = link[scheme.upperBound...].prefix { !"/:?#".contains($0) }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
