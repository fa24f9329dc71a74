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

  /// What a person should look at, in words, for the rows together and for the columns together; empty where all is well.
  public var doubts: [String] {
    [Blank.Direction.row, .column].compactMap { direction in
      let blanks = blanks.filter { $0.direction == direction }
      guard let first = blanks.first else { return nil }
      let isOne = blanks.count == 1 && first.first == first.last
      return
        "\(direction.rawValue)\(isOne ? "" : "s") \(Product.Reference.places(blanks)) of its sheet \(isOne ? "has" : "have") a single "
        + "colour across the whole map, so the source has lost print there; look at that place, and mask it if a neighbouring "
        + "chart shows it"
    }
  }

  /// So many places are named; a broken file may have hundreds.
  private static let mostNamed = 4

  private static func places(_ blanks: [Blank]) -> String {
    let named = blanks.prefix(mostNamed).map {
      $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)"
    }
    let others = blanks.count - named.count
    let last = others > 0 ? "\(others) more" : named.last ?? ""
    let firsts = others > 0 ? named[...] : named.dropLast()
    return firsts.isEmpty ? last : firsts.joined(separator: ", ") + " and " + last
  }
}
