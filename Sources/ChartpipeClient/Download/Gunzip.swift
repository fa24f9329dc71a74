internal import Core
internal import Foundation

/// Unpacks the gzip of a site's file.
struct Gunzip {
  let file: any SiteFile

  private var operation: String { "unpacking \(file.path)" }

  /// Writes the verified file to `target`, or nothing.
  func unpack(_ packed: URL, to target: URL) throws {
    let whole = target.deletingLastPathComponent()
      .appendingPathComponent("\(target.lastPathComponent).\(file.sha256.prefix(16)).unpacked")
    defer { try? FileManager.default.removeItem(at: whole) }
    do {
      try write(try Data(contentsOf: packed, options: .alwaysMapped), to: whole)
      try DurableFile.publish(whole, as: target)
    } catch let error as InflateError {
      throw refusal(error.description)
    } catch {
      throw ChartpipeError(fileError: error, operation)
    }
  }

  private func write(_ packed: Data, to whole: URL) throws {
    let output = try LockedFile(whole)
    try output.empty()
    var hash = try StreamingSHA256()
    var count = 0
    try Gunzip.unpack(packed) { bytes in
      count += bytes.count
      guard count <= file.bytes else { throw refusal("it has more than \(file.bytes) bytes") }
      let piece = Data(bytes)
      try hash.update(piece)
      try output.append(piece)
    }
    guard count == file.bytes, try hash.finish() == file.sha256 else {
      throw refusal("its size or hash is wrong")
    }
  }

  private func refusal(_ reason: String) -> ChartpipeError {
    ChartpipeError(
      .integrity, operation, reason, "Download it with unpacking: false, and report it to the publisher")
  }

  /// Unpacks gzip (RFC 1952) with one or more members. The caller verifies a hash, so the checksums inside do not matter.
  static func unpack(_ packed: Data, write: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      try packed.withUnsafeBytes { bytes in
        var rest = bytes[...]
        repeat {
          rest = rest.dropFirst(try headerBytes(rest))
          var inflate = Inflate(UnsafeRawBufferPointer(rebasing: rest), write: write)
          rest = rest.dropFirst(try inflate.run() + trailerBytes)
        } while !rest.isEmpty
      }
    }
  }

  private static let trailerBytes = 8
  private static let fixedHeaderBytes = 10

  private static func headerBytes(_ member: Slice<UnsafeRawBufferPointer>) throws -> Int {
    let head = Array(member.prefix(fixedHeaderBytes))
    guard head.count == fixedHeaderBytes else { throw InflateError.endsEarly }
    guard head.starts(with: [0x1f, 0x8b, 8]) else {
      throw InflateError(description: "the download is not a gzip")
    }
    let flags = head[3]
    var rest = member.dropFirst(fixedHeaderBytes)
    if flags & 4 != 0 {
      let size = Array(rest.prefix(2))
      guard size.count == 2 else { throw InflateError.endsEarly }
      rest = rest.dropFirst(2 + Int(size[0]) + Int(size[1]) << 8)
    }
    // The name and the comment, each ended by a zero.
    for flag in [8, 16] as [UInt8] where flags & flag != 0 {
      guard let end = rest.firstIndex(of: 0) else { throw InflateError.endsEarly }
      rest = rest[(end + 1)...]
    }
    if flags & 2 != 0 { rest = rest.dropFirst(2) }
    return member.count - rest.count
  }
}
