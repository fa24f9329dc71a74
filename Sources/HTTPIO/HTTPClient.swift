internal import CCurl
public import Foundation

/// An HTTP client on libcurl, for one thread at a time. It reuses connections. Cancelling the current token ends a transfer.
///
/// It uses the proxies of the environment (`https_proxy`, `no_proxy`), and the certificates of the system or of the file that
/// `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names.
public final class HTTPClient {
  private let handle: UnsafeMutableRawPointer
  private let agent: String
  private let timeouts: HTTPTimeouts
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// - Parameter agent: The user agent, such as `chartpipe/1.0`.
  public init(agent: String, timeouts: HTTPTimeouts = HTTPTimeouts()) throws(HTTPError) {
    guard HTTPClient.isReady, let handle = curl_easy_init() else {
      throw HTTPError(.unusable, "libcurl cannot start")
    }
    self.handle = handle
    self.agent = agent
    self.timeouts = timeouts
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends a request and passes the body to a closure piece by piece. The body of an error response arrives in the same way, so check
  /// the status.
  @discardableResult
  public func send(
    _ request: HTTPRequest,
    receive: (_ response: HTTPResponse, _ piece: UnsafeRawBufferPointer) throws -> Void = { _, _ in }
  ) throws -> HTTPResponse {
    let upload = try request.body.map(HTTPUpload.init)
    return try withoutActuallyEscaping(receive) { receive in
      let exchange = HTTPExchange(upload: upload, deadline: request.deadline, receive: receive)
      return try perform(request, exchange)
    }
  }

  /// Sends a request and returns the response with its body, which may have at most `limit` bytes.
  public func fetch(_ request: HTTPRequest, limit: Int) throws -> (response: HTTPResponse, body: Data) {
    var body = Data()
    let response = try send(request) { _, piece in
      guard body.count + piece.count <= limit else {
        throw HTTPError(.unusable, "the response is larger than \(limit) bytes")
      }
      body.append(contentsOf: piece)
    }
    return (response, body)
  }

  private func perform(_ request: HTTPRequest, _ exchange: HTTPExchange) throws -> HTTPResponse {
    curl_easy_reset(handle)
    var details = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var fields: UnsafeMutablePointer<curl_slist>?
    for field in try headers(of: request) {
      let line = field.value.isEmpty ? "\(field.name):" : "\(field.name): \(field.value)"
      fields = curl_slist_append(fields, line) ?? fields
    }
    defer { curl_slist_free_all(fields) }
    try set(request)
    try check(chartpipe_curl_list(handle, CURLOPT_HTTPHEADER, fields))
    let code = try details.withUnsafeMutableBufferPointer { buffer in
      try check(chartpipe_curl_pointer(handle, CURLOPT_ERRORBUFFER, buffer.baseAddress))
      return try exchange.attached(to: handle) { curl_easy_perform(handle) }
    }
    if let error = exchange.error { throw error }
    guard code == CURLE_OK else {
      let message = String(decoding: details.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard chartpipe_curl_proxy_status(handle) < 300 else {
        throw HTTPError(.unreachable, "the proxy did not connect: \(message)")
      }
      throw HTTPError(code, details: message)
    }
    return exchange.response(of: handle)
  }

  /// An empty value removes a header. A signed request waits for `100 Continue` before a large body, since a store may reject it
  /// for its signature or its condition; other requests do not wait.
  private func headers(of request: HTTPRequest) throws -> [(name: String, value: String)] {
    guard let keys = request.signature else { return request.headers + [("Expect", "")] }
    return try RequestSignature(keys: keys, time: Date()).headers(of: request)
  }

  private func set(_ request: HTTPRequest) throws(HTTPError) {
    let isSecure = request.url.lowercased().hasPrefix("https:")
    try text(CURLOPT_URL, request.url)
    try text(CURLOPT_USERAGENT, agent)
    if let file = HTTPClient.certificateFile { try text(CURLOPT_CAINFO, file) }
    try text(CURLOPT_PROTOCOLS_STR, "http,https")
    try text(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
    try number(CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0)
    try number(CURLOPT_MAXREDIRS, 8)
    try number(CURLOPT_NOSIGNAL, 1)
    try number(CURLOPT_CONNECTTIMEOUT, timeouts.connectSeconds)
    try number(CURLOPT_LOW_SPEED_LIMIT, 64)
    try number(CURLOPT_LOW_SPEED_TIME, timeouts.stallSeconds)
    switch request.method {
    case .get where request.body == nil: try number(CURLOPT_HTTPGET, 1)
    case .head: try number(CURLOPT_NOBODY, 1)
    default: try text(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    guard let body = request.body else { return }
    try number(CURLOPT_UPLOAD, 1)
    try check(chartpipe_curl_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.count)))
  }

  private func text(_ option: CURLoption, _ value: String) throws(HTTPError) {
    try check(chartpipe_curl_text(handle, option, value))
  }

  private func number(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(chartpipe_curl_number(handle, option, value))
  }

  private func check(_ code: CURLcode) throws(HTTPError) {
    guard code == CURLE_OK else { throw HTTPError(code, details: "") }
  }
}

@available(*, unavailable)
extension HTTPClient: Sendable {}

extension HTTPClient {
  /// The library, such as `libcurl 7.88.1 with OpenSSL/3.0.17`. Throws when it cannot use https.
  public static func library() throws(HTTPError) -> String {
    guard isReady, let facts = chartpipe_curl_facts()?.pointee else {
      throw HTTPError(.unusable, "libcurl cannot start")
    }
    let version = String(cString: facts.version)
    guard let secure = facts.ssl_version else {
      throw HTTPError(.unusable, "libcurl \(version) was built without https")
    }
    // One of these is enough. A small machine or image may have neither.
    let own = [facts.cainfo, facts.capath].compactMap(\.self).map { String(cString: $0) }
    let paths = certificateFile.map { [$0] } ?? own
    guard paths.isEmpty || paths.contains(where: hasCertificates) else {
      throw HTTPError(
        .unusable,
        "libcurl \(version) finds no certificates in \(paths.joined(separator: " or ")): install ca-certificates"
      )
    }
    return "libcurl \(version) with \(String(cString: secure))"
  }

  /// As the curl tool reads the environment, which the library does not.
  private static let certificateFile = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
    .compactMap { ProcessInfo.processInfo.environment[$0] }.first { !$0.isEmpty }

  private static func hasCertificates(_ path: String) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return names.map { !$0.isEmpty } ?? FileManager.default.fileExists(atPath: path)
  }
}
