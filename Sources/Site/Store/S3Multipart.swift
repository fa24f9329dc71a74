internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Sends a large file in parts, of which each is sent again by itself when it fails.
struct S3Multipart {
  let connection: S3Connection
  let key: String
  let headers: [(name: String, value: String)]
  /// Of the whole; nothing comes to be where it does not hold.
  let condition: [(name: String, value: String)]
  let bytes: Int
  let sha256: String
  let parts: [S3Part]
  let width: Int

  /// Under this name the store keeps the hash of the whole, so that what lies there can be known again.
  private static let hashName = "x-amz-meta-sha256"

  /// Nil when the condition did not hold.
  func run() throws -> ObjectTag? {
    let id = try begin()
    do {
      let tag = try finish(id, try send(id))
      if tag == nil { abort(id) }
      return tag
    } catch {
      // Parts that nobody puts together are paid for month after month.
      abort(id)
      throw error
    }
  }

  private var work: S3Work { S3Work(doing: "publishing", key: key, hasCondition: !condition.isEmpty) }

  private func begin() throws -> String {
    let request = S3Request(
      method: .post, key: key, query: [("uploads", "")],
      headers: headers + [(S3Multipart.hashName, sha256)], body: .bytes([]))
    let answer = try connection.send(request, for: work)
    guard answer.isGood, let id = S3Element.read(answer.body)?["UploadId"], !id.isEmpty else {
      throw connection.fault(answer, work)
    }
    return id
  }

  /// The tags of all parts, in order.
  private func send(_ id: String) throws -> [String] {
    var tags: [String] = []
    // A part that came after the upload was aborted would stay: all have ended before an error is thrown.
    try processInOrder(parts, width: width) { part in
      try send(part, of: id)
    } consume: { tag in
      tags.append(tag)
    }
    return tags
  }

  private func send(_ part: S3Part, of id: String) throws -> String {
    let request = S3Request(
      method: .put, key: key, query: [("partNumber", "\(part.number)"), ("uploadId", id)], body: part.body,
      sha256: part.sha256)
    let answer = try connection.send(request, for: work)
    guard answer.isGood, let tag = answer.tag else { throw connection.fault(answer, work) }
    return tag.text
  }

  private func finish(_ id: String, _ tags: [String]) throws -> ObjectTag? {
    let body = Array(S3Multipart.list(tags).utf8)
    let request = S3Request(
      method: .post, key: key, query: [("uploadId", id)],
      headers: condition + [("Content-Type", "application/xml")], body: .bytes(body),
      sha256: try S3Store.hash(of: body))
    let answer = try connection.send(request, for: work)
    // The first answer may have been lost, and with it that all is done.
    let isMaybeDone = answer.isRepeated && answer.refusal?.code == "NoSuchUpload"
    if !answer.isGood, !isMaybeDone {
      if !condition.isEmpty, answer.isRefusedByCondition { return nil }
      throw connection.fault(answer, work)
    }
    let stored = try connection.send(S3Request(method: .head, key: key), for: work)
    guard stored.isGood, stored.bytes == bytes, [nil, sha256].contains(stored.headers[S3Multipart.hashName]),
      let tag = stored.tag
    else { throw connection.fault(isMaybeDone ? answer : stored, work) }
    return tag
  }

  private func abort(_ id: String) {
    connection.sendLast(S3Request(method: .delete, key: key, query: [("uploadId", id)]))
  }

  private static func list(_ tags: [String]) -> String {
    let parts = tags.enumerated().map { index, tag in
      let plain = tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
        "\"", with: "&quot;")
      return "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(plain)</ETag></Part>"
    }
    return "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
      + parts.joined() + "</CompleteMultipartUpload>"
  }
}

/// A piece of a file that is sent by itself.
struct S3Part: Sendable {
  /// From 1.
  let number: Int
  let body: HTTPRequest.Body
  let sha256: String

  private static let mostParts = 10_000

  /// Cuts a file into parts that are equally large but for the last, as some stores want it, in one pass over it.
  /// - Returns: nil when the file is no longer the one that was measured.
  static func cut(_ file: URL, bytes: Int, sha256: SHA256Hex, atLeast partBytes: Int) throws -> [S3Part]? {
    let size = max(partBytes, (bytes + mostParts - 1) / mostParts)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let whole = try Digest(.sha256)
    var parts: [S3Part] = []
    var offset = 0
    while offset < bytes {
      let count = min(size, bytes - offset)
      guard let hash = try digest(of: count, from: handle, into: whole) else { return nil }
      parts.append(
        S3Part(
          number: parts.count + 1, body: .file(file, offset: offset, count: count), sha256: hash))
      offset += count
    }
    let isWhole = try handle.read(upToCount: 1)?.isEmpty ?? true
    return try isWhole && hex(whole.finish()) == sha256.text ? parts : nil
  }

  /// Nil when the file ends before.
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
