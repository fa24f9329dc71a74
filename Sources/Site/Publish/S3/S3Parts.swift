internal import CryptoIO
internal import Foundation
internal import HTTPIO

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
