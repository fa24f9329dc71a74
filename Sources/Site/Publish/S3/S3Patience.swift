/// How often a request is made before it is given up, and how long to wait between.
struct S3Patience: Sendable {
  var attempts = 6
  /// Doubled each time.
  var firstPause = 0.5
  var longestPause = 20.0
  /// A store may ask for more than we would wait.
  var longestAsked = 120.0

  /// In seconds. Chance keeps many publishers from coming back all at once.
  /// - Parameter failures: so many attempts failed in a row, at least one.
  func pause(after failures: Int, asked: Double?) -> Double {
    let doubled = firstPause * Double(1 << min(max(failures, 1) - 1, 16))
    let own = min(doubled, longestPause) * Double.random(in: 0.5...1)
    return max(own, min(asked ?? 0, longestAsked))
  }
}
