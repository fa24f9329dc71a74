import Core
import Foundation

/// The one place where the time of day is read.
enum SystemClock {
  static var now: Instant {
    Instant(secondsSince1970: Int(Date().timeIntervalSince1970.rounded(.down)))
  }
}
