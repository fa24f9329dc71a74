internal import CDeflate
internal import Synchronization

/// zlib streams by libdeflate, written by many tasks at once.
///
/// A compressor has a megabyte of tables to set up, so those that are idle are kept for the next tile.
final class Deflate: Sendable {
  private let level: Int32
  private let idle = Mutex<[Compressor]>([])

  init(level: Int32) {
    self.level = level
  }

  func zlibStream(of bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    guard let compressor = idle.withLock({ $0.popLast() }) ?? Compressor(level: level) else {
      throw ImageError(message: "out of memory")
    }
    defer { idle.withLock { $0.append(compressor) } }
    return compressor.zlibStream(of: bytes)
  }
}

/// Unchecked, since the list of the idle hands each to one task at a time, and nothing else holds one.
private final class Compressor: @unchecked Sendable {
  private let handle: OpaquePointer

  init?(level: Int32) {
    guard let handle = libdeflate_alloc_compressor(level) else { return nil }
    self.handle = handle
  }

  deinit { libdeflate_free_compressor(handle) }

  func zlibStream(of bytes: [UInt8]) -> [UInt8] {
    let bound = libdeflate_zlib_compress_bound(handle, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_zlib_compress(handle, bytes, bytes.count, buffer.baseAddress, bound)
    }
  }
}
