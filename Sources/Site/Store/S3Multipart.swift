internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO

/// Sends a large file in parts, each with its own retries.
struct S3Multipart {
  let connection: S3Connection
  let key: String
  let headers: [(name: String, value: String)]
  /// For the whole object.
  let condition: [(name: String, value: String)]
  let bytes: Int
  let sha256: String
  let parts: [Part]
  let width: Int

  /// A part of the file, with its hash. Numbers begin with 1.
  typealias Part = (number: Int, body: HTTPRequest.Body, sha256: String)

  private static let maxParts = 10_000

  /// The store keeps the hash of the whole object under this name.
  private static let hashName = "x-amz-meta-sha256"

  /// Returns nil if the condition was not met.
  func run() throws -> ObjectTag? {
    let id = try begin()
    do {
      let tag = try finish(id, try send(id))
      if tag == nil { abort(id) }
      return tag
    } catch {
      // A store charges for the parts of unfinished uploads.
      abort(id)
      throw error
    }
  }

  private func begin() throws -> String {
    var request = request(.post, query: [("uploads", "")])
    request.headers = headers + [(S3Multipart.hashName, sha256)]
    request.body = .bytes([])
    let answer = try connection.send(request)
    guard answer.isGood, let id = XMLNode.answer(answer.body)?["UploadId"], !id.isEmpty else {
      throw connection.error(answer, about: request)
    }
    return id
  }

  /// Returns the tags of all parts, in order.
  private func send(_ id: String) throws -> [String] {
    var tags: [String] = []
    // A part that arrives after the abort would stay, so all parts end before an error is thrown.
    try processInOrder(parts, width: width) { part in
      try send(part, of: id)
    } consume: { tag in
      tags.append(tag)
    }
    return tags
  }

  private func send(_ part: Part, of id: String) throws -> String {
    var request = request(.put, query: [("partNumber", "\(part.number)"), ("uploadId", id)])
    (request.body, request.sha256) = (part.body, part.sha256)
    let answer = try connection.send(request)
    guard answer.isGood, let tag = answer.tag else { throw connection.error(answer, about: request) }
    return tag.text
  }

  private func finish(_ id: String, _ tags: [String]) throws -> ObjectTag? {
    let body = Array(S3Multipart.list(tags).utf8)
    var request = request(.post, query: [("uploadId", id)])
    request.headers = condition + [("Content-Type", "application/xml")]
    (request.body, request.sha256) = (.bytes(body), try SHA256Hex(of: body).text)
    let answer = try connection.send(request)
    // The upload may be finished although the first answer was lost.
    let isMaybeDone = answer.isRepeated && answer.refusal?.code == "NoSuchUpload"
    if !answer.isGood, !isMaybeDone {
      if !condition.isEmpty, answer.isRefusedByCondition { return nil }
      throw connection.error(answer, about: request)
    }
    let stored = try connection.send(self.request(.head))
    guard stored.isGood, stored.bytes == bytes, [nil, sha256].contains(stored.headers[S3Multipart.hashName]),
      let tag = stored.tag
    else { throw connection.error(isMaybeDone ? answer : stored, about: request) }
    return tag
  }

  private func abort(_ id: String) {
    connection.sendLast(request(.delete, query: [("uploadId", id)]))
  }

  private func request(
    _ method: HTTPRequest.Method, query: [(name: String, value: String)] = []
  ) -> S3Request {
    S3Request(
      operation: "publishing", method: method, key: key, query: query, hasCondition: !condition.isEmpty)
  }

  private static func list(_ tags: [String]) -> String {
    let parts = tags.enumerated().map { index, tag in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag.escapedForXML)</ETag></Part>"
    }
    return "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      + parts.joined() + "</CompleteMultipartUpload>"
  }
}

extension S3Multipart {
  /// Cuts a file into parts of one size, except for the last, as some stores require. Hashes the parts and the whole in one pass.
  /// - Returns: nil if the file is not the one that was staged.
  static func cut(_ file: URL, bytes: Int, sha256: SHA256Hex, atLeast partBytes: Int) throws -> [Part]? {
    let size = max(partBytes, (bytes + maxParts - 1) / maxParts)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let whole = try Digest(.sha256)
    var parts: [Part] = []
    var offset = 0
    while offset < bytes {
      let count = min(size, bytes - offset)
      guard let hash = try digest(of: count, from: handle, into: whole) else { return nil }
      parts.append((parts.count + 1, .file(file, offset: offset, count: count), hash))
      offset += count
    }
    let isWhole = try handle.read(upToCount: 1)?.isEmpty ?? true
    return try isWhole && hex(whole.finish()) == sha256.text ? parts : nil
  }

  /// Returns nil if the file is too short.
  private static func digest(of count: Int, from file: FileHandle, into whole: Digest) throws -> String? {
    let part = try Digest(.sha256)
    var left = count
    while left > 0 {
      guard let piece = try file.read(upToCount: min(left, 1 << 20)), !piece.isEmpty else { return nil }
      try piece.withUnsafeBytes {
        try part.update($0)
        try whole.update($0)
      }
      left -= piece.count
    }
    return hex(try part.finish())
  }
}
