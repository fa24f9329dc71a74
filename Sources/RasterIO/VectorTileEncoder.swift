internal import CGDAL

/// Encodes features as Mapbox Vector Tiles (MVT 2.1) with GDAL's MVT driver, in memory. One thread uses it.
///
/// The driver's limits of a tile's bytes and features, beyond which it drops features, are set out of reach. Features of a layer are in the
/// order in which they are added. The tiles are not compressed.
public final class VectorTileEncoder {
  /// A property of a layer's features.
  public struct Field: Sendable {
    public enum Kind: Sendable {
      case text
      case integer
      case real
      case flag
    }

    public let name: String
    public let kind: Kind

    public init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
  }

  public enum Value: Sendable {
    case text(String)
    case integer(Int)
    case real(Double)
  }

  public struct Position: Hashable, Sendable {
    public let zoom: Int
    public let column: Int
    /// Counted from the north.
    public let row: Int

    public init(zoom: Int, column: Int, row: Int) { (self.zoom, self.column, self.row) = (zoom, column, row) }
  }

  /// The units of a tile's side.
  public static let extent = 4096
  /// The units by which shapes reach beyond the edges of a tile, so that lines and symbols are not cut there.
  public static let buffer = 80

  private let zooms: ClosedRange<Int>
  private let folder: String
  /// Nil after the end.
  private var dataset: GDALDatasetH?
  private var layers: [OGRLayerH] = []

  /// - Parameters:
  ///   - tolerance: by how many units lines are simplified at the zooms above the deepest.
  ///   - deepestTolerance: the same at the deepest zoom.
  public init(
    zooms: ClosedRange<Int>, tolerance: Double, deepestTolerance: Double
  ) throws(GDALError) {
    GDAL.begin()
    self.zooms = zooms
    folder = "/vsimem/chartpipe-tiles-\(uniqueNumber())"
    let options = [
      "FORMAT=DIRECTORY", "COMPRESS=NO", "MINZOOM=\(zooms.lowerBound)", "MAXZOOM=\(zooms.upperBound)",
      "SIMPLIFICATION=\(tolerance)", "SIMPLIFICATION_MAX_ZOOM=\(deepestTolerance)",
      "EXTENT=\(VectorTileEncoder.extent)", "BUFFER=\(VectorTileEncoder.buffer)",
      "MAX_SIZE=\(Int32.max)", "MAX_FEATURES=\(Int32.max)",
    ]
    let driver = try GDAL.check(GDALGetDriverByName("MVT"), "finding GDAL's MVT driver")
    // The driver's own threads would store features with equal numbers in any order.
    let threads = "GDAL_NUM_THREADS"
    CPLSetThreadLocalConfigOption(threads, "1")
    defer { CPLSetThreadLocalConfigOption(threads, nil) }
    let created = withStringList(options) { GDALCreate(driver, folder, 0, 0, 0, GDT_Unknown, $0) }
    dataset = try GDAL.check(created, "starting vector tiles")
  }

  deinit {
    if let dataset { GDALClose(dataset) }
    VSIRmdirRecursive(folder)
  }

  /// Adds a group of features that are in the tiles from a zoom on, and returns its number. Several groups may have the name of one layer.
  public func addLayer(_ name: String, from zoom: Int, _ fields: [Field]) throws(GDALError) -> Int {
    GDAL.begin()
    let doing = "starting the layer \(name)"
    let options = ["NAME=\(name)", "MINZOOM=\(max(zoom, zooms.lowerBound))", "MAXZOOM=\(zooms.upperBound)"]
    let created = withStringList(options) {
      GDALDatasetCreateLayer(dataset, "\(name)-\(layers.count)", nil, wkbUnknown, $0)
    }
    let layer = try GDAL.check(created, doing)
    for field in fields {
      let definition = try GDAL.check(OGR_Fld_Create(field.name, field.kind.type), doing)
      defer { OGR_Fld_Destroy(definition) }
      if field.kind == .flag { OGR_Fld_SetSubType(definition, OFSTBoolean) }
      guard OGR_L_CreateField(layer, definition, 0) == OGRERR_NONE else { throw GDAL.lastError(doing) }
    }
    layers.append(layer)
    return layers.count - 1
  }

  /// - Parameter values: in the order of the layer's fields.
  public func add(
    _ shape: PlaneShape, id: Int, _ values: [Value?], to group: Int
  ) throws(GDALError) {
    GDAL.begin()
    let doing = "adding a feature"
    let feature = try GDAL.check(OGR_F_Create(OGR_L_GetLayerDefn(layers[group])), doing)
    defer { OGR_F_Destroy(feature) }
    OGR_F_SetFID(feature, GIntBig(id))
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): OGR_F_SetFieldString(feature, Int32(index), text)
      case .integer(let number): OGR_F_SetFieldInteger64(feature, Int32(index), GIntBig(number))
      case .real(let number): OGR_F_SetFieldDouble(feature, Int32(index), number)
      case nil: break
      }
    }
    guard OGR_F_SetGeometry(feature, shape.handle) == OGRERR_NONE,
      OGR_L_CreateFeature(layers[group], feature) == OGRERR_NONE
    else { throw GDAL.lastError(doing) }
  }

  /// Ends the encoding and returns the tiles that exist among the positions.
  public func finish(
    _ positions: some Sequence<Position>
  ) throws(GDALError) -> [(position: Position, bytes: [UInt8])] {
    GDAL.begin()
    GDALClose(dataset)
    dataset = nil
    guard CPLGetLastErrorType() != CE_Failure else { throw GDAL.lastError("encoding vector tiles") }
    var tiles: [(Position, [UInt8])] = []
    for position in positions {
      guard let bytes = file("\(position.zoom)/\(position.column)/\(position.row).pbf") else { continue }
      tiles.append((position, bytes))
    }
    return tiles
  }

  private func file(_ name: String) -> [UInt8]? {
    var count: vsi_l_offset = 0
    guard let bytes = VSIGetMemFileBuffer("\(folder)/\(name)", &count, 0) else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}

@available(*, unavailable)
extension VectorTileEncoder: Sendable {}

extension VectorTileEncoder.Field.Kind {
  fileprivate var type: OGRFieldType {
    switch self {
    case .text: OFTString
    case .integer: OFTInteger64
    case .real: OFTReal
    case .flag: OFTInteger
    }
  }
}
