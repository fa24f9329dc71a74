extension [Double] {
  /// The standard deviation; zero for none.
  var spread: Double {
    guard !isEmpty else { return 0 }
    let mean = reduce(0, +) / Double(count)
    return (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)).squareRoot()
  }

  /// Zero for none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

extension Double {
  /// Rounded to two digits, so that all machines report the same number.
  var hundredths: Double {
    let rounded = (self * 100).rounded() / 100
    return rounded == 0 ? 0 : rounded
  }
}
