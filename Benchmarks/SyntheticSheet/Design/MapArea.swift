internal import Core
internal import Pipeline

/// The pixels within the border: for every row the pieces of it that are on the map, and the same for every column.
struct MapArea: Sendable {
  let width: Int
  let height: Int
  private let rows: Spans
  private let columns: Spans

  init(_ design: SheetDesign) {
    width = design.width
    height = design.height
    let rings = MapBorder(design).rings
    rows = Spans(lines: height, rings: rings.map { $0.map { (across: $0.x, along: $0.y) } })
    columns = Spans(lines: width, rings: rings.map { $0.map { (across: $0.y, along: $0.x) } })
  }

  /// Whether a place is on the map and as far from the edges, straight across and straight up and down. With a
  /// negative margin: whether it is on the map or no farther off than that.
  func contains(_ pixel: PixelPoint, margin: Double = 0) -> Bool {
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(width), pixel.y < Double(height) else { return false }
    let isInRow = rows.hold(pixel.x, line: Int(pixel.y), margin: margin)
    // A place beyond the upper edge is in no piece of its row, and yet near to one of its column.
    return margin < 0
      ? isInRow || columns.hold(pixel.y, line: Int(pixel.x), margin: margin)
      : isInRow && columns.hold(pixel.y, line: Int(pixel.x), margin: margin)
  }

  /// Whether a whole pixel, taken by its centre, is on the map.
  @inline(__always)
  func contains(column: Int, row: Int) -> Bool { rows.hold(Double(column) + 0.5, line: row) }
}

/// What lies within some rings, line by line through the middles of the pixels.
private struct Spans: Sendable {
  /// Of each line, where its bounds begin; one more at the end.
  private var starts: [Int32] = [0]
  /// Where a line enters the rings and leaves them again, by turns.
  private var bounds: [Double] = []

  init(lines: Int, rings: [[(across: Double, along: Double)]]) {
    var crossings: [[Double]] = Array(repeating: [], count: lines)
    for ring in rings {
      for (index, end) in ring.enumerated() {
        let start = ring[(index + ring.count - 1) % ring.count]
        let first = max(0, (min(start.along, end.along) - 0.5).rounded(.up))
        let last = min(Double(lines), (max(start.along, end.along) - 0.5).rounded(.up))
        guard first < last else { continue }
        for line in Int(first)..<Int(last) {
          let part = (Double(line) + 0.5 - start.along) / (end.along - start.along)
          crossings[line].append(start.across + part * (end.across - start.across))
        }
      }
    }
    for line in crossings {
      bounds += line.sorted()
      starts.append(Int32(bounds.count))
    }
  }

  @inline(__always)
  func hold(_ value: Double, line: Int) -> Bool {
    var index = Int(starts[line])
    let end = Int(starts[line + 1])
    while index + 1 < end {
      if value < bounds[index] { return false }
      if value < bounds[index + 1] { return true }
      index += 2
    }
    return false
  }

  func hold(_ value: Double, line: Int, margin: Double) -> Bool {
    stride(from: Int(starts[line]), to: Int(starts[line + 1]) - 1, by: 2).contains {
      value >= bounds[$0] + margin && value <= bounds[$0 + 1] - margin
    }
  }
}
