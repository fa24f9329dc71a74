internal import CPixels
internal import Core
internal import ImageIO
internal import RasterIO

/// Finds, while the rows of a sheet pass by, where each colour of its palette is printed most solidly in each part of the map,
/// and keeps pieces of the sheet from there. By these the colours of the tiles are compared with those of the sheet.
struct InkSurvey: Sendable {
  /// A piece as palette indexes.
  struct Piece: Sendable {
    let column: Int
    let row: Int
    let indexes: [UInt8]
  }

  /// Pixels along a side of a block, as the counting in C has it.
  private static let block = 32
  /// Parts of the sheet along each side. A colour has one place in each of them at most.
  private static let parts = 4
  private static let pieceLimit = 192
  private static let margin = 8

  private let side: Int
  private let (width, height): (Int, Int)
  private let neatline: Neatline
  /// Blocks along a side of the cells that separate the map from the rest of the sheet.
  private let cellBlocks: Int
  private var relations: [Int: Neatline.Relation] = [:]
  /// By part and colour: how often a block has the colour, and which block that is.
  private var best = [UInt8](repeating: 0, count: parts * parts * 256)
  private var blocks = [Int](repeating: -1, count: parts * parts * 256)
  private var pieces: [Int: Piece] = [:]
  private var nextRow = 0

  /// - Parameter side: pixels along a side of a piece.
  init(_ sheet: ChartSheet, neatline: Neatline, side: Int) {
    self.side = side
    self.neatline = neatline
    (width, height) = (sheet.width, sheet.height)
    cellBlocks = min(max(min(sheet.width, sheet.height) / (24 * InkSurvey.block), 1), 8)
  }

  private var columns: Int { width / InkSurvey.block }

  /// Adds those blocks of a band that were not in an earlier one. Bands come from north to south.
  mutating func add(_ band: SheetRows) {
    nextRow = max(nextRow, (band.range.lowerBound + InkSurvey.block - 1) / InkSurvey.block)
    var found: Set<Int> = []
    while (nextRow + 1) * InkSurvey.block <= band.range.upperBound {
      addBlocks(ofRow: nextRow, band, &found)
      nextRow += 1
    }
    for block in found { pieces[block] = piece(at: block, of: band) }
    if !found.isEmpty {
      let kept = Set(blocks)
      pieces = pieces.filter { kept.contains($0.key) }
    }
  }

  private mutating func addBlocks(ofRow row: Int, _ band: SheetRows, _ found: inout Set<Int>) {
    let part = row * InkSurvey.block * InkSurvey.parts / height * InkSurvey.parts
    let first = (row * InkSurvey.block - band.range.lowerBound) * band.width
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { counts in
      guard let counts = counts.baseAddress else { return }
      for column in 0..<columns {
        let relation = relation(column / cellBlocks, row / cellBlocks)
        guard relation != .outside else { continue }
        let start = (part + column * InkSurvey.parts / columns) * 256
        let isBetter = band.indexes.withUnsafeBufferPointer { indexes in
          best.withUnsafeBufferPointer { best in
            guard let indexes = indexes.baseAddress, let best = best.baseAddress else { return false }
            return chartpipe_count_inks(
              indexes + first + column * InkSurvey.block, band.width, best + start, counts) != 0
          }
        }
        guard isBetter, relation == .inside || isMap(window(column, row, in: band.range)) else { continue }
        for ink in 0..<256 where counts[ink] > best[start + ink] {
          best[start + ink] = counts[ink]
          blocks[start + ink] = row * columns + column
          found.insert(row * columns + column)
        }
      }
    }
  }

  /// How the pieces of a cell's blocks lie to the map.
  private mutating func relation(_ column: Int, _ row: Int) -> Neatline.Relation {
    let key = row * (columns + 1) + column
    if let known = relations[key] { return known }
    let size = cellBlocks * InkSurvey.block
    let reach = side + InkSurvey.margin
    let window = PixelWindow(
      column: column * size - reach, row: row * size - reach, width: size + 2 * reach,
      height: size + 2 * reach)
    let isOnSheet =
      window.column >= 0 && window.row >= 0 && window.column + window.width <= width
      && window.row + window.height <= height
    let found = neatline.relation(to: window)
    let relation = found == .inside && !isOnSheet ? .crossing : found
    relations[key] = relation
    return relation
  }

  private func isMap(_ piece: PixelWindow) -> Bool {
    let margin = InkSurvey.margin
    return piece.column >= 0 && piece.row >= 0 && piece.column + side <= width
      && neatline.relation(
        to: PixelWindow(
          column: piece.column - margin, row: piece.row - margin, width: side + 2 * margin,
          height: side + 2 * margin)) == .inside
  }

  /// Around a block, as far as the band reaches.
  private func window(_ column: Int, _ row: Int, in rows: Range<Int>) -> PixelWindow {
    let left = column * InkSurvey.block + (InkSurvey.block - side) / 2
    let top = row * InkSurvey.block + (InkSurvey.block - side) / 2
    return PixelWindow(
      column: left, row: max(rows.lowerBound, min(top, rows.upperBound - side)), width: side, height: side)
  }

  private func piece(at block: Int, of band: SheetRows) -> Piece {
    let window = window(block % columns, block / columns, in: band.range)
    return Piece(
      column: window.column, row: window.row,
      indexes: band.square(column: window.column, row: window.row, side: side))
  }
}

extension InkSurvey {
  /// The pieces to keep: first one for each colour, the rarest colours first, then more from other parts of the map. A place is
  /// passed over when a piece that is kept already shows the colour about as well in the same part.
  func chosen() -> [Piece] {
    let inks = (0..<256).map { ink in
      let places = places(of: ink)
      return (ink: ink, places: places, weight: places.reduce(0) { $0 + $1.count })
    }.filter { !$0.places.isEmpty }.sorted { ($0.weight, $0.ink) < ($1.weight, $1.ink) }
    var kept: [Int] = []
    // By part, how often each colour is in the pieces that are kept there.
    var shown: [Int: [[Int]]] = [:]
    for round in 0..<InkSurvey.parts * InkSurvey.parts {
      for ink in inks where round < ink.places.count && kept.count < InkSurvey.pieceLimit {
        let (part, block, count) = ink.places[round]
        // The count is of every eighth row.
        guard let piece = pieces[block], !kept.contains(block),
          !shown[part, default: []].contains(where: { $0[ink.ink] >= 6 * count })
        else { continue }
        kept.append(block)
        shown[part, default: []].append(piece.counts)
      }
    }
    return kept.compactMap { pieces[$0] }
  }

  /// From the part of the map in which the colour is most solid to the one in which it is least.
  private func places(of ink: Int) -> [(part: Int, block: Int, count: Int)] {
    (0..<InkSurvey.parts * InkSurvey.parts).compactMap { part in
      let place = part * 256 + ink
      return best[place] > 0 ? (part, blocks[place], Int(best[place])) : nil
    }.sorted { ($1.count, $0.part) < ($0.count, $1.part) }
  }
}

extension InkSurvey.Piece {
  fileprivate var counts: [Int] {
    indexes.reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 }
  }
}
