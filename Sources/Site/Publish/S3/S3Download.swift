internal import Core
internal import Foundation
internal import HTTPIO
internal import Pipeline

/// Reads an object. Where a connection breaks off, it goes on from there, as long as it is the same object.
final class S3Download {
  private let connection: S3Connection
  private let key: String

  /// What an earlier attempt has given away.
  private var done = 0
  private var tag: String?
  /// Of the attempt under way; nil before its first byte.
  private var place: Int?

  private static let doing = "reading from the store"

  init(_ connection: S3Connection, _ key: String) {
    self.connection = connection
    self.key = key
  }

  /// Nil where there is no such object.
  func run(_ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> ObjectTag? {
    let work = S3Work(doing: S3Download.doing, key: key)
    let answer = try connection.send(
      for: work, progress: { done }, request: next,
      receive: { answer, piece in
        if let new = try self.new(in: piece, answer) { try receive(new) }
        return true
      })
    if answer.isGood {
      guard let tag = answer.tag, !tag.text.isEmpty else { throw nameless() }
      return tag
    }
    if answer.hasNoSuchKey, done == 0 { return nil }
    if [404, 412, 416].contains(answer.status), done > 0 { throw changed() }
    throw connection.fault(answer, work)
  }

  private func next() -> S3Request {
    place = nil
    var request = S3Request(method: .get, key: key)
    if done > 0 { request.headers.append(("Range", "bytes=\(done)-")) }
    if done > 0, let tag { request.headers.append(("If-Match", tag)) }
    return request
  }

  /// What of a piece is new; an answer may begin with what was read already.
  private func new(
    in piece: UnsafeRawBufferPointer, _ answer: HTTPAnswer
  ) throws -> UnsafeRawBufferPointer? {
    let start = try place ?? begin(answer)
    let known = min(done - start, piece.count)
    place = start + piece.count
    done = max(done, start + piece.count)
    return known < piece.count ? UnsafeRawBufferPointer(rebasing: piece[known...]) : nil
  }

  private func begin(_ answer: HTTPAnswer) throws -> Int {
    let start = try S3Download.start(answer)
    if done == 0 { tag = answer.headers["etag"] }
    guard tag == answer.headers["etag"] else { throw changed() }
    guard (0...done).contains(start) else {
      throw HTTPError(.unusable, "it gave another part of the object than was asked for")
    }
    return start
  }

  /// Some stores give a part with the status 200, so the range counts.
  private static func start(_ answer: HTTPAnswer) throws -> Int {
    guard let range = answer.headers["content-range"] else { return 0 }
    guard let match = range.firstMatch(of: /^bytes (\d{1,18})-/), let start = Int(match.1) else {
      throw HTTPError(.unusable, "it gave a part of the object without saying which")
    }
    return start
  }

  private func changed() -> UserError {
    UserError(
      .failed, operation: S3Download.doing, path: "\(connection.target.name)/\(key)",
      reason: "it was changed while it was read",
      suggestion: "Another publisher is at work: try again.")
  }

  /// What has no tag could not be replaced on a condition.
  private func nameless() -> UserError {
    UserError(
      .failed, operation: S3Download.doing, path: "\(connection.target.name)/\(key)",
      reason: "the store gives no ETag", suggestion: "Does it speak S3? Check --endpoint.")
  }
}
