internal import CZlib
internal import Core
internal import Foundation

/// Unpacks the gzip of a site's file.
struct Gunzip {
  let file: any SiteFile

  private var operation: String { "unpacking \(file.path)" }

  /// Writes the verified file to `target`, or nothing.
  func unpack(_ packed: URL, to target: URL) throws {
    let whole = target.deletingLastPathComponent()
      .appendingPathComponent("\(target.lastPathComponent).\(file.sha256.text.prefix(16)).unpacked")
    defer { try? FileManager.default.removeItem(at: whole) }
    try explaining({ ChartpipeError(fileError: $0, operation) }) {
      try write(try Data(contentsOf: packed, options: .alwaysMapped), to: whole)
      try DurableFile.publish(whole, as: target)
    }
  }

  private func write(_ packed: Data, to whole: URL) throws {
    let output = try LockedFile(whole)
    try output.empty()
    var hash = try StreamingSHA256()
    var count = 0
    try unpack(packed) { bytes in
      count += bytes.count
      guard count <= file.bytes else { throw refusal("it has more than \(file.bytes) bytes") }
      let piece = Data(bytes)
      try hash.update(piece)
      try output.append(piece)
    }
    guard count == file.bytes, try hash.finish() == file.sha256.text else {
      throw refusal("its size or hash is wrong")
    }
  }

  private func refusal(_ reason: String) -> ChartpipeError {
    ChartpipeError(
      .integrity, operation, reason, "Download it with unpacking: false, and report it to the publisher")
  }

  private static let pieceBytes = 1 << 17

  /// Unpacks gzip (RFC 1952) with one or more members. `write` receives the unpacked bytes in order.
  func unpack(_ packed: Data, write: (UnsafeRawBufferPointer) throws -> Void) throws {
    var stream = z_stream()
    guard chartpipe_begin_gunzip(&stream) == Z_OK else { throw refusal("the compressed data are damaged") }
    defer { inflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Gunzip.pieceBytes)
    try packed.withUnsafeBytes { packed in
      var rest = packed[...]
      repeat {
        let count = min(rest.count, Gunzip.pieceBytes)
        let input = UnsafeMutableRawBufferPointer(
          mutating: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
        stream.next_in = input.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = UInt32(count)
        let (status, written) = output.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          return (inflate(&stream, Z_NO_FLUSH), output.count - Int(stream.avail_out))
        }
        rest = rest.dropFirst(count - Int(stream.avail_in))
        try output.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0[..<written])) }
        if status == Z_STREAM_END {
          if rest.isEmpty { return }
          inflateReset(&stream)
        } else {
          guard packed.starts(with: [0x1f, 0x8b]) || packed.count < 2 else {
            throw refusal("the download is not a gzip")
          }
          guard [Z_OK, Z_BUF_ERROR].contains(status) else { throw refusal("the compressed data are damaged") }
          guard written > 0 || !rest.isEmpty else { throw refusal("the compressed data end early") }
        }
      } while true
    }
  }
}
