internal import CCurl
internal import Core
internal import Foundation

/// One request under way: what libcurl's calls reach by its address.
final class HTTPExchange {
  /// What stopped it from our side; libcurl itself only learns that it was stopped.
  private(set) var error: (any Error)?
  private let upload: HTTPUpload?
  private let receive: (HTTPAnswer, UnsafeRawBufferPointer) throws -> Void
  private var headers: [String: String] = [:]
  private var answer: HTTPAnswer?
  /// Not every libcurl has had enough of header lines at some time.
  private var headerBytesLeft = 1 << 18

  init(
    upload: HTTPUpload?, receive: @escaping (HTTPAnswer, UnsafeRawBufferPointer) throws -> Void
  ) {
    self.upload = upload
    self.receive = receive
  }

  func answer(of handle: UnsafeMutableRawPointer) -> HTTPAnswer {
    answer
      ?? HTTPAnswer(
        status: chartpipe_curl_status(handle), headers: headers,
        url: chartpipe_curl_last_url(handle).map { String(cString: $0) } ?? "")
  }

  /// The calls are good as long as the body runs, and no longer.
  func attached<T>(to handle: UnsafeMutableRawPointer, _ body: () throws -> T) throws -> T {
    self.handle = handle
    return try withExtendedLifetime(self) {
      let me = Unmanaged.passUnretained(self).toOpaque()
      try attach(handle, me)
      return try body()
    }
  }

  private var handle: UnsafeMutableRawPointer?

  private func attach(_ handle: UnsafeMutableRawPointer, _ me: UnsafeMutableRawPointer) throws {
    let codes = [
      chartpipe_curl_blocks(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      chartpipe_curl_pointer(handle, CURLOPT_WRITEDATA, me),
      chartpipe_curl_blocks(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.note(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
      },
      chartpipe_curl_pointer(handle, CURLOPT_HEADERDATA, me),
      chartpipe_curl_blocks(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
        HTTPExchange.at(context)?.give(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
          ?? Int(CURL_READFUNC_ABORT)
      },
      chartpipe_curl_pointer(handle, CURLOPT_READDATA, me),
      chartpipe_curl_seeks(handle) { context, offset, origin in
        HTTPExchange.at(context)?.rewind(to: Int(offset), from: origin) ?? CURL_SEEKFUNC_FAIL
      },
      chartpipe_curl_pointer(handle, CURLOPT_SEEKDATA, me),
      chartpipe_curl_progress(handle) { context, _, _, _, _ in
        HTTPExchange.at(context) == nil || CancellationToken.current.isCancelled ? 1 : 0
      },
      chartpipe_curl_pointer(handle, CURLOPT_XFERINFODATA, me),
      chartpipe_curl_number(handle, CURLOPT_NOPROGRESS, 0),
    ]
    if let code = codes.first(where: { $0 != CURLE_OK }) { throw HTTPError(code, details: "") }
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
    context.map { Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - What libcurl calls

  private func note(_ line: UnsafeRawBufferPointer) -> Int {
    headerBytesLeft -= line.count
    guard headerBytesLeft >= 0 else {
      error = HTTPError(.unusable, "the head of the answer has no end")
      return 0
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      headers = [:]  // of a redirect, or of a proxy
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...]
      headers[text[..<colon].lowercased()] = value.trimmed
    }
    return line.count
  }

  private func take(_ piece: UnsafeRawBufferPointer) -> Int {
    guard let handle else { return 0 }
    let answer = answer(of: handle)
    self.answer = answer
    do {
      try receive(answer, piece)
      return piece.count
    } catch {
      self.error = error
      return piece.isEmpty ? 1 : 0
    }
  }

  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    do {
      return try upload?.read(into: room) ?? 0
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

extension Substring {
  fileprivate var trimmed: String {
    var rest = self
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}

/// The body of a request, which libcurl draws piece by piece and may want again from the beginning.
final class HTTPUpload {
  private let body: HTTPRequest.Body
  private let file: FileHandle?
  private var done = 0

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

  func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = min(room.count, body.count - done)
    guard count > 0 else { return 0 }
    switch body {
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[done..<done + count]))
      }
      done += count
      return count
    case .file(let url, _, _):
      guard let piece = try file?.read(upToCount: count), !piece.isEmpty else {
        throw HTTPError(.unusable, "\(url.path) became shorter while it was sent")
      }
      piece.withUnsafeBytes { room.copyMemory(from: $0) }
      done += piece.count
      return piece.count
    }
  }

  func rewind(to offset: Int) -> Bool {
    guard (0...body.count).contains(offset) else { return false }
    if case .file(_, let start, _) = body {
      guard (try? file?.seek(toOffset: UInt64(start + offset))) != nil else { return false }
    }
    done = offset
    return true
  }
}
