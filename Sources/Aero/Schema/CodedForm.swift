internal import SQLiteIO

/// The forms of values in the fixed columns of the FAA's coded procedures, in which numbers have no decimal point.
public enum CodedForm: String, CaseIterable, Sendable {
  /// The text with its blanks, which count: the codes of a description, or the region `K `.
  case kept
  /// `N40382374` in hundredths of a second, and the same in ten-thousandths. The first column that is not empty counts.
  case latitude, longitude, fineLatitude, fineLongitude
  /// `W0130`: degrees, east positive. T stands for true north.
  case variation
  case whole, hundreds, tenths, hundredths, thousandths
  /// Feet: `05000`, `-0012`, `FL180`, `GND`.
  case altitude
  /// The text of an altitude that is not a plain number.
  case altitudeWord
  /// `0433` in tenths, or `043T`, which is true.
  case course, isTrueCourse
  /// `0065` in tenths of a mile, or `T010` in tenths of a minute.
  case miles, minutes
  /// Two digits and the power of ten by which they are divided: `302` is 0.3.
  case performance
  /// Hundredths of MHz, or tenths of kHz for a radio beacon; the section is the first column.
  case frequency
  /// The text of the second column, where the section in the first one is that of class airspace.
  case controlled
  /// Whether an area of airspace is a hole: from the ground up to 00000.
  case isHole
}

extension Reading {
  /// A value of fixed columns.
  static func coded(_ columns: String..., as form: CodedForm) -> Reading {
    let isPair = columns.count > 1 && form.isAngle
    return .computed(form.type, columns, coded: form) { row, at throws(UnusableRow) in
      form.value(row, isPair && row.value(at).isEmpty ? at + 1 : at)
    }
  }
}

extension CodedForm {
  fileprivate var isAngle: Bool {
    [.latitude, .longitude, .fineLatitude, .fineLongitude].contains(self)
  }

  fileprivate var type: String {
    switch self {
    case .kept, .altitudeWord, .controlled: "TEXT"
    case .whole, .hundreds, .altitude, .isTrueCourse, .isHole: "INTEGER"
    default: "REAL"
    }
  }

  fileprivate func value(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    switch self {
    case .kept: SQLiteValue(row.kept(at))
    case .latitude, .longitude, .fineLatitude, .fineLongitude: angle(row, at)
    case .isTrueCourse: row.value(at).isEmpty ? .null : .integer(row.value(at).last == .trueMark ? 1 : 0)
    case .controlled: SQLiteValue(row.value(at).equals("UC") ? row.text(at + 1) : nil)
    case .isHole: .integer(row.value(at).equals("GND") && row.value(at + 1).equals("00000") ? 1 : 0)
    case .altitudeWord: SQLiteValue(row.value(at).number == nil ? row.text(at) : nil)
    case .frequency: frequency(row, at)
    default: number(row, at)
    }
  }

  private func number(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    let value = row.value(at)
    let isTime = value.first == .trueMark && (self == .miles || self == .minutes)
    if value.isEmpty || (self == .miles && isTime) || (self == .minutes && !isTime) { return .null }
    let found: SQLiteValue =
      switch self {
      case .whole: SQLiteValue(value.number)
      case .hundreds: value.equals("UNK") ? .null : SQLiteValue(value.number.map { $0 * 100 })
      case .tenths: value.scaled(10)
      case .hundredths: value.scaled(100)
      case .thousandths: value.scaled(1000)
      case .altitude: SQLiteValue(value.altitude)
      case .course: value.last == .trueMark ? value.dropLast.scaled(1) : value.scaled(10)
      case .miles: value.scaled(10)
      case .minutes: value.dropFirst.scaled(10)
      case .performance: SQLiteValue(value.performance)
      default: SQLiteValue(value.variation)
      }
    let isWord =
      value.equals("UNKNN") || value.equals("UNK") || value.equals("UNLTD") || value.equals("NOTAM")
    return isWord ? found : found.orDropped(row, at)
  }

  private func frequency(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    let value = row.value(at + 1)
    if value.isEmpty || value.equals("00000") { return .null }
    return (row.value(at).equals("D") ? value.scaled(100) : value.scaled(10)).orDropped(row, at + 1)
  }

  private func angle(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    let value = row.value(at)
    return value.isEmpty ? .null : SQLiteValue(value.angle(self)).orDropped(row, at)
  }
}

extension SQLiteValue {
  fileprivate func orDropped(_ row: SourceRow, _ at: Int) -> SQLiteValue {
    if self == .null { row.report(.fieldDropped, at, "it is not of the form that it must have") }
    return self
  }
}

extension UInt8 {
  /// Marks true courses and times.
  fileprivate static let trueMark = UInt8(ascii: "T")
}

extension SourceRow {
  /// The text with its blanks; nil if there is nothing else.
  func kept(_ wanted: Int) -> String? {
    guard !value(wanted).isEmpty else { return nil }
    return CSVValue(untrimmed: fields[table.places[wanted]], in: bytes).text
  }
}

extension CSVValue {
  /// A whole number with or without a sign; nil for more than nine digits.
  var number: Int? {
    let sign = first == UInt8(ascii: "-") ? -1 : 1
    let digits = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? dropFirst : self
    guard (1...9).contains(digits.count) else { return nil }
    var sum = 0
    for index in 0..<digits.count {
      guard let digit = digits.digit(index) else { return nil }
      sum = sum * 10 + digit
    }
    return sign * sum
  }

  fileprivate func scaled(_ divisor: Int) -> SQLiteValue {
    SQLiteValue(number.map { Double($0) / Double(divisor) })
  }

  fileprivate var altitude: Int? {
    if equals("GND") { return 0 }
    if first == UInt8(ascii: "F"), dropFirst.first == UInt8(ascii: "L") {
      return dropFirst.dropFirst.number.map { $0 * 100 }
    }
    return number
  }

  fileprivate var performance: Double? {
    guard count == 3, let digits = number, digits >= 0 else { return nil }
    let divisor = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][digits % 10]
    return Double(digits / 10) / divisor
  }

  fileprivate var variation: Double? {
    if first == .trueMark { return 0 }
    guard count == 5, let tenths = dropFirst.number, (0...1800).contains(tenths) else { return nil }
    if first == UInt8(ascii: "E") || (first == UInt8(ascii: "W") && tenths == 0) {
      return Double(tenths) / 10
    }
    return first == UInt8(ascii: "W") ? -Double(tenths) / 10 : nil
  }

  /// Degrees of a latitude or a longitude; nil if it is not of this form.
  func angle(_ form: CodedForm) -> Double? {
    let isLatitude = form == .latitude || form == .fineLatitude
    let digits = form == .latitude || form == .longitude ? 2 : 4
    let (width, most, sides): (Int, Int, StaticString) = isLatitude ? (2, 90, "NS") : (3, 180, "EW")
    guard count == 1 + width + 4 + digits, let side = first, sides.bytes.contains(side) else { return nil }
    var parts = [0, 0, 0]
    for index in 1..<count {
      guard let digit = digit(index) else { return nil }
      let part = index <= width ? 0 : index <= width + 2 ? 1 : 2
      parts[part] = parts[part] * 10 + digit
    }
    let unit = digits == 2 ? 100 : 10_000
    let total = (parts[0] * 60 + parts[1]) * 60 * unit + parts[2]
    guard parts[1] < 60, parts[2] < 60 * unit, total <= most * 3600 * unit else { return nil }
    let degrees = Double(total) / Double(3600 * unit)
    let isNegative = side == UInt8(ascii: "S") || side == UInt8(ascii: "W")
    return isNegative && total > 0 ? -degrees : degrees
  }
}
