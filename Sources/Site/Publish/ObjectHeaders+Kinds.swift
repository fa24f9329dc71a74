internal import Foundation

extension ObjectHeaders {
  private static let forEver = "public, max-age=31536000, immutable"
  private static let short = "public, max-age=60"

  /// What never changes under its name.
  static func blob(_ mediaType: String?) -> ObjectHeaders {
    ObjectHeaders(contentType: plain(mediaType), cacheControl: forEver)
  }

  static let catalogue = ObjectHeaders(contentType: "application/json", cacheControl: short)
  /// Of what repeats the catalogue.
  static let rootCopy = catalogue
  static let feed = ObjectHeaders(contentType: "application/atom+xml", cacheControl: short)
  static let signature = ObjectHeaders(contentType: signatureType, cacheControl: forEver)
  /// Of the catalogue that is there now.
  static let signatureAlias = ObjectHeaders(contentType: signatureType, cacheControl: short)
  static let lease = ObjectHeaders(contentType: "application/json", cacheControl: "no-store")

  /// What is made for people.
  static func page(_ name: String) -> ObjectHeaders {
    ObjectHeaders(
      contentType: name.hasSuffix(".html") ? "text/html; charset=utf-8" : "application/json",
      cacheControl: short)
  }

  private static let signatureType = "text/plain; charset=utf-8"

  /// It comes from a file, and goes into a line of HTTP.
  private static func plain(_ mediaType: String?) -> String {
    let halves = (mediaType ?? "").split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = halves.allSatisfy { half in
      !half.isEmpty && half.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".+-".contains($0)) }
    }
    guard let mediaType, halves.count == 2, isPlain else { return "application/octet-stream" }
    return mediaType
  }
}
