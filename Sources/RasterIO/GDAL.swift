internal import CGDAL
internal import CProj
internal import Synchronization

/// The message of a failed GDAL call.
public struct GDALError: Error, Equatable, CustomStringConvertible {
  public let doing: String
  public let message: String

  public var description: String { "\(doing): \(message)" }
}

/// The only place that reads GDAL's error state. The state is per thread, so a call must not suspend in between.
enum GDAL {
  /// Registers the drivers and silences printing, once in a process.
  private static let ready: Bool = {
    chartpipe_silence_errors()
    // No `.aux.xml` file is written, or read except beside an image (`RasterDataset.init(openingImage:)`).
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO")
    // No other files beside a chart's sheet are read: overviews, masks, world files.
    CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")
    // A sheet is read once from north to south, so a large block cache would waste memory.
    GDALSetCacheMax64(RasterCache.usual)
    // A JPEG that is cut short is an error, not a picture with a grey part.
    CPLSetConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", "YES")
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

/// GDAL's memory of decoded blocks.
public enum RasterCache {
  fileprivate static let usual: Int64 = 8 << 20

  /// Keeps more blocks while `body` reads the same rows of an image several times.
  public static func enlarged<Value>(_ body: () throws -> Value) rethrows -> Value {
    GDALSetCacheMax64(6 * usual)
    defer { GDALSetCacheMax64(usual) }
    return try body()
  }
}

/// The version of the linked GDAL, since it can change the bytes of a tile.
public func gdalVersion() -> String {
  GDAL.begin()
  return GDALVersionInfo("RELEASE_NAME").map { String(cString: $0) } ?? "unknown"
}

/// The libraries behind GDAL that can change pixels, shapes or positions.
public enum RasterLibraries {
  /// Versions by library name.
  public static var versions: [String: String] {
    let own = ["gdal": gdalVersion(), "geos": geosVersion(), "proj": projVersion(), "proj.db": projDatabase]
    return own.merging(readers) { own, _ in own }
  }

  /// The libraries with which GDAL reads a GeoTIFF, from its driver's metadata.
  private static var readers: [String: String] {
    GDAL.begin()
    let driver = GDALGetDriverByName("GTiff")
    let items = ["libtiff": "LIBTIFF", "libgeotiff": "LIBGEOTIFF"]
    let versions: [String: String] = items.compactMapValues { item in
      GDALGetMetadataItem(driver, item, nil).map { String(cString: $0) }
    }
    // "LIBTIFF, Version 4.5.0", followed by copyright lines.
    return versions.mapValues { String($0.prefix { !$0.isNewline }).replacing("LIBTIFF, Version ", with: "") }
  }

  /// The version of PROJ's database of ellipsoids and projection codes, which can be replaced separately.
  private static let projDatabase: String = {
    let context = proj_context_create()
    defer { proj_context_destroy(context) }
    proj_log_level(context, PJ_LOG_NONE)  // it would print what is missing
    let keys = ["PROJ.VERSION", "EPSG.VERSION"]
    let versions: [String] = keys.compactMap { key in
      proj_context_get_database_metadata(context, key).map { String(cString: $0) }
    }
    return versions.isEmpty ? "none" : versions.joined(separator: ", EPSG ")
  }()
}

/// Bytes that GDAL can open by a path, without a file on disk. Workers open the path; the owner frees it.
public final class MemoryFile: Sendable {
  public let path: String

  /// Copies the bytes to a path that is unique in this process.
  public convenience init(_ bytes: [UInt8], extension fileExtension: String) throws {
    try self.init(byteCount: bytes.count, extension: fileExtension) { $0.copyBytes(from: bytes) }
  }

  /// Creates a file of a fixed size, which the closure fills in place, without a copy.
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

/// A number that is unique in this process. The names of memory files end with it.
func uniqueNumber() -> Int { counter.add(1, ordering: .relaxed).newValue }
