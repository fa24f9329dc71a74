internal import CGDAL

/// The first layer of a vector file. Its features are read one by one by number.
public final class FeatureLayer {
  public struct Feature {
    /// The values of its fields as text, by names in capitals. Unset fields are missing.
    public let values: [String: String]
    /// Polygons as an outer ring and its holes. Empty if the feature is not an area.
    public let polygons: [[PlaneArea.Ring]]
  }

  /// The names of the fields, in capitals.
  public let fields: [String]
  /// The number of features according to the file, which may be wrong.
  public let count: Int
  /// Whether positions are degrees.
  public let isGeographic: Bool
  private let dataset: GDALDatasetH
  private let layer: OGRLayerH

  /// Only the named driver may open the file: some of GDAL's formats are text that opens other files.
  public init(opening path: String, driver: String) throws(GDALError) {
    GDAL.begin()
    let opened = withDriverList([driver]) { chartpipe_open_vector(path, $0) }
    let dataset = try GDAL.check(opened, "opening \(path)")
    guard let layer = GDALDatasetGetLayer(dataset, 0), let definition = OGR_L_GetLayerDefn(layer) else {
      GDALClose(dataset)
      throw GDALError(doing: "opening \(path)", message: "it has no layer")
    }
    (self.dataset, self.layer) = (dataset, layer)
    fields = (0..<OGR_FD_GetFieldCount(definition)).map { index in
      OGR_FD_GetFieldDefn(definition, index).flatMap { OGR_Fld_GetNameRef($0) }
        .map { String(cString: $0).uppercased() } ?? ""
    }
    count = Int(OGR_L_GetFeatureCount(layer, 0))
    isGeographic = OGR_L_GetSpatialRef(layer).map { OSRIsGeographic($0) != 0 } ?? false
  }

  deinit { GDALClose(dataset) }

  /// Reads a feature, counted from 0.
  public func feature(_ number: Int) throws(GDALError) -> Feature {
    GDAL.begin()
    let feature = try GDAL.check(
      OGR_L_GetFeature(layer, GIntBig(number)), "reading feature \(number)")
    defer { OGR_F_Destroy(feature) }
    // An unreadable shape is an error that leaves the feature without a shape.
    guard CPLGetLastErrorType() != CE_Failure else { throw GDAL.lastError("reading feature \(number)") }
    var values: [String: String] = [:]
    for (index, name) in fields.enumerated() where OGR_F_IsFieldSetAndNotNull(feature, Int32(index)) != 0 {
      values[name] = OGR_F_GetFieldAsString(feature, Int32(index)).map { String(cString: $0) }
    }
    let polygons = OGR_F_GetGeometryRef(feature).map { PlaneArea.polygons(in: $0) } ?? []
    return Feature(values: values, polygons: polygons)
  }
}

@available(*, unavailable)
extension FeatureLayer: Sendable {}
