internal import CGDAL
internal import CProj

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
