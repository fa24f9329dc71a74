internal import CPixels
internal import Core
internal import ImageIO
internal import RasterIO

/// Finds where each palette colour is printed most solidly in each part of the map, and keeps patches from these positions. The
/// colours of the tiles are compared with these patches.
///
/// It reads the rows of the sheet as they are decoded.
struct InkPatches: Sendable {
  /// Pixels along a side of a block, the same as in the C function that counts.
  private static let block = 32
  /// Parts of the sheet along each side. A colour has at most one position in each part.
  private static let parts = 4
  private static let pieceLimit = 192
  private static let margin = 8

  private let side: Int
  private let sheet: ChartSheet
  private let neatline: Neatline
  /// Blocks along a side of the cells that separate the map from the rest of the sheet.
  private let cellBlocks: Int
  private var relations: [Int: PlaneRelation] = [:]
  /// For each part and colour: how often a block has the colour, and which block.
  private var best = [UInt8](repeating: 0, count: parts * parts * 256)
  private var blocks = [Int](repeating: -1, count: parts * parts * 256)
  private var patches: [Int: SheetPatch] = [:]
  private var nextRow = 0

  /// - Parameter side: pixels along a side of a patch.
  init(_ sheet: ChartSheet, neatline: Neatline, side: Int) {
    self.side = side
    self.neatline = neatline
    self.sheet = sheet
    cellBlocks = min(max(min(sheet.width, sheet.height) / (24 * InkPatches.block), 1), 8)
  }

  private var columns: Int { sheet.width / InkPatches.block }

  /// Adds the blocks of a band that no earlier band contained. Bands are added from north to south.
  mutating func add(_ band: SheetRows) {
    nextRow = max(nextRow, (band.range.lowerBound + InkPatches.block - 1) / InkPatches.block)
    var found: Set<Int> = []
    while (nextRow + 1) * InkPatches.block <= band.range.upperBound {
      addBlocks(ofRow: nextRow, band, &found)
      nextRow += 1
    }
    for block in found { patches[block] = patch(at: block, of: band) }
    if !found.isEmpty {
      let kept = Set(blocks)
      patches = patches.filter { kept.contains($0.key) }
    }
  }

  private mutating func addBlocks(ofRow row: Int, _ band: SheetRows, _ found: inout Set<Int>) {
    let part = row * InkPatches.block * InkPatches.parts / sheet.height * InkPatches.parts
    let first = (row * InkPatches.block - band.range.lowerBound) * band.width
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { counts in
      guard let counts = counts.baseAddress else { return }
      for column in 0..<columns {
        let relation = relation(column / cellBlocks, row / cellBlocks)
        guard relation != .outside else { continue }
        let start = (part + column * InkPatches.parts / columns) * 256
        let isBetter = band.indexes.withUnsafeBufferPointer { indexes in
          best.withUnsafeBufferPointer { best in
            guard let indexes = indexes.baseAddress, let best = best.baseAddress else { return false }
            return chartpipe_count_inks(
              indexes + first + column * InkPatches.block, band.width, best + start, counts) != 0
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

  /// Returns how the patches of a cell's blocks lie relative to the map.
  private mutating func relation(_ column: Int, _ row: Int) -> PlaneRelation {
    let key = row * (columns + 1) + column
    if let known = relations[key] { return known }
    let size = cellBlocks * InkPatches.block
    let window = PixelWindow(column: column * size, row: row * size, width: size, height: size)
      .grown(by: side + InkPatches.margin)
    let found = neatline.relation(to: window)
    let relation = found == .inside && !sheet.contains(window) ? .crossing : found
    relations[key] = relation
    return relation
  }

  private func isMap(_ patch: PixelWindow) -> Bool {
    sheet.contains(patch) && neatline.relation(to: patch.grown(by: InkPatches.margin)) == .inside
  }

  /// Returns the window around a block, as far as the band reaches.
  private func window(_ column: Int, _ row: Int, in rows: Range<Int>) -> PixelWindow {
    let left = column * InkPatches.block + (InkPatches.block - side) / 2
    let top = row * InkPatches.block + (InkPatches.block - side) / 2
    return PixelWindow(
      column: left, row: max(rows.lowerBound, min(top, rows.upperBound - side)), width: side, height: side)
  }

  private func patch(at block: Int, of band: SheetRows) -> SheetPatch {
    let window = window(block % columns, block / columns, in: band.range)
    return SheetPatch(of: band, column: window.column, row: window.row, side: side)
  }
}

extension InkPatches {
  /// The patches to keep: first one for each colour, the rarest colours first, then more from other parts of the map. A
  /// position is skipped if a kept patch already shows the colour about as well in the same part.
  func chosen() -> [SheetPatch] {
    let inks = (0..<256).filter { !sheet.mixes.contains($0) }.map { ink in
      let places = places(of: ink)
      return (ink: ink, places: places, weight: places.reduce(0) { $0 + $1.count })
    }.filter { !$0.places.isEmpty }.sorted { ($0.weight, $0.ink) < ($1.weight, $1.ink) }
    var kept: [Int] = []
    // For each part, how often each colour occurs in the patches kept there.
    var shown: [Int: [[Int]]] = [:]
    for round in 0..<InkPatches.parts * InkPatches.parts {
      for ink in inks where round < ink.places.count && kept.count < InkPatches.pieceLimit {
        let (part, block, count) = ink.places[round]
        // The count covers every eighth row.
        guard let patch = patches[block], !kept.contains(block),
          !shown[part, default: []].contains(where: { $0[ink.ink] >= 6 * count })
        else { continue }
        kept.append(block)
        shown[part, default: []].append(patch.counts)
      }
    }
    return kept.compactMap { patches[$0] }
  }

  /// The positions of a colour, from the part of the map where it is most solid to the one where it is least.
  private func places(of ink: Int) -> [(part: Int, block: Int, count: Int)] {
    (0..<InkPatches.parts * InkPatches.parts).compactMap { part in
      let place = part * 256 + ink
      return best[place] > 0 ? (part, blocks[place], Int(best[place])) : nil
    }.sorted { ($1.count, $0.part) < ($0.count, $1.part) }
  }
}

/// A square of a sheet, as palette indexes.
struct SheetPatch: Sendable {
  let column: Int
  let row: Int
  let indexes: [UInt8]

  /// All of its rows must be decoded.
  init(of band: SheetRows, column: Int, row: Int, side: Int) {
    (self.column, self.row) = (column, row)
    indexes = [UInt8](unsafeUninitializedCapacity: side * side) { buffer, count in
      for line in 0..<side {
        let start = (row + line - band.range.lowerBound) * band.width + column
        _ = buffer[line * side..<(line + 1) * side]
          .initialize(fromContentsOf: band.indexes[start..<start + side])
      }
      count = side * side
    }
  }

  var point: Product.Control.Point { Product.Control.Point(column: column, row: row) }

  /// How often it has each index.
  fileprivate var counts: [Int] { indexes.counts }
}
