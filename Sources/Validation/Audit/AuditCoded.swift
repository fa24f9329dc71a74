/// The values of fixed columns, each read in a simple way of its own.
extension AuditExpectation {
  func coded(_ form: CodedForm) -> Value? {
    switch form {
    case .kept: kept()
    case .controlled:
      { [places] row, _ in row.text(places[0]) == "UC" ? row.value(places[1]) : .null }
    case .isHole:
      { [places] row, _ in
        .number(
          row[places[0]].elementsEqual("GND".utf8) && row[places[1]].elementsEqual("00000".utf8) ? 1 : 0)
      }
    case .frequency:
      { [places] row, _ in
        let divisor = row.text(places[0]) == "D" ? 100.0 : 10
        return AuditValue(row.digits(places[1]).flatMap { $0 == 0 ? nil : Double($0) / divisor })
      }
    case .latitude, .longitude, .fineLatitude, .fineLongitude: angle(form)
    default:
      { [places] row, _ in row[places[0]].isEmpty ? .null : AuditExpectation.simple(form, row, places[0]) }
    }
  }

  private func kept() -> Value {
    { [places] row, _ in
      guard row.fields.indices.contains(places[0]), !row[places[0]].isEmpty else { return .null }
      return .bytes(UnsafeBufferPointer(rebasing: row.bytes[row.fields[places[0]]]))
    }
  }

  private func angle(_ form: CodedForm) -> Value {
    let (sides, most) = form == .latitude || form == .fineLatitude ? ("NS", 90) : ("EW", 180)
    let isFine = form == .fineLatitude || form == .fineLongitude
    return { [places] row, _ in
      guard let place = places.first(where: { !row[$0].isEmpty }) else { return .null }
      let text = row[place]
      let unit = isFine ? 10_000 : 100
      guard text.count == (most == 90 ? 3 : 4) + (isFine ? 8 : 6), let side = text.first,
        sides.utf8.contains(side),
        text.dropFirst().allSatisfy(\.isDigit)
      else { return .null }
      let number = text.dropFirst().reduce(0) { $0 * 10 + Int($1) - 48 }
      let (seconds, minutes, degrees) = (
        number % (unit * 100), number / (unit * 100) % 100, number / (unit * 10_000)
      )
      let total = (degrees * 3600 + minutes * 60) * unit + seconds
      guard minutes < 60, seconds < 60 * unit, total <= most * 3600 * unit else { return .null }
      let value = Double(total) / Double(3600 * unit)
      return .number(total > 0 && (side == 0x53 || side == 0x57) ? -value : value)
    }
  }

  /// The value of a column that is not empty.
  private static func simple(_ form: CodedForm, _ row: AuditRow, _ place: Int) -> AuditValue {
    let text = row[place]
    let isMarked = text.first == UInt8(ascii: "T")
    let isTrue = text.last == UInt8(ascii: "T")
    func scaled(_ divisor: Double) -> AuditValue {
      AuditValue(row.digits(place).map { Double($0) / divisor })
    }
    switch form {
    case .whole: return AuditValue(row.digits(place))
    case .hundreds: return AuditValue(row.digits(place).map { $0 * 100 })
    case .tenths: return scaled(10)
    case .hundredths: return scaled(100)
    case .thousandths: return scaled(1000)
    case .miles: return isMarked ? .null : scaled(10)
    case .minutes:
      return isMarked ? AuditValue(row.digits(place, skipping: 1).map { Double($0) / 10 }) : .null
    case .isTrueCourse: return .number(isTrue ? 1 : 0)
    case .course:
      return isTrue ? AuditValue(row.text(place).flatMap { Double($0.dropLast()) }) : scaled(10)
    case .altitudeWord: return row.digits(place) == nil ? row.value(place) : .null
    case .altitude:
      if text.elementsEqual("GND".utf8) { return .number(0) }
      if text.starts(with: "FL".utf8) { return AuditValue(row.digits(place, skipping: 2).map { $0 * 100 }) }
      return AuditValue(row.digits(place))
    case .performance:
      guard text.count == 3, text.allSatisfy(\.isDigit) else { return .null }
      let tens = Double(Int(text[0]) * 10 + Int(text[1]) - 528)
      return .number(tens / (0..<Int(text[2]) - 48).reduce(1.0) { power, _ in power * 10 })
    case .variation:
      if isMarked { return .number(0) }
      guard text.count == 5, let tenths = row.digits(place, skipping: 1), (0...1800).contains(tenths)
      else {
        return .null
      }
      switch text[0] {
      case UInt8(ascii: "E"): return .number(Double(tenths) / 10)
      case UInt8(ascii: "W"): return .number(tenths == 0 ? 0 : -Double(tenths) / 10)
      default: return .null
      }
    default: return .null
    }
  }
}

extension AuditRow {
  /// A whole number of up to nine digits, with or without a sign.
  fileprivate func digits(_ place: Int, skipping count: Int = 0) -> Int? {
    let text = self[place].dropFirst(count)
    let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
    let digits = isSigned ? text.dropFirst() : text
    guard (1...9).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    return text.first == UInt8(ascii: "-") ? -number : number
  }
}
