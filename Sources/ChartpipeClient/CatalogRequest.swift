public import Foundation

/// What a server said about a copy of `catalog.json`. Store it beside the copy.
public struct CatalogVersion: Codable, Hashable, Sendable {
  /// The address that the copy came from. Validators are not valid at another one.
  public var url: String
  /// The hash of the copy, to detect a damaged one.
  public var sha256: String
  public var etag: String?
  public var lastModified: String?

  public init(url: String, sha256: String, etag: String? = nil, lastModified: String? = nil) {
    (self.url, self.sha256, self.etag, self.lastModified) = (url, sha256, etag, lastModified)
  }
}

/// A request for `catalog.json` for which the server sends the file only if it has changed.
///
/// ```swift
/// let copy = try? Data(contentsOf: file)
/// let request = CatalogRequest(url: address, copy: version, sha256OfCopy: copy.map(sha256))
/// var http = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
/// http.allHTTPHeaderFields = request.headers
/// let (data, response) = try await URLSession.shared.data(for: http)
/// switch try request.answer(
///   status: response.statusCode, header: response.value(forHTTPHeaderField:), body: data, sha256: sha256(data))
/// {
/// case .unchanged: break  // use the copy
/// case .changed(let catalog, let version): …  // verify the signature and the serial, then store data and version
/// case .unconfirmed: …  // send CatalogRequest(url: address)
/// }
/// ```
///
/// An unchanged catalogue may have expired meanwhile, so compare its dates with the clock each time.
public struct CatalogRequest: Equatable, Sendable {
  public let url: String
  /// The version of the copy; nil for an unconditional request.
  public let copy: CatalogVersion?

  public enum Answer: Equatable, Sendable {
    /// The server still has the version of the copy.
    case unchanged
    /// Another catalogue, and the version to store with it.
    case changed(Catalog, CatalogVersion)
    /// "Not modified", but not about the copy. Request the catalogue without one.
    case unconfirmed
  }

  /// - Parameters:
  ///   - url: The address of `catalog.json`.
  ///   - copy: The version that was stored with the copy.
  ///   - sha256OfCopy: The hash of the copy as it is now; nil if there is none. A damaged copy makes the request unconditional.
  public init(url: String, copy: CatalogVersion? = nil, sha256OfCopy: String? = nil) {
    self.url = url
    let isWhole = copy.map { $0.sha256 == sha256OfCopy && $0.url == url } ?? false
    self.copy = isWhole ? copy : nil
  }

  /// The header fields of the condition; empty for an unconditional request.
  public var headers: [String: String] {
    if let etag = copy?.etag { return ["If-None-Match": etag] }
    if let date = copy?.lastModified { return ["If-Modified-Since": date] }
    return [:]
  }

  /// Reads the response of the server.
  ///
  /// - Parameters:
  ///   - header: Returns a header field by its name in any case.
  ///   - body: Without the server's compression.
  ///   - sha256: The hash of the body.
  /// - Throws: ``ChartpipeError`` for another status than 200 and 304, and for a body that is no catalogue.
  public func answer(
    status: Int, header: (String) -> String?, body: Data, sha256: String
  ) throws(ChartpipeError) -> Answer {
    switch status {
    case 304 where !headers.isEmpty: return isConfirmed(by: header) ? .unchanged : .unconfirmed
    case 200:
      return .changed(try Catalog(json: body), version(sha256: sha256, header))
    default: throw ChartpipeError(.network, "requesting \(url)", "the server answered \(status)")
    }
  }

  /// The version of an answered catalogue.
  func version(sha256: String, _ header: (String) -> String?) -> CatalogVersion {
    CatalogVersion(url: url, sha256: sha256, etag: header("ETag"), lastModified: header("Last-Modified"))
  }

  /// Whether "not modified" is about the copy. A server answers so also when its file is older than the date, and a cache may confuse
  /// versions.
  ///
  /// - Parameter header: Returns a header field by its name in any case.
  func isConfirmed(by header: (String) -> String?) -> Bool {
    let (etag, date) = (header("ETag"), header("Last-Modified"))
    if let etag, let own = copy?.etag { return etag.withoutWeakMark == own.withoutWeakMark }
    if let date, let own = copy?.lastModified { return date == own }
    return true
  }
}

extension String {
  fileprivate var withoutWeakMark: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
