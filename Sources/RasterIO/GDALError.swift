internal import CGDAL

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
