internal import CCurl
public import Foundation

/// Speaks HTTP by libcurl, for one thread at a time; connections are kept between requests. A transfer ends when the current
/// cancellation token is cancelled.
///
/// Proxies are those of the environment (`https_proxy`, `no_proxy`), certificates those of the system.
public final class HTTPClient {
  private let handle: UnsafeMutableRawPointer
  private let agent: String
  private let patience: HTTPTimeouts
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// - Parameter agent: The user agent, such as `chartpipe/1.0`.
  public init(agent: String, patience: HTTPTimeouts = HTTPTimeouts()) throws(HTTPError) {
    guard HTTPClient.isReady, let handle = curl_easy_init() else {
      throw HTTPError(.unusable, "libcurl cannot start")
    }
    self.handle = handle
    self.agent = agent
    self.patience = patience
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends a request and gives the body away piece by piece, as it comes. What a server says with a status of an error
  /// comes the same way, so look at the answer's status.
  @discardableResult
  public func send(
    _ request: HTTPRequest,
    receive: (_ answer: HTTPAnswer, _ piece: UnsafeRawBufferPointer) throws -> Void = { _, _ in }
  ) throws -> HTTPAnswer {
    let upload = try request.body.map(HTTPUpload.init)
    return try withoutActuallyEscaping(receive) { receive in
      let exchange = HTTPExchange(upload: upload, receive: receive)
      return try perform(request, exchange)
    }
  }

  /// The answer with its whole body, which must not be larger than the limit.
  public func fetch(_ request: HTTPRequest, limit: Int) throws -> (answer: HTTPAnswer, body: Data) {
    var body = Data()
    let answer = try send(request) { _, piece in
      guard body.count + piece.count <= limit else {
        throw HTTPError(.unusable, "the answer is larger than \(limit) bytes")
      }
      body.append(contentsOf: piece)
    }
    return (answer, body)
  }

  private func perform(_ request: HTTPRequest, _ exchange: HTTPExchange) throws -> HTTPAnswer {
    curl_easy_reset(handle)
    var details = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var fields: UnsafeMutablePointer<curl_slist>?
    // libcurl signs what is taken out here as if it were sent. So a request that is signed waits a moment for leave to
    // send a large body, which spares sending one that is refused.
    let untold = request.signature == nil ? [(name: "Expect", value: "")] : []
    for field in request.headers + untold {
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
      let words = String(decoding: details.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard chartpipe_curl_proxy_status(handle) < 300 else {
        throw HTTPError(.unreachable, "the proxy opens no way to it: \(words)")
      }
      throw HTTPError(code, details: words)
    }
    return exchange.answer(of: handle)
  }

  private func set(_ request: HTTPRequest) throws(HTTPError) {
    let isSecure = request.url.lowercased().hasPrefix("https:")
    try text(CURLOPT_URL, request.url)
    try text(CURLOPT_USERAGENT, agent)
    try text(CURLOPT_PROTOCOLS_STR, "http,https")
    try text(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
    try number(CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0)
    try number(CURLOPT_MAXREDIRS, 8)
    try number(CURLOPT_NOSIGNAL, 1)
    try number(CURLOPT_CONNECTTIMEOUT, patience.connectSeconds)
    try number(CURLOPT_LOW_SPEED_LIMIT, 64)
    try number(CURLOPT_LOW_SPEED_TIME, patience.stallSeconds)
    if let signature = request.signature {
      try text(CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
      try text(CURLOPT_USERNAME, signature.key)
      try text(CURLOPT_PASSWORD, signature.secret)
    }
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
  /// What speaks for us, such as `libcurl 7.88.1 with OpenSSL/3.0.17`; an error where it could not ask a server with https.
  public static func library() throws(HTTPError) -> String {
    guard isReady, let facts = chartpipe_curl_facts()?.pointee else {
      throw HTTPError(.unusable, "libcurl cannot start")
    }
    let version = String(cString: facts.version)
    guard let secure = facts.ssl_version else {
      throw HTTPError(.unusable, "libcurl \(version) was built without https")
    }
    // Of these one is enough; a small machine or image may have neither.
    let places = [facts.cainfo, facts.capath].compactMap(\.self).map { String(cString: $0) }
    guard places.isEmpty || places.contains(where: holdsCertificates) else {
      throw HTTPError(
        .unusable,
        "libcurl \(version) finds no certificates in \(places.joined(separator: " or ")): install ca-certificates"
      )
    }
    return "libcurl \(version) with \(String(cString: secure))"
  }

  private static func holdsCertificates(_ place: String) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: place)
    return names.map { !$0.isEmpty } ?? FileManager.default.fileExists(atPath: place)
  }
}
