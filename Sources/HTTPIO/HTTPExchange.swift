internal import CCurl
internal import Core
internal import Foundation

/// A running request. The callbacks of libcurl receive its address.
final class HTTPExchange {
  /// The error of a callback. libcurl knows only that the callback failed.
  private(set) var error: (any Error)?
  private let upload: HTTPUpload?
  private var deadline: TransferDeadline?
  private let receive: (HTTPResponse, UnsafeRawBufferPointer) throws -> Void
  private var headers: [String: String] = [:]
  private var response: HTTPResponse?
  /// Some versions of libcurl have no limit for headers.
  private var headerBytesLeft = 1 << 18

  init(
    upload: HTTPUpload?, deadline: TransferDeadline?,
    receive: @escaping (HTTPResponse, UnsafeRawBufferPointer) throws -> Void
  ) {
    (self.upload, self.deadline, self.receive) = (upload, deadline, receive)
  }

  func response(of handle: UnsafeMutableRawPointer) -> HTTPResponse {
    if let response { return response }
    var response = HTTPResponse(
      status: chartpipe_curl_status(handle), headers: headers,
      url: chartpipe_curl_last_url(handle).map { String(cString: $0) } ?? "")
    response.isSentAgain = upload?.isSentAgain ?? false
    return response
  }

  /// Installs the callbacks while `body` runs.
  func attached<T>(to handle: UnsafeMutableRawPointer, _ body: () throws -> T) throws -> T {
    self.handle = handle
    return try withExtendedLifetime(self) {
      try attach(handle, Unmanaged.passUnretained(self).toOpaque())
      return try body()
    }
  }

  private var handle: UnsafeMutableRawPointer?

  private func attach(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) throws {
    let codes = [
      chartpipe_curl_blocks(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      chartpipe_curl_pointer(handle, CURLOPT_WRITEDATA, context),
      chartpipe_curl_blocks(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
          ?? 0
      },
      chartpipe_curl_pointer(handle, CURLOPT_HEADERDATA, context),
      chartpipe_curl_blocks(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.sendBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
          ?? Int(CURL_READFUNC_ABORT)
      },
      chartpipe_curl_pointer(handle, CURLOPT_READDATA, context),
      chartpipe_curl_seeks(handle) { context, offset, origin in
        HTTPExchange.at(context)?.rewind(to: Int(offset), from: origin) ?? CURL_SEEKFUNC_FAIL
      },
      chartpipe_curl_pointer(handle, CURLOPT_SEEKDATA, context),
      chartpipe_curl_progress(handle) { context, _, _, _, _ in
        HTTPExchange.at(context)?.continues == true && !CancellationToken.current.isCancelled ? 0 : 1
      },
      chartpipe_curl_pointer(handle, CURLOPT_XFERINFODATA, context),
      chartpipe_curl_number(handle, CURLOPT_NOPROGRESS, 0),
    ]
    if let code = codes.first(where: { $0 != CURLE_OK }) { throw HTTPError(code, details: "") }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
    context.map { Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - Callbacks of libcurl

  /// libcurl asks at least once a second.
  private var continues: Bool {
    guard let deadline, deadline.left < .zero else { return true }
    error = error ?? HTTPError(.timedOut, deadline.reason)
    return false
  }

  private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytesLeft -= line.count
    guard headerBytesLeft >= 0 else {
      error = HTTPError(.unusable, "the headers of the response are too large")
      return 0
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = [:]  // those of a redirect or a proxy
    } else if let colon = text.firstIndex(of: ":") {
      let (name, value) = (
        text[..<colon].lowercased(),
        text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      )
      headers[name] = value
      if name == "location", leavesTLS(to: value) {
        error = HTTPError(.unusable, "the server redirects from https to http")
        return 0
      }
    }
    return line.count
  }

  /// libcurl limits the protocols of redirects by the first address alone.
  private func leavesTLS(to place: String) -> Bool {
    guard let handle, let url = chartpipe_curl_last_url(handle).map({ String(cString: $0) }) else {
      return false
    }
    return url.lowercased().hasPrefix("https:") && place.lowercased().hasPrefix("http:")
  }

  private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Int {
    guard let handle else { return 0 }
    let response = response(of: handle)
    self.response = response
    deadline = deadline?.adding(piece.count)
    do {
      try receive(response, piece)
      return piece.count
    } catch {
      self.error = error
      return piece.isEmpty ? 1 : 0
    }
  }

  private func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    do {
      return try upload?.read(into: buffer) ?? 0
    } catch {
      self.error = error
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func rewind(to offset: Int, from origin: Int32) -> Int32 {
    guard origin == SEEK_SET, let upload else { return CURL_SEEKFUNC_CANTSEEK }
    return upload.rewind(to: offset) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
  }
}

/// The body of a request. libcurl reads it piece by piece and may restart it.
final class HTTPUpload {
  private let body: HTTPRequest.Body
  private let file: FileHandle?
  private var done = 0
  private(set) var isSentAgain = false

  init(_ body: HTTPRequest.Body) throws {
    self.body = body
    guard case .file(let url, let offset, _) = body else {
      file = nil
      return
    }
    let file = try FileHandle(forReadingFrom: url)
    try file.seek(toOffset: UInt64(offset))
    self.file = file
  }

  deinit { try? file?.close() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = min(buffer.count, body.count - done)
    guard count > 0 else { return 0 }
    switch body {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + count]))
      }
      done += count
      return count
    case .file(let url, _, _):
      guard let piece = try file?.read(upToCount: count), !piece.isEmpty else {
        throw HTTPError(.unusable, "\(url.path) became shorter while it was sent")
      }
      piece.withUnsafeBytes { buffer.copyMemory(from: $0) }
      done += piece.count
      return piece.count
    }
  }

  func rewind(to offset: Int) -> Bool {
    guard (0...body.count).contains(offset) else { return false }
    if case .file(_, let start, _) = body {
      guard (try? file?.seek(toOffset: UInt64(start + offset))) != nil else { return false }
    }
    isSentAgain = isSentAgain || offset < done
    done = offset
    return true
  }
}
