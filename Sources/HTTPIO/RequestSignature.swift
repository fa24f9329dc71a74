internal import Core
internal import CryptoIO
internal import Foundation

/// Signs requests as Amazon's services require (AWS Signature Version 4).
///
/// libcurl has signatures too, but its versions encode the query in different ways before they sign it, so the same request was
/// accepted with one version and rejected with another. Here the URL is signed exactly as it is sent: its path and query must be
/// percent-encoded, and the query sorted by name.
struct RequestSignature {
  let keys: HTTPRequest.Signature
  let time: Date

  private static let algorithm = "AWS4-HMAC-SHA256"

  /// Returns the request's headers with those that carry the signature. All of them are signed.
  func headers(of request: HTTPRequest) throws -> [(name: String, value: String)] {
    guard let address = URLComponents(string: request.url), let host = RequestSignature.host(address) else {
      throw HTTPError(.unusable, "the address cannot be signed")
    }
    let headers = request.headers + [("host", host), ("x-amz-date", timestamp)]
    let canonical = headers.map { ($0.name.lowercased(), $0.value.trimmingCharacters(in: .whitespaces)) }
      .sorted { $0.0 < $1.0 }
    let names = canonical.map(\.0).joined(separator: ";")
    let body = try canonical.first { $0.0 == "x-amz-content-sha256" }?.1 ?? SHA256Hex(of: []).text
    let path = address.percentEncodedPath
    let text =
      [request.method.rawValue, path.isEmpty ? "/" : path, address.percentEncodedQuery ?? ""]
      + canonical.map { "\($0.0):\($0.1)" } + ["", names, body]
    let signature = try sign(text.joined(separator: "\n"))
    let value =
      "\(RequestSignature.algorithm) Credential=\(keys.key)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    return headers + [("authorization", value)]
  }

  private func sign(_ request: String) throws(CryptoError) -> String {
    let text = [
      RequestSignature.algorithm, timestamp, scope, try SHA256Hex(of: Array(request.utf8)).text,
    ].joined(separator: "\n")
    var key = Array("AWS4\(keys.secret)".utf8)
    for step in [day, keys.region, keys.service, "aws4_request"] {
      key = try MessageAuthentication.sha256(of: Array(step.utf8), key: key)
    }
    return hex(try MessageAuthentication.sha256(of: Array(text.utf8), key: key))
  }

  private var scope: String { "\(day)/\(keys.region)/\(keys.service)/aws4_request" }

  private var day: String { String(timestamp.prefix(8)) }

  /// `20130524T000000Z`
  private var timestamp: String { time.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted)) }

  /// The value of the header as HTTP defines it: with a port only if it is not the scheme's own.
  private static func host(_ address: URLComponents) -> String? {
    guard let host = address.percentEncodedHost, !host.isEmpty else { return nil }
    let ownPort = address.scheme?.lowercased() == "https" ? 443 : 80
    return address.port.map { $0 == ownPort ? host : "\(host):\($0)" } ?? host
  }
}
