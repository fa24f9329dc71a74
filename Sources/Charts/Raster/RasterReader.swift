internal import Core
internal import Foundation
internal import RasterIO

/// The properties of an open image that decide how it is tiled.
struct RasterFacts: Sendable {
  /// Its rim, as far as Web Mercator reaches, or a box around it.
  let neatline: Neatline
  /// Whether pixels may be transparent, or the outline is not the rim, so that the tiles need not fill it.
  let isPartial: Bool
  let hasPalette: Bool
  /// Metres of Web Mercator for a pixel, in the middle of the image.
  let resolution: Double
}

/// Opens an image after all checks that need no decoding.
struct RasterReader {
  let file: URL
  /// A reference system in place of the image's own: `EPSG:32610`.
  var system: String?
  /// The sample values that become black and white; nil for the least and the greatest value of the image.
  var range: ClosedRange<Double>?

  /// Rows are decoded as a whole, and a few hundred are in memory at a time.
  private static let sideLimit = 1 << 20
  private static let blockLimit = 1 << 28

  func open() throws -> sending (SheetImage, RasterFacts) {
    let dataset = try openDataset()
    try checkSize(dataset)
    let bands = try RasterBands(dataset, file, isScaled: range != nil)
    let (placing, own) = try placing(dataset)
    let system = try RasterSystem(try reference(own))
    try checkDegrees(dataset, placing, system)
    let columns = RasterColumns(dataset, placing, system)
    let reader = try RasterRows(dataset, bands, columns, file, range: range)
    var form = SheetForm()
    form.turnLength = system.turnLength
    form.turns = columns.turns
    let sheet = ChartSheet(
      width: columns.width, height: dataset.height, colors: bands.isIndexed ? bands.colors : [],
      placing: columns.placing, projection: system.reference.wkt, form: form)
    let survey = try RasterSurvey(sheet, system, isCyclic: columns.isCyclic)
    guard let (neatline, isExact) = try survey.outline(), let resolution = survey.resolution else {
      throw error(
        "no pixel of it lies on the part of the earth that Web Mercator shows, up to 85.05 degrees",
        "Check its reference system with gdalinfo, or give the right one with --crs or `crs`.")
    }
    let facts = RasterFacts(
      neatline: neatline, isPartial: bands.isPartial || !isExact, hasPalette: bands.hasPalette,
      resolution: resolution)
    let image = SheetImage(sheet, blockRows: try dataset.blockSize().height) {
      try reader.read($0, into: $1)
    }
    return (image, facts)
  }

  func error(_ problem: String, _ remedy: String, causes: [any Error] = []) -> UserError {
    .ofRaster(file, problem, remedy, causes: causes)
  }

  private func openDataset() throws -> RasterDataset {
    let start = try firstBytes()
    guard !start.isEmpty else { throw error("the file is empty", "Copy or download it again.") }
    guard !start.contains("<VRTDataset") else {
      throw error(
        "a VRT names other images, which may change or be elsewhere",
        "Write one image of it: gdal_translate \(file.lastPathComponent) image.tif")
    }
    do {
      let dataset = try RasterDataset(openingImage: file.path)
      if dataset.bandCount > 0 { return dataset }
      guard let first = dataset.subdatasets.first else {
        throw error("it has no image", "Give an image with one to four bands.")
      }
      throw error(
        "it is a container of \(Counts.of(dataset.subdatasets.count, "image"))",
        "Write one of them as a file: gdal_translate '\(first)' image.tif")
    } catch let fault as GDALError {
      throw error(
        "it is not an image that GDAL \(gdalVersion()) reads, or its beginning is damaged",
        "Give a GeoTIFF, or convert it with gdal_translate; `gdalinfo --formats` lists all formats.",
        causes: [fault])
    }
  }

  private func firstBytes() throws -> String {
    guard file.isRegularFile else {
      let problem =
        switch file.kindOnDisk {
        case .folder: "it is a folder"
        case .file: "it is a pipe, a socket or a device"
        case nil: "there is no such file"
        }
      throw error(problem, "Name an image file.")
    }
    return try explaining({ self.error("it cannot be read", "Check that you may read it.", causes: [$0]) }) {
      String(decoding: try file.firstBytes(512), as: UTF8.self)
    }
  }

  private func checkSize(_ dataset: RasterDataset) throws {
    let (width, height) = (dataset.width, dataset.height)
    guard width > 0, height > 0 else { throw error("it has no pixels", "Give another image.") }
    guard max(width, height) <= RasterReader.sideLimit else {
      throw error(
        "it has \(width) x \(height) pixels, more than \(RasterReader.sideLimit) on a side",
        "Cut it into pieces with gdal_translate -srcwin, and tile each.")
    }
    let block = try dataset.blockSize()
    guard block.width * block.height <= RasterReader.blockLimit else {
      throw error(
        "it is stored in blocks of \(block.width) x \(block.height) pixels, which do not fit into memory",
        "Store it in small blocks: gdal_translate -co TILED=YES -co COMPRESS=DEFLATE "
          + "\(file.lastPathComponent) image.tif")
    }
  }
}

extension RasterReader {
  /// The geotransform, and the text of its reference system.
  private func placing(_ dataset: RasterDataset) throws -> (GeoTransform, String) {
    let name = file.lastPathComponent
    if let placing = dataset.geoTransform {
      let area = placing.pixelWidth * placing.pixelHeight - placing.rotationX * placing.rotationY
      guard placing.six.allSatisfy(\.isFinite), area.isFinite, area != 0 else {
        throw error("its pixels have no size on the ground", "Correct its geotransform: gdal_edit.py -a_ullr")
      }
      return (placing, dataset.projectionWKT)
    }
    if let fit = dataset.controlPointPlacing { return (fit.placing, fit.wkt) }
    guard dataset.controlPointCount == 0 else {
      throw error(
        "it is tied to the earth by \(Counts.of(dataset.controlPointCount, "control point")), which no straight grid passes through",
        "Warp it first: gdalwarp -tps -r cubic -dstalpha \(name) image.tif")
    }
    throw error(
      "it is not georeferenced",
      "Put its world file beside it and give --crs or `crs`, or set its corners: gdal_translate -a_srs EPSG:4326 "
        + "-a_ullr WEST NORTH EAST SOUTH \(name) image.tif")
  }

  /// Refuses coordinates that are no longitudes and latitudes, such as metres or pixels, in a geographic system.
  private func checkDegrees(
    _ dataset: RasterDataset, _ placing: GeoTransform, _ system: RasterSystem
  ) throws {
    guard system.isGeographic, let turn = system.turnLength else { return }
    let corners = placing.corners(width: dataset.width, height: dataset.height)
    // The middles of an image's outer pixels may lie at the poles, and an image may begin at any meridian.
    let longitudes = 1.5 * turn, latitudes = turn / 4 + abs(placing.pixelHeight)
    guard let wrong = corners.first(where: { abs($0.x) > longitudes || abs($0.y) > latitudes }) else {
      return
    }
    throw error(
      "a corner of it has the coordinates \(wrong.x), \(wrong.y), "
        + "which are not a longitude and a latitude",
      "Give the right reference system with --crs EPSG:CODE, or `crs` in a definition, or correct its corners: "
        + "gdal_translate -a_ullr WEST NORTH EAST SOUTH \(file.lastPathComponent) image.tif")
  }

  private func reference(_ own: String) throws -> SpatialReference {
    if let system { return try given(system) }
    guard !own.isEmpty else {
      throw error(
        "it names no reference system", "Give it with --crs EPSG:CODE, or `crs` in a definition.")
    }
    do {
      let reference = try SpatialReference(wkt: own)
      guard reference.isProjected || reference.isGeographic else { throw UnprojectableSheet() }
      return try reference.withoutHeights()
    } catch {
      throw self.error(
        "its reference system is neither geographic nor a map projection",
        "Give the right one with --crs EPSG:CODE, or `crs` in a definition.", causes: [error])
    }
  }

  private func given(_ text: String) throws -> SpatialReference {
    guard let code = RasterReader.code(text), let reference = try? SpatialReference(epsg: code),
      reference.isProjected || reference.isGeographic, let flat = try? reference.withoutHeights()
    else {
      throw UserError(
        .badCall, operation: "reading the image", path: file.path,
        reason: "\"\(text)\" is not a geographic or projected reference system",
        suggestion: "Give the EPSG code of one, such as EPSG:4326 or EPSG:32610.")
    }
    return flat
  }

  /// `EPSG:32610`
  private static func code(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].uppercased() == "EPSG" else { return nil }
    return Int(parts[1])
  }
}

extension UserError {
  /// An error about an image to tile.
  static func ofRaster(
    _ file: URL, _ problem: String, _ remedy: String, causes: [any Error] = []
  ) -> UserError {
    UserError(
      .badInput, operation: "reading the image", path: file.path, reason: problem, suggestion: remedy,
      causes: causes)
  }
}

/// An image's reference system, in the form in which it is compared with WGS84.
struct RasterSystem {
  let reference: SpatialReference
  /// The length of a turn around the earth, if x is proportional to the longitude.
  let turnLength: Double?
  let isGeographic: Bool

  /// Datums on the ellipsoids of NAD83 (GRS80) and WGS84 count as WGS84, as they do for charts. From any other datum PROJ shifts.
  init(_ reference: SpatialReference) throws {
    let mercator = try SpatialReference(epsg: 3857)
    let (axis, flattening) = reference.ellipsoid
    let isOnWGS84 =
      abs(axis - 6_378_137) < 0.001 && abs(flattening - 298.257) < 0.001 && reference.isOfGreenwich
    isGeographic = reference.isGeographic
    if reference.isSame(as: mercator) {
      (self.reference, turnLength) = (mercator, 2 * WebMercator.halfWorld)
    } else if isGeographic {
      self.reference = isOnWGS84 ? try SpatialReference(epsg: 4326) : reference
      turnLength = reference.turnLength
    } else {
      self.reference = isOnWGS84 ? try reference.onWGS84() : reference
      turnLength = nil
    }
  }
}
