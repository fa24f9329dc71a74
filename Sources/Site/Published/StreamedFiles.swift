internal import CryptoIO
internal import Foundation

/// Published files whose bytes come in one go, or not at all.
protocol StreamedFiles: PublishedFiles {
  /// Gives a file's bytes away piece by piece; false where there is none.
  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool
}

extension StreamedFiles {
  func data(_ path: String, limit: Int) throws -> PublishedData? {
    var data = Data()
    let isThere = try stream(path) { piece in
      guard data.count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
      data.append(contentsOf: piece)
    }
    return isThere ? PublishedData(data: data) : nil
  }

  func fingerprint(_ path: String, limit: Int, _ advance: (Int) throws -> Void) throws -> PublishedFile? {
    var hash = try RunningHash(limit: limit)
    let isThere = try stream(path) { piece in
      try hash.add(piece)
      try advance(piece.count)
    }
    return isThere ? try hash.finish() : nil
  }

  func copy(_ path: String, to file: URL, limit: Int, _ advance: (Int) throws -> Void) throws
    -> PublishedFile?
  {
    try Data().write(to: file)
    let copy = try FileHandle(forWritingTo: file)
    defer { try? copy.close() }
    var hash = try RunningHash(limit: limit)
    let isThere = try stream(path) { piece in
      try hash.add(piece)
      try copy.write(contentsOf: piece)
      try advance(piece.count)
    }
    return isThere ? try hash.finish() : nil
  }
}

/// The hash of bytes that come in pieces, and from the beginning again where a connection broke.
struct RunningHash {
  private let limit: Int
  private var digest: Digest
  private(set) var count = 0
  /// Over all attempts.
  private(set) var received = 0

  init(limit: Int) throws {
    self.limit = limit
    digest = try Digest(.sha256)
  }

  mutating func restart() throws {
    digest = try Digest(.sha256)
    count = 0
  }

  mutating func add(_ piece: UnsafeRawBufferPointer) throws {
    guard count + piece.count <= limit else { throw Unreadable.tooLarge(limit) }
    try digest.update(piece)
    count += piece.count
    received += piece.count
  }

  func finish(_ headers: ServedHeaders? = nil) throws -> PublishedFile {
    PublishedFile(bytes: count, sha256: try SHA256Hex(finishing: digest), headers: headers)
  }
}
