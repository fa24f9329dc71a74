internal import CDeflate

/// Gzip in memory with libdeflate. The output depends on the bytes and the version of libdeflate only: it contains no time and no name.
public enum Gzip {
  /// Higher levels take many times as long and save one percent.
  private static let level: Int32 = 9

  /// Versions of libdeflate search inputs of less than 512 bytes in different ways, except at the first level, and differ in codes that have
  /// one distance at most, as very small inputs can. Those are stored as they are.
  private static func level(_ count: Int) -> Int32 { count < 200 ? 0 : count < 512 ? 1 : level }

  /// The version of libdeflate, which can change the output of `compress`.
  public static var libraryVersion: String { LIBDEFLATE_VERSION_STRING }

  /// Whether bytes begin like gzip data.
  public static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

  public static func compress(_ bytes: [UInt8]) throws(GzipError) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(level(bytes.count)) else { throw .outOfMemory }
    defer { libdeflate_free_compressor(compressor) }
    let room = libdeflate_gzip_compress_bound(compressor, bytes.count)
    let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = libdeflate_gzip_compress(compressor, bytes, bytes.count, buffer.baseAddress, room)
    }
    guard !packed.isEmpty else { throw .outOfMemory }
    return packed
  }

  /// For a database of 130 MB this level takes a sixth of the time of level 9 and makes 1.5 % more bytes.
  private static let levelOfFiles: Int32 = 6

  /// Compresses a large file that is mapped into memory, as one gzip member.
  ///
  /// - Parameter limit: The maximum number of bytes of the result.
  /// - Returns: Nil when the result would be larger.
  public static func compress(_ file: UnsafeRawBufferPointer, limit: Int) throws(GzipError) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(levelOfFiles) else { throw .outOfMemory }
    defer { libdeflate_free_compressor(compressor) }
    let packed = [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, count in
      count = libdeflate_gzip_compress(compressor, file.baseAddress, file.count, buffer.baseAddress, limit)
    }
    return packed.isEmpty ? nil : packed
  }

  /// - Parameter limit: The maximum number of bytes of the result, since a small file can declare a huge size.
  public static func decompress(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    let size = try declaredSize(bytes)
    guard size <= limit else { throw .tooLarge }
    guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
    defer { libdeflate_free_decompressor(decompressor) }
    var result = LIBDEFLATE_BAD_DATA
    let unpacked = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, count in
      result = libdeflate_gzip_decompress(decompressor, bytes, bytes.count, buffer.baseAddress, size, nil)
      count = result == LIBDEFLATE_SUCCESS ? size : 0
    }
    guard result == LIBDEFLATE_SUCCESS else { throw .damaged }
    return unpacked
  }

  /// Decompresses the zlib stream at the start of some bytes, whose size is not known; nil if there is none.
  ///
  /// - Parameter limit: The maximum number of bytes of the result.
  public static func zlibStream(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    var room = min(limit, max(1 << 16, 8 * bytes.count))
    while true {
      var (used, result) = (0, LIBDEFLATE_BAD_DATA)
      let unpacked = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        bytes.withUnsafeBytes {
          result = libdeflate_zlib_decompress_ex(
            decompressor, $0.baseAddress, $0.count, buffer.baseAddress, room, &used, &count)
        }
        if result != LIBDEFLATE_SUCCESS { count = 0 }
      }
      if result == LIBDEFLATE_SUCCESS { return unpacked }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE, room < limit else { return nil }
      room = min(limit, 4 * room)
    }
  }

  /// The size in the last four bytes, which libdeflate verifies.
  private static func declaredSize(_ bytes: [UInt8]) throws(GzipError) -> Int {
    // The header and the trailer have 18 bytes.
    guard bytes.count >= 18 else { throw .damaged }
    let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    // No deflate stream compresses better.
    guard size / 1040 <= bytes.count else { throw .damaged }
    return size
  }
}

public enum GzipError: Error, Equatable, CustomStringConvertible {
  case damaged
  case tooLarge
  case outOfMemory

  public var description: String {
    switch self {
    case .damaged: "its gzip data is damaged"
    case .tooLarge: "its gzip data holds more than is sensible"
    case .outOfMemory: "out of memory"
    }
  }
}
