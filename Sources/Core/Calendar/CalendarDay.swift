/// A day of the Gregorian calendar, counted from 1970-01-01, without time zone and locale.
public struct CalendarDay: Hashable, Comparable, Sendable {
  public let daysSince1970: Int

  public init(daysSince1970: Int) { self.daysSince1970 = daysSince1970 }

  /// Returns nil for a day that does not exist, such as 2026-02-30.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    self.init(daysSince1970: CalendarDay.days(year: year, month: month, day: day))
    guard self.month == month, self.day == day else { return nil }
  }

  /// Reads `2026-11-26`. Returns nil for all other forms.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = digits(parts[0]), let month = digits(parts[1]), let day = digits(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Reads `20261126`, the form of the FAA's metadata.
  public init?(compact text: some StringProtocol) {
    guard text.count == 8, let number = digits(text) else { return nil }
    self.init(year: number / 10000, month: number / 100 % 100, day: number % 100)
  }

  public var year: Int { civil.year }
  public var month: Int { civil.month }
  public var day: Int { civil.day }
  /// 1 on the first of January.
  public var dayOfYear: Int { daysSince1970 - CalendarDay.days(year: year, month: 1, day: 1) + 1 }

  public func adding(days: Int) -> CalendarDay {
    CalendarDay(daysSince1970: daysSince1970 + days)
  }

  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  /// Counts years from March, so that the leap day is the last day of its year (Howard Hinnant's algorithm).
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = floorDivide(y, 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private var civil: (year: Int, month: Int, day: Int) {
    let shifted = daysSince1970 + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

extension CalendarDay: CodableText {
  public static let form = "a day such as 2026-11-26"
  /// `2026-11-26`
  public var description: String { joined(by: UInt8(ascii: "-")) }
  /// `11-26-2026`, the form of the FAA's chart folders.
  public var monthDayYear: String { "\(padded(month, 2))-\(padded(day, 2))-\(padded(year, 4))" }
  /// `26_Nov_2026`, the form of the FAA's CSV archives.
  public var dayNameYear: String { "\(padded(day, 2))_\(monthName)_\(padded(year, 4))" }
  /// `2026/11/26`, the form of the NASR's EFF_DATE.
  public var slashed: String { joined(by: UInt8(ascii: "/")) }
  /// `20261126`, the form of the charts' metadata.
  public var compact: String { "\(padded(year, 4))\(padded(month, 2))\(padded(day, 2))" }

  /// Writes digit by digit for speed, since a database has a million dates.
  private func joined(by mark: UInt8) -> String {
    let (year, month, day) = civil
    guard (0...9999).contains(year) else { return "\(year) \(month) \(day)" }
    return String(unsafeUninitializedCapacity: 10) { text in
      func put(_ number: Int, _ places: Range<Int>) {
        var rest = number
        for place in places.reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, 0..<4)
      put(month, 5..<7)
      put(day, 8..<10)
      (text[4], text[7]) = (mark, mark)
      return 10
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private var monthName: String { CalendarDay.months[month - 1] }

  /// From `30`, `JAN` and `2020`; nil for any other texts.
  public init?(_ day: Substring, _ month: Substring, _ year: Substring) {
    guard let day = Int(day), let year = Int(year),
      let month = CalendarDay.months.firstIndex(where: { $0.uppercased() == month })
    else { return nil }
    self.init(year: year, month: month + 1, day: day)
  }
}

/// Divides and rounds toward minus infinity, so that days before the anchor count correctly.
func floorDivide(_ a: Int, _ b: Int) -> Int {
  let quotient = a / b
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient
}

func padded(_ number: Int, _ width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}

/// Reads a number of ASCII digits only: no sign, no spaces, no digits of other scripts.
func digits(_ text: some StringProtocol) -> Int? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
  return Int(text)
}
