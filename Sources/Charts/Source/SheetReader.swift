internal import Core
internal import RasterIO

/// Opens a chart's image after all checks that need no decoding.
struct SheetReader {
  let files: ChartFiles
  let page: ChartPage
  /// The projection in the definition: two standard parallels, and the longitude and latitude of the origin.
  var expected: [Double]?

  /// The largest sheets have 17,000 pixels on a side and 205 million in all. A larger image would only exhaust the memory.
  private static let sideLimit = 40_000
  private static let pixelLimit = 800_000_000
  /// The cosine of the angle at which columns and rows meet, and how much longer one side of a pixel may be than the other.
  private static let slant = 0.002
  private static let stretch = 1.05
  /// A strip or tile is decoded as a whole. The FAA's are a few rows; some programs write the whole image as one strip.
  private static let blockLimit = 1 << 28

  func open() throws -> sending SheetImage {
    let image = try explaining({
      error("this is not a GeoTIFF, or its beginning is damaged", causes: [$0])
    }) { () throws(GDALError) in
      try RasterDataset(opening: files.tif.path, drivers: ["GTiff"])
    }
    try checkSize(image)
    let placing = try checkedPlacing(image)
    let projection = try checkedProjection(image)
    let sheet = try SheetProjection(
      projection: projection, placing: placing, width: image.width, height: image.height)
    let placement = try PlacementCheck(files: files, page: page, placing: placing, sheet: sheet).evidence()
    guard try (1...image.bandCount).allSatisfy({ try image.isWhole(band: $0) }) else {
      throw error("parts of the image are missing")
    }
    let colors = try checkedColors(image)
    let chart = ChartSheet(
      width: image.width, height: image.height, colors: colors.colors, placing: placing,
      projection: try projection.onWGS84().wkt)
    let rows = SheetImage(chart, blockRows: try image.blockSize().height, placement: placement) {
      [files] rows, buffer in
      try explaining({ files.userError(files.tifName, "the image is damaged or cut short", causes: [$0]) }) {
        try colors.read(rows, into: buffer)
      }
    }
    // A row of tiles crosses nearly all rows of a leaning sheet, and colours take long to decode.
    return colors.isChosen || placing.isLeaning ? try rows.held(hasChosenColors: colors.isChosen) : rows
  }

  private func error(_ problem: String, remedy: String? = nil, causes: [any Error] = []) -> UserError {
    files.userError(files.tifName, problem, remedy: remedy, causes: causes)
  }

  private func checkSize(_ image: RasterDataset) throws {
    guard max(image.width, image.height) <= SheetReader.sideLimit,
      image.width * image.height <= SheetReader.pixelLimit
    else {
      throw error("\(image.width) x \(image.height) pixels are more than any chart has")
    }
    guard [1, 3, 4].contains(image.bandCount) else { throw otherKind(image) }
    let block = try image.blockSize()
    guard block.width <= SheetReader.sideLimit, block.height <= SheetReader.sideLimit,
      block.width * block.height * image.bandCount <= SheetReader.blockLimit
    else {
      throw error(
        "the image is stored in blocks of \(block.width) x \(block.height) pixels, which is too large")
    }
  }

  private func checkedColors(_ image: RasterDataset) throws -> SheetColors {
    let colors: SheetColors?
    do {
      colors = try SheetColors(image)
    } catch let cause as GDALError {
      throw error("the image is damaged or cut short", causes: [cause])
    }
    guard let colors else { throw otherKind(image) }
    return colors
  }

  private func otherKind(_ image: RasterDataset) -> UserError {
    error(
      "this is not an 8-bit image with a palette, or of red, green and blue (\(Counts.of(image.bandCount, "band")))",
      remedy: "Give the FAA's own chart: converted copies may be of another kind.")
  }

  private func checkedPlacing(_ image: RasterDataset) throws -> GeoTransform {
    let remedy = "Give the FAA's GeoTIFF; the printable PDF and planning graphics have no georeference."
    guard let placing = image.geoTransform ?? image.controlPointPlacing?.placing else {
      throw error("the image is not georeferenced", remedy: remedy)
    }
    let area = placing.determinant
    guard area.isFinite, area != 0, placing.originX.isFinite, placing.originY.isFinite else {
      throw error("its pixels have no size on the ground", remedy: remedy)
    }
    // A sheet may be printed at any angle, but its pixels are nearly squares. A wrong sign of one of the rotation's two terms
    // makes them rhombs.
    let (across, down) = placing.pixelSize
    let slant = placing.pixelWidth * placing.rotationX + placing.rotationY * placing.pixelHeight
    let isSquare =
      abs(slant) <= SheetReader.slant * across * down
      && max(across, down) <= SheetReader.stretch * min(across, down)
    guard area < 0, isSquare else {
      throw error(
        area > 0
          ? "the image is mirrored: its columns and rows are exchanged, or north and south are"
          : "its pixels are no squares: its columns and rows do not meet at a right angle",
        remedy: "Use the FAA's original GeoTIFF, not a converted copy.")
    }
    return placing
  }

  private func checkedProjection(_ image: RasterDataset) throws -> SpatialReference {
    let remedy = "Use the FAA's original GeoTIFF, not a converted copy."
    let wkt = image.projectionWKT.isEmpty ? image.controlPointPlacing?.wkt ?? "" : image.projectionWKT
    guard !wkt.isEmpty else {
      throw error("the image names no projection", remedy: remedy)
    }
    let projection = try SpatialReference(wkt: wkt)
    guard projection.isProjected else {
      throw error("the image is not in a map projection", remedy: remedy)
    }
    // The ellipsoids of NAD83 (GRS80) and WGS84 differ by a tenth of a millimetre.
    let (axis, flattening) = projection.ellipsoid
    guard abs(axis - 6_378_137) < 0.001, abs(flattening - 298.257) < 0.001 else {
      throw error("the image's datum is neither NAD83 nor WGS84", remedy: remedy)
    }
    try checkExpected(projection)
    return projection
  }

  /// Degrees by which two numbers of one projection may differ.
  private static let sameAngle = 1e-6

  private func checkExpected(_ projection: SpatialReference) throws {
    guard let expected else { return }
    func sorted(_ numbers: [Double]) -> [Double] { numbers.prefix(2).sorted() + numbers.dropFirst(2) }
    let own = projection.lambertConformal.map { $0.standardParallels + [$0.longitude, $0.latitude] }
    guard let own, zip(sorted(own), sorted(expected)).allSatisfy({ abs($0 - $1) <= SheetReader.sameAngle })
    else {
      throw error(
        "its projection is \(own.map { "\($0)" } ?? "another one"), not the \(expected) of the definition",
        remedy: "\(ChartFiles.downloadAgain) If the FAA changed it, correct `projection` in the definition.")
    }
  }
}
