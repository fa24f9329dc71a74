/// What the FREQ column says: `126.975`, `122.1R` (receive only), `109.8/35X` (with the channel paired to it).
struct RadioFrequency: Equatable {
  let megahertz: Double
  let isReceiveOnly: Bool
  let channel: String?

  /// Civil voice radio; military UHF and the HF of the oceans are the rest.
  var isVHF: Bool { (118...137).contains(megahertz) }

  init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let rest = text.dropFirst(number.count)
    guard let value = Double(number), (2...400).contains(value) else { return nil }
    megahertz = value
    isReceiveOnly = rest == "R"
    channel = RadioFrequency.channel(rest)
    guard rest.isEmpty || isReceiveOnly || channel != nil else { return nil }
  }

  private static func channel(_ text: Substring) -> String? {
    guard text.first == "/", let band = text.last, band == "X" || band == "Y" else { return nil }
    let number = text.dropFirst().dropLast()
    return (1...3).contains(number.count) && number.allSatisfy(\.isASCIIDigit)
      ? String(text.dropFirst()) : nil
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
