/// A moment in UTC, to the second.
public struct Instant: Hashable, Comparable, Sendable {
  public let secondsSince1970: Int

  public init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

  public init(_ day: CalendarDay, hour: Int, minute: Int, second: Int = 0) {
    secondsSince1970 = day.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Reads `2026-11-21` (the last second of that day in UTC) or `2026-11-21T09:01:00Z` (also with `+02:00`).
  public init?(_ text: String) {
    if let day = CalendarDay(text) {
      self.init(day, hour: 23, minute: 59, second: 59)
      return
    }
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2, let day = CalendarDay(halves[0]),
      let (clock, offset) = Instant.splitZone(halves[1]), let seconds = Instant.clockSeconds(clock)
    else { return nil }
    self.init(secondsSince1970: day.daysSince1970 * 86_400 + seconds - offset)
  }

  public var day: CalendarDay {
    CalendarDay(daysSince1970: floorDivide(secondsSince1970, 86_400))
  }

  public func adding(_ seconds: Int) -> Instant { Instant(secondsSince1970: secondsSince1970 + seconds) }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }

  /// Splits off the final `Z` or `+hh:mm` and returns its seconds.
  private static func splitZone(_ text: Substring) -> (Substring, Int)? {
    if text.hasSuffix("Z") { return (text.dropLast(), 0) }
    guard text.count > 6 else { return nil }
    let zone = text.suffix(6)
    guard let sign = zone.first, sign == "+" || sign == "-",
      let seconds = clockSeconds(zone.dropFirst()), seconds % 60 == 0
    else { return nil }
    return (text.dropLast(6), sign == "-" ? -seconds : seconds)
  }

  private static func clockSeconds(_ text: Substring) -> Int? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count == 2 ? digits($0) : nil }
    guard numbers.count == parts.count, (2...3).contains(numbers.count),
      numbers[0] < 24, numbers[1] < 60, numbers.count < 3 || numbers[2] < 60,
      halves.count == 1 || numbers.count == 3 && digits(halves[1]) != nil
    else { return nil }
    return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
  }
}

extension Instant: CodableText {
  public static let form = "a time such as 2026-11-26T09:01:00Z"
  /// `2026-11-26T09:01:00Z`
  public var description: String {
    let second = secondsSince1970 - day.daysSince1970 * 86_400
    return
      "\(day)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))Z"
  }
}
