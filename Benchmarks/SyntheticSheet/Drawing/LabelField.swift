/// Where lettering already stands, in squares of eight pixels, so that names do not run into one another.
struct LabelField {
  private static let square = 8.0
  private let columns: Int
  private let rows: Int
  private var taken: [Bool]

  init(width: Int, height: Int) {
    columns = width / Int(LabelField.square) + 1
    rows = height / Int(LabelField.square) + 1
    taken = [Bool](repeating: false, count: columns * rows)
  }

  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  func isFree(_ box: Box) -> Bool {
    var free = true
    forEachSquare(box) { if taken[$0] { free = false } }
    return free
  }

  mutating func take(_ box: Box) {
    var squares: [Int] = []
    forEachSquare(box) { squares.append($0) }
    for square in squares { taken[square] = true }
  }

  /// The first box that is free, which is then taken; nil when none is.
  mutating func place(_ boxes: [Box]) -> Box? {
    guard let box = boxes.first(where: isFree) else { return nil }
    take(box)
    return box
  }

  private func forEachSquare(_ box: Box, _ body: (Int) -> Void) {
    let size = LabelField.square
    let left = max(0, Int(box.x / size))
    let right = min(columns - 1, Int((box.x + box.width) / size))
    let top = max(0, Int(box.y / size))
    let bottom = min(rows - 1, Int((box.y + box.height) / size))
    guard left <= right, top <= bottom else { return }
    for row in top...bottom {
      for column in left...right { body(row * columns + column) }
    }
  }
}
