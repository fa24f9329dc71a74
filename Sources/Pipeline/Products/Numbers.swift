extension [Double] {
  /// Not a number for none.
  var mean: Double { reduce(0, +) / Double(count) }

  /// The standard deviation; zero for none.
  var spread: Double {
    guard !isEmpty else { return 0 }
    let mean = mean
    return (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
  }

  /// Zero for none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

/// An offset in pixels, of which east and south are positive: "13.25 pixels east and 1.08 pixels north".
func offsetText(_ east: Double, _ south: Double) -> String {
  "\(abs(east).hundredths) pixels \(east < 0 ? "west" : "east") and "
    + "\(abs(south).hundredths) pixels \(south < 0 ? "north" : "south")"
}

extension Double {
  /// Rounded to two digits, so that all machines report the same number.
  var hundredths: Double {
    let rounded = (self * 100).rounded() / 100
    return rounded == 0 ? 0 : rounded
  }
}

extension Array {
  /// At most this many elements, evenly distributed.
  func spread(_ most: Int) -> [Element] {
    let few = Swift.min(count, most)
    return (0..<few).map { self[$0 * count / few] }
  }
}

extension [Int] {
  /// Of the counts of a histogram: the place that all but one in `part` of the counted do not exceed.
  func level(exceededByOneIn part: Int) -> Int {
    var left = reduce(0, +) / part
    return indices.reversed().first { index in
      left -= self[index]
      return left < 0
    } ?? 0
  }
}

extension Dictionary {
  /// Of several pairs with one key, the first counts.
  init(first pairs: some Sequence<(Key, Value)>) { self.init(pairs) { first, _ in first } }
}
