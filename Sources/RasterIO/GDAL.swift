internal import CGDAL
internal import CProj
internal import Synchronization

/// What GDAL said when a call failed.
public struct GDALError: Error, Equatable, CustomStringConvertible {
  public let doing: String
  public let message: String

  public var description: String { "\(doing): \(message)" }
}

/// The one place where GDAL's error state is read. It is per thread, so no call may suspend in between.
enum GDAL {
  /// Registers the drivers and silences printing, once in a process.
  private static let ready: Bool = {
    chartpipe_silence_errors()
    // No `.aux.xml` is ever left beside a file, and none that lies there changes what we read.
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO")
    // Nor does anything else that lies beside a file: overviews, masks, world files.
    CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
    // A sheet is read once from end to end, so a large cache of its blocks would only be memory lost.
    GDALSetCacheMax64(8 << 20)
    GDALAllRegister()
    return true
  }()

  static func begin() {
    precondition(ready)
    CPLErrorReset()
  }

  static func lastError(_ doing: String) -> GDALError {
    let message = CPLGetLastErrorMsg().map { String(cString: $0) } ?? ""
    return GDALError(doing: doing, message: message.isEmpty ? "GDAL gave no reason" : message)
  }

  static func check(_ code: CPLErr, _ doing: String) throws(GDALError) {
    guard code == CE_None || code == CE_Debug || code == CE_Warning else { throw lastError(doing) }
  }

  static func check<Handle>(_ handle: Handle?, _ doing: String) throws(GDALError) -> Handle {
    guard let handle else { throw lastError(doing) }
    return handle
  }
}

/// The version of GDAL that is linked, since it can change the bytes of a tile.
public func gdalVersion() -> String {
  GDAL.begin()
  return GDALVersionInfo("RELEASE_NAME").map { String(cString: $0) } ?? "unknown"
}

/// What stands behind GDAL, and can change what is read of a sheet or a shape, and where it lies.
public enum RasterLibraries {
  /// By their names.
  public static var versions: [String: String] {
    let own = ["gdal": gdalVersion(), "geos": geosVersion(), "proj": projVersion(), "proj.db": projDatabase]
    return own.merging(readers) { own, _ in own }
  }

  /// The libraries that GDAL reads a GeoTIFF with, as its driver tells of them.
  private static var readers: [String: String] {
    GDAL.begin()
    let driver = GDALGetDriverByName("GTiff")
    let items = ["libtiff": "LIBTIFF", "libgeotiff": "LIBGEOTIFF"]
    let told: [String: String] = items.compactMapValues { item in
      GDALGetMetadataItem(driver, item, nil).map { String(cString: $0) }
    }
    // "LIBTIFF, Version 4.5.0", and a line for each holder of its copyright.
    return told.mapValues { String($0.prefix { !$0.isNewline }).replacing("LIBTIFF, Version ", with: "") }
  }

  /// The ellipsoids and the codes of projections come from a file, which can be replaced alone.
  private static let projDatabase: String = {
    let context = proj_context_create()
    defer { proj_context_destroy(context) }
    proj_log_level(context, PJ_LOG_NONE)  // it would print what is missing
    let keys = ["PROJ.VERSION", "EPSG.VERSION"]
    let told: [String] = keys.compactMap { key in
      proj_context_get_database_metadata(context, key).map { String(cString: $0) }
    }
    return told.isEmpty ? "none" : told.joined(separator: ", EPSG ")
  }()
}

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

private let counter = Atomic<Int>(0)

/// A number that no earlier call in this process had; names of memory files end in it.
func uniqueNumber() -> Int { counter.add(1, ordering: .relaxed).newValue }
