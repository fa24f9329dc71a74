public import Core

extension Product {
  /// Pieces of the sheet as they were before the warp, and where the sheet lies on the earth. By these anybody can tell,
  /// without the warper's word, whether the tiles show each place where it is.
  public struct Control: Codable, Equatable, Sendable {
    /// Nil for a sheet in any other projection than the FAA's: then there are no pieces.
    public var projection: Projection?
    /// Metres from pixels: x is [0] + column * [1] + row * [2], and y is [3] + column * [4] + row * [5].
    public var placing: [Double]
    /// Pixels of the sheet along each side of a piece.
    public var side: Int
    /// The pieces in the order in which they stand in the file, from left to right.
    public var points: [Point]
    /// Pieces that follow in the file: where each colour of the sheet is printed most solidly. Nil in products of versions that
    /// did not look for them.
    public var inkPoints: [Point]?

    public init(
      projection: Projection?, placing: [Double], side: Int, points: [Point], inkPoints: [Point]? = nil
    ) {
      self.inkPoints = inkPoints
      self.projection = projection
      self.placing = placing
      self.side = side
      self.points = points
    }

    /// The role of the file that has the pieces.
    public static let role = "control"
  }
}

extension Product.Control {
  /// Lambert's conformal conic projection with two standard parallels, on NAD83.
  public struct Projection: Codable, Equatable, Sendable {
    public var standardParallels: [Double]
    public var origin: GeoPoint
    public var falseEasting: Double
    public var falseNorthing: Double

    public init(
      standardParallels: [Double], origin: GeoPoint, falseEasting: Double, falseNorthing: Double
    ) {
      self.standardParallels = standardParallels
      self.origin = origin
      self.falseEasting = falseEasting
      self.falseNorthing = falseNorthing
    }
  }

  /// The upper left pixel of a piece on the sheet.
  public struct Point: Codable, Equatable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }
}
