internal import CGDAL

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Bytes that GDAL can open by a path, without a file on disk. Workers open the path; the owner frees it.
public final class MemoryFile: Sendable {
  public let path: String

  /// Copies the bytes under a path that no other in this process has.
  public init(_ bytes: [UInt8], extension fileExtension: String) throws(GDALError) {
    GDAL.begin()
    path = "/vsimem/chartpipe-\(uniqueNumber()).\(fileExtension)"
    let file = try GDAL.check(VSIFOpenL(path, "wb"), "making \(path)")
    let written = bytes.withUnsafeBytes { VSIFWriteL($0.baseAddress, 1, $0.count, file) }
    VSIFCloseL(file)
    guard written == bytes.count else {
      VSIUnlink(path)
      throw GDALError(doing: "filling \(path)", message: "out of memory")
    }
  }

  deinit { VSIUnlink(path) }
}
