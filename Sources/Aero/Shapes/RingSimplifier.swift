/// Leaves out corners of a ring from which the line between their neighbours is not farther than some metres away
/// (Douglas and Peucker), as the FAA draws an arc by hundreds of corners.
struct RingSimplifier {
  private static let metresPerMillionth = 0.111_32
  /// So many corners are looked at together; a line that winds would take their square of steps.
  private static let run = 4096
  private let tolerance: Double

  init(metres: Double) { tolerance = metres / RingSimplifier.metresPerMillionth }

  /// A ring that would vanish stays as it is.
  func simplified(_ ring: ShapeRing) -> ShapeRing {
    guard tolerance > 0, ring.count > 4, let start = ring.indices.min(by: { ring[$0] < ring[$1] }) else {
      return ring
    }
    // From a corner that the ring's form decides, so that the same ring always loses the same corners.
    let line = Array(ring[start...] + ring[...start])
    let kept = corners(of: line)
    let result = line.indices.dropLast().filter { kept[$0] }.map { line[$0] }
    return result.count < 3 ? ring : result
  }

  /// Which points of a line stay.
  private func corners(of line: [ShapePoint]) -> [Bool] {
    var kept = [Bool](repeating: false, count: line.count)
    // Longitudes are narrower; in whole thousandths, so that no rounding of the cosine matters.
    let shrink = (EvenTrigonometry.cosine(line[0].radians.latitude) * 1000).rounded() / 1000
    var open = stride(from: 0, to: line.count - 1, by: RingSimplifier.run).map { start in
      (start, min(start + RingSimplifier.run, line.count - 1))
    }
    for (from, to) in open { (kept[from], kept[to]) = (true, true) }
    while let (from, to) = open.popLast() {
      guard let farthest = farthest(in: line, from, to, shrink) else { continue }
      kept[farthest] = true
      open.append((from, farthest))
      open.append((farthest, to))
    }
    return kept
  }

  /// The point between two that is farthest from the line through them, when it is too far.
  private func farthest(in line: [ShapePoint], _ from: Int, _ to: Int, _ shrink: Double) -> Int? {
    guard to - from > 1 else { return nil }
    let (a, b) = (line[from], line[to])
    let (width, height) = (Double(b.x - a.x) * shrink, Double(b.y - a.y))
    let length = width * width + height * height
    var (worst, index) = (tolerance * tolerance, -1)
    for candidate in (from + 1)..<to {
      let x = Double(line[candidate].x - a.x) * shrink
      let y = Double(line[candidate].y - a.y)
      let along = length == 0 ? 0 : min(1, max(0, (x * width + y * height) / length))
      let (dx, dy) = (x - along * width, y - along * height)
      let square = dx * dx + dy * dy
      if square > worst { (worst, index) = (square, candidate) }
    }
    return index < 0 ? nil : index
  }
}
