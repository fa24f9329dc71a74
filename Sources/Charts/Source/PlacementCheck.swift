internal import Core
internal import RasterIO

/// Compares the georeference of a chart's image with the files beside it: the bounds, projection and sizes of the `.htm`, and
/// the `.tfw`. Each file can be wrong alone, so each is compared separately.
struct PlacementCheck {
  let files: ChartFiles
  let page: ChartPage
  let placing: GeoTransform
  let sheet: SheetProjection

  /// In pixels of the sheet. The FAA's pages and world files match the raster to a hundredth of a pixel.
  static let limit = 1.5
  /// Points along each side of the image. Between two points a side bows by less than a hundredth of a pixel.
  private static let rimSteps = 256

  /// One comparison: its evidence, and the problem to report if the two disagree.
  private struct Comparison {
    let evidence: Product.Placement
    var problem: String?
    /// Feet or a false origin, if that explains the problem.
    var cause: String?
  }

  /// Returns the evidence. Throws one error that lists all disagreements.
  func evidence() throws -> [Product.Placement] {
    let comparisons = [try bounds(), projection(), size(), try worldFile()]
    let problems = comparisons.compactMap(\.problem)
    guard problems.isEmpty else {
      let causes = comparisons.compactMap(\.cause)
      throw files.userError(
        files.tifName, (problems + causes.prefix(1)).joined(separator: "; "),
        remedy: causes.isEmpty
          ? "One of the files is damaged or belongs to another chart or edition. \(ChartFiles.downloadAgain)"
          : "Use the FAA's original files, which are in metres and have no false origin.")
    }
    return comparisons.map(\.evidence)
  }

  private func compared(
    _ source: Product.Placement.Source, _ pixels: Double, cause: @autoclosure () -> String? = nil,
    _ problem: @autoclosure () -> String
  ) -> Comparison {
    // A distance that is NaN is also a disagreement.
    let agrees = pixels <= PlacementCheck.limit
    return Comparison(
      evidence: .init(source: source, outcome: .agrees, pixels: pixels.hundredths),
      problem: agrees ? nil : problem(), cause: agrees ? nil : cause())
  }

  private func missing(_ source: Product.Placement.Source) -> Comparison {
    Comparison(evidence: .init(source: source, outcome: .missing))
  }

  /// `20 pixels (847 m)`
  private func distance(_ pixels: Double) -> String {
    let metres = pixels * placing.pixelSize.across
    guard metres.isFinite, metres < 1e9 else { return "an unknown distance" }
    return "\(pixels.hundredths) pixels (\(Counts.grouped(Int(metres.rounded()))) m)"
  }
}

extension PlacementCheck {
  /// Compares the bounds. The page states the extent of the whole image with its collar. The sides bow, so the corners are not
  /// enough.
  private func bounds() throws -> Comparison {
    guard let stated = page.extent else { return missing(.htmBounds) }
    let rim = try rimPlaces()
    let longitudes = rim.map(\.place.longitude)
    // A sheet across 180 degrees correctly states the bounds of the whole earth, which cannot be compared.
    let isWholeEarth = stated.west < -179.9 && stated.east > 179.9
    let ignored = isWholeEarth && longitudes.contains { abs($0) > 180 }
    let sides: [(name: String, bound: Double, KeyPath<GeoPoint, Double>, sign: Double)] = [
      ("western", stated.west, \.longitude, -1), ("southern", stated.south, \.latitude, -1),
      ("eastern", stated.east, \.longitude, 1), ("northern", stated.north, \.latitude, 1),
    ]
    let differences = sides.map { name, bound, axis, sign -> (name: String, pixels: Double) in
      if ignored, axis == \.longitude { return (name, 0) }
      let outermost = rim.max { sign * $0.place[keyPath: axis] < sign * $1.place[keyPath: axis] }
      return (name, abs(difference(outermost, to: bound, axis)))
    }
    guard let worst = differences.max(by: { $0.pixels < $1.pixels }) else { return missing(.htmBounds) }
    return compared(
      .htmBounds, worst.pixels,
      "the \(worst.name) bound in \"\(files.htmName)\" is \(distance(worst.pixels)) away from that of the image"
    )
  }

  private func rimPlaces() throws -> [(pixel: PixelPoint, place: GeoPoint)] {
    let (width, height) = (Double(sheet.width), Double(sheet.height))
    let pixels = (0...PlacementCheck.rimSteps).flatMap { step in
      let share = Double(step) / Double(PlacementCheck.rimSteps)
      return [
        PixelPoint(column: share * width, row: 0), PixelPoint(column: share * width, row: height),
        PixelPoint(column: 0, row: share * height), PixelPoint(column: width, row: share * height),
      ]
    }
    let places = pixels.compactMap { pixel in sheet.place(of: pixel).map { (pixel: pixel, place: $0) } }
    guard places.count == pixels.count else {
      throw files.userError(files.tifName, "\(UnprojectableSheet())", causes: [UnprojectableSheet()])
    }
    return places
  }

  /// In pixels, by the degrees that one pixel spans there. Longitudes may differ by full turns.
  private func difference(
    _ rim: (pixel: PixelPoint, place: GeoPoint)?, to stated: Double, _ axis: KeyPath<GeoPoint, Double>
  ) -> Double {
    guard let rim else { return .nan }
    let (pixel, own) = (rim.pixel, rim.place[keyPath: axis])
    let across = PixelPoint(column: pixel.column + (pixel.column > 0 ? -1 : 1), row: pixel.row)
    let down = PixelPoint(column: pixel.column, row: pixel.row + (pixel.row > 0 ? -1 : 1))
    guard let beside = sheet.place(of: across), let below = sheet.place(of: down) else { return .nan }
    let (x, y) = (beside[keyPath: axis] - own, below[keyPath: axis] - own)
    return (own - stated).remainder(dividingBy: 360) / (x * x + y * y).squareRoot()
  }
}

extension PlacementCheck {
  /// Projects points of the image with the page's parameters, by formulas that share no code with PROJ.
  private func projection() -> Comparison {
    guard let stated = page.projection else { return missing(.htmProjection) }
    let cone = LambertConformal(
      standardParallels: (stated.standardParallels[0], stated.standardParallels[1]), origin: stated.origin)
    let points = probes.map { pixel -> StatedPoint in
      guard let place = sheet.place(of: pixel) else { return (pixel, .nan, .nan) }
      let (x, y) = cone.project(place)
      return (pixel, x + stated.falseEasting, y + stated.falseNorthing)
    }
    let pixels = distance(points)
    return compared(
      .htmProjection, pixels, cause: cause(points, files.htmName),
      "the projection in \"\(files.htmName)\" places the image up to \(distance(pixels)) away from that of the "
        + "image")
  }

  /// Compares the image's size. Some editions swap the row and the column count.
  private func size() -> Comparison {
    let counts = page.counts.map { [$0.rows, $0.columns].sorted() == [sheet.width, sheet.height].sorted() }
    let drift = page.resolution.map { stated in
      let (across, down) = placing.pixelSize
      return max(
        abs(stated.abscissa - across) / across * Double(sheet.width),
        abs(stated.ordinate - down) / down * Double(sheet.height))
    }
    guard counts != nil || drift != nil else { return missing(.htmSize) }
    if counts == false, let stated = page.counts {
      return Comparison(
        evidence: .init(source: .htmSize, outcome: .agrees),
        problem:
          "\"\(files.htmName)\" describes an image of \(stated.rows) x \(stated.columns) pixels, but this one "
          + "has \(sheet.width) x \(sheet.height)")
    }
    let pixels = drift ?? 0
    return compared(
      .htmSize, pixels,
      "the pixel size in \"\(files.htmName)\" adds up to \(distance(pixels)) across the image")
  }

  private func worldFile() throws -> Comparison {
    guard let world = files.world else { return missing(.tfw) }
    guard let stated = GeoTransform(worldFile: world.bytes) else {
      throw files.userError(world.name, "the world file does not consist of six numbers")
    }
    let points = stated.corners(width: sheet.width, height: sheet.height)
    let pixels = distance(points)
    return compared(
      .tfw, pixels, cause: cause(points, world.name),
      "\"\(world.name)\" places the image up to \(distance(pixels)) away from its own georeference"
    )
  }

  /// The corners, the middles of the sides, and the centre.
  private var probes: [PixelPoint] {
    [0, 0.5, 1].flatMap { down in
      [0, 0.5, 1].map { across in
        PixelPoint(column: across * Double(sheet.width), row: down * Double(sheet.height))
      }
    }
  }
}

extension PlacementCheck {
  /// A pixel of the image, and the coordinates that another file gives it.
  fileprivate typealias StatedPoint = (pixel: PixelPoint, x: Double, y: Double)

  /// The international foot and the US survey foot, in metres.
  private static let feet = [0.3048, 1200.0 / 3937]
  /// Pixels. A smaller shift may have any cause.
  private static let leastOrigin = 100.0

  /// Returns the largest distance of the points from their pixels, if their coordinates are scaled and moved.
  fileprivate func distance(_ points: [StatedPoint], scale: Double = 1, x: Double = 0, y: Double = 0)
    -> Double
  {
    points.map { point in
      point.pixel.distance(to: placing.point(x: point.x * scale + x, y: point.y * scale + y))
    }.largest
  }

  /// Names feet or a false origin if they explain why a file places the image elsewhere.
  fileprivate func cause(_ points: [StatedPoint], _ name: String) -> String? {
    for foot in PlacementCheck.feet {
      if distance(points, scale: foot) <= PlacementCheck.limit { return "\"\(name)\" is in feet" }
      if distance(points, scale: 1 / foot) <= PlacementCheck.limit { return "the image is in feet" }
    }
    let (x, y) = placing.projected(column: points[0].pixel.column, row: points[0].pixel.row)
    let (east, north) = (x - points[0].x, y - points[0].y)
    guard distance(points) > PlacementCheck.leastOrigin,
      distance(points, x: east, y: north) <= PlacementCheck.limit
    else { return nil }
    return
      "the image has a false easting of \(Int(east.rounded())) and a false northing of \(Int(north.rounded())) compared with "
      + "\"\(name)\""
  }
}

extension [Double] {
  /// NaN if any element is NaN.
  fileprivate var largest: Double { contains(where: \.isNaN) ? .nan : self.max() ?? .nan }
}

extension GeoTransform {
  /// Reads an ESRI world file: six numbers that place an image by the centre of its upper left pixel. Nil if the text does not
  /// consist of six numbers, or if they give the pixels no area.
  init?(worldFile bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    guard words.count == 6, numbers.count == 6, numbers[0] * numbers[3] != numbers[1] * numbers[2] else {
      return nil
    }
    let (width, rotationY, rotationX, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    self.init(
      originX: numbers[4] - (width + rotationX) / 2, originY: numbers[5] - (height + rotationY) / 2,
      pixelWidth: width, pixelHeight: height, rotationX: rotationX, rotationY: rotationY)
  }
}
