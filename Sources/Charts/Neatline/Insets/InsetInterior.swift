/// What is printed within a rectangle: the colours of a map, or a table.
struct InsetInterior {
  /// In hundredths of its area.
  let tint: Int
  /// The parts whose commonest colour is not the commonest one of all, in hundredths.
  let variety: Int
  /// How many coarsely different colours it has: a map has many.
  let colors: Int

  private static let cell = 32

  /// - Parameters:
  ///   - bands: decoded rows within the rectangle.
  ///   - shades: for each index of the palette, a coarse number of its colour.
  init(_ bands: [SheetRows], columns: Range<Int>, kinds: [PrintKind], shades: [Int]) {
    var (tints, total) = (0, 0)
    var majorities: [Int] = []
    var all = [Int](repeating: 0, count: 4096)
    for band in bands {
      for start in stride(
        from: columns.lowerBound, to: columns.upperBound - InsetInterior.cell + 1, by: InsetInterior.cell)
      {
        var counts = [Int](repeating: 0, count: 4096)
        var count = 0
        for line in stride(from: 0, to: band.range.count, by: 2) {
          for column in start..<start + InsetInterior.cell {
            let index = Int(band.indexes[line * band.width + column])
            total += 1
            guard kinds[index] == .tint else { continue }
            counts[shades[index]] += 1
            count += 1
          }
        }
        tints += count
        for shade in counts.indices { all[shade] += counts[shade] }
        // A cell that is mostly paper or lettering has no ground of its own.
        guard count * 2 >= InsetInterior.cell * ((band.range.count + 1) / 2) else { continue }
        majorities.append(counts.indices.max { counts[$0] < counts[$1] } ?? 0)
      }
    }
    tint = total == 0 ? 0 : tints * 100 / total
    // A colour counts from a five-hundredth of the area on.
    colors = all.count { $0 * 500 >= max(total, 1) }
    var cells = [Int: Int]()
    for majority in majorities { cells[majority, default: 0] += 1 }
    let commonest = cells.values.max() ?? 0
    variety = majorities.isEmpty ? 0 : (majorities.count - commonest) * 100 / majorities.count
  }
}
