/// The straight strokes and the letters that a page description draws.
struct PageDrawing {
  struct Stroke {
    let from: PagePoint
    let to: PagePoint
    var length: Double { (to - from).length }
  }

  /// A letter. Fonts are not read, so its width is that of a digit, half of an em.
  struct Letter {
    let code: UInt8
    /// On the baseline.
    let start: PagePoint
    let end: PagePoint
    /// One em, upward.
    let em: PagePoint
  }

  private(set) var strokes: [Stroke] = []
  private(set) var letters: [Letter] = []

  private var matrix = PageMatrix([])
  private var saved: [PageMatrix] = []
  private var path: [Stroke] = []
  private var pen = PagePoint.zero
  /// The matrices of the text and of the start of its line.
  private var (text, line) = (PageMatrix([]), PageMatrix([]))
  private var size = 1.0

  private static let most = 20_000

  init(_ description: [UInt8]) throws(PlateDefect) {
    var operands: [PDFTokens.Token] = []
    for token in PDFTokens(description[...]) {
      if case .word(let name) = token, !"[]/".contains(name.prefix(1)) {
        draw(name, operands)
        operands.removeAll(keepingCapacity: true)
      } else if operands.count < PageDrawing.most {
        operands.append(token)
      }
    }
    guard max(strokes.count, letters.count) <= PageDrawing.most else {
      throw PlateDefect("it draws too much")
    }
  }

  /// Follows an operator. Those that move neither lines nor letters are ignored; so are rectangles, and curves but for their ends.
  private mutating func draw(_ name: String, _ operands: [PDFTokens.Token]) {
    let numbers = operands.compactMap(\.number)
    switch (name, numbers.count) {
    case ("q", _): saved.append(matrix)
    case ("Q", _): matrix = saved.popLast() ?? matrix
    case ("cm", 6): matrix = PageMatrix(numbers).then(matrix)
    case ("m", 2), ("c", 6), ("v", 4), ("y", 4): pen = matrix(PagePoint(numbers.suffix(2)))
    case ("l", 2):
      path.append(Stroke(from: pen, to: matrix(PagePoint(numbers))))
      pen = path[path.count - 1].to
    case ("S", _), ("s", _):
      strokes += path
      path = []
    case ("f", _), ("F", _), ("f*", _), ("B", _), ("B*", _), ("b", _), ("b*", _), ("n", _): path = []
    case ("BT", _), ("Tm", 6): (text, line) = (PageMatrix(numbers), PageMatrix(numbers))
    case ("Td", 2), ("TD", 2):
      line = PageMatrix(numbers).then(line)
      text = line
    case ("Tf", 1): size = numbers[0]
    case ("Tj", _), ("TJ", _): show(operands)
    default: break
    }
  }

  /// Numbers between texts move back what follows, in thousandths of an em.
  private mutating func show(_ parts: [PDFTokens.Token]) {
    let place = text.then(matrix)
    var across = 0.0
    for part in parts {
      across -= (part.number ?? 0) / 1000 * size
      guard case .text(let codes) = part else { continue }
      for code in codes {
        let start = place([across, 0])
        across += size / 2
        letters.append(
          Letter(
            code: code, start: start, end: place([across, 0]),
            em: place([across, size]) - place([across, 0])))
      }
    }
    text = PageMatrix([across, 0]).then(text)
  }
}

/// A point or a direction on a page, in the units of its media box.
typealias PagePoint = SIMD2<Double>

extension PagePoint {
  var length: Double { dot(self).squareRoot() }

  func dot(_ other: PagePoint) -> Double { (self * other).sum() }
}

/// A PDF's matrix: where the units of both axes and the origin go.
private struct PageMatrix {
  private var (right, up, origin): (PagePoint, PagePoint, PagePoint) = ([1, 0], [0, 1], [0, 0])

  /// From six numbers, or the two of a shift. Others change nothing.
  init(_ numbers: [Double]) {
    if numbers.count == 6 { (right, up) = (PagePoint(numbers[0...1]), PagePoint(numbers[2...3])) }
    if [2, 6].contains(numbers.count) { origin = PagePoint(numbers.suffix(2)) }
  }

  func callAsFunction(_ point: PagePoint) -> PagePoint { right * point.x + up * point.y + origin }

  /// This matrix first, and then the other one.
  func then(_ next: PageMatrix) -> PageMatrix {
    var both = PageMatrix([])
    (both.origin, both.right, both.up) = (next(origin), next(origin + right), next(origin + up))
    (both.right, both.up) = (both.right - both.origin, both.up - both.origin)
    return both
  }
}
