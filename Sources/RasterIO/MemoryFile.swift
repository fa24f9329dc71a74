internal import CGDAL

/// Bytes that GDAL can open by a path, without a file on disk. Workers open the path; the owner frees it.
public final class MemoryFile: Sendable {
  public let path: String

  /// Copies the bytes under a path that no other in this process has.
  public convenience init(_ bytes: [UInt8], extension fileExtension: String) throws {
    try self.init(byteCount: bytes.count, extension: fileExtension) { $0.copyBytes(from: bytes) }
  }

  /// A file of so many bytes, which the closure writes in their place; they are never copied.
  public init(
    byteCount: Int, extension fileExtension: String, fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    GDAL.begin()
    path = "/vsimem/chartpipe-\(uniqueNumber()).\(fileExtension)"
    guard let memory = VSIMalloc(max(1, byteCount)) else {
      throw GDALError(doing: "making \(path)", message: "out of memory")
    }
    do {
      try fill(UnsafeMutableRawBufferPointer(start: memory, count: byteCount))
    } catch {
      VSIFree(memory)
      throw error
    }
    let bytes = memory.assumingMemoryBound(to: GByte.self)
    // GDAL frees the memory with the file.
    guard let file = VSIFileFromMemBuffer(path, bytes, vsi_l_offset(byteCount), 1) else {
      VSIFree(memory)
      throw GDAL.lastError("making \(path)")
    }
    VSIFCloseL(file)
  }

  deinit { VSIUnlink(path) }
}
