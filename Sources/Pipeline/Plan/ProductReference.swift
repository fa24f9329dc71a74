extension Product {
  /// A coarse picture of the sheet as it was before the warp: the mean colour and the texture of each square cell. The tiles are
  /// compared with it.
  public struct Reference: Codable, Equatable, Sendable {
    /// Pixels of the sheet along each side of a cell. The first cell begins at the sheet's first pixel.
    public var cell: Int
    public var columns: Int
    public var rows: Int
    /// Strips across the whole map without any print, although the map beside them is printed.
    public var blanks: [Blank]

    public init(cell: Int, columns: Int, rows: Int, blanks: [Blank]) {
      self.cell = cell
      self.columns = columns
      self.rows = rows
      self.blanks = blanks
    }

    /// The role of the file that has the picture.
    public static let role = "reference"
  }
}

extension Product.Reference {
  /// Rows or columns of the sheet, counted from 0, that have a single colour from edge to edge of the map.
  public struct Blank: Codable, Equatable, Sendable {
    public enum Direction: String, Codable, Sendable {
      case row
      case column
    }

    public var direction: Direction
    public var first: Int
    public var last: Int

    public init(direction: Direction, first: Int, last: Int) {
      self.direction = direction
      self.first = first
      self.last = last
    }
  }

  /// What a person should look at, in words; empty where all is well.
  public var doubts: [String] {
    blanks.map { blank in
      let name = blank.direction.rawValue
      let place =
        blank.first == blank.last ? "\(name) \(blank.first)" : "\(name)s \(blank.first) to \(blank.last)"
      return
        "\(place) of its sheet \(blank.first == blank.last ? "has" : "have") a single colour across the whole map, "
        + "so the source has lost print there; look at that place, and mask it if a neighbouring chart shows it"
    }
  }
}
