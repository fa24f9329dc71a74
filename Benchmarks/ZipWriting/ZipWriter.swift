public import ArchiveIO
internal import CZip
internal import Foundation

/// Writes an archive whose bytes depend on its members only: fixed times, fixed order, one compressor.
public struct ZipWriter {
  public var members: [(name: String, bytes: [UInt8])] = []

  public init() {}

  public func write(to path: String) throws(ZipError) {
    var code: Int32 = 0
    guard let handle = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw .library(String(cString: zip_error_strerror(&error)))
    }
    do {
      for member in members { try add(member.name, member.bytes, to: handle) }
    } catch {
      zip_discard(handle)
      throw error
    }
    guard zip_close(handle) == 0 else {
      let error = ZipError.library(String(cString: zip_strerror(handle)))
      zip_discard(handle)
      throw error
    }
  }

  private func add(_ name: String, _ bytes: [UInt8], to handle: OpaquePointer) throws(ZipError) {
    // libzip frees the copy (the last argument) after it closes the archive.
    guard let copy = malloc(max(1, bytes.count)) else { throw .library("out of memory") }
    bytes.withUnsafeBytes {
      if let start = $0.baseAddress { copy.copyMemory(from: start, byteCount: $0.count) }
    }
    guard let source = zip_source_buffer(handle, copy, UInt64(bytes.count), 1) else {
      free(copy)
      throw .library(String(cString: zip_strerror(handle)))
    }
    let index = zip_file_add(handle, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      zip_source_free(source)
      throw .library(String(cString: zip_strerror(handle)))
    }
    // 1980-01-01 00:00, the earliest time that a zip can hold.
    zip_file_set_dostime(handle, UInt64(index), 0, 0x21, 0)
    zip_set_file_compression(handle, UInt64(index), ZIP_CM_DEFLATE, 9)
  }
}
