/// What the FREQ column says: `126.975`, `122.1R` (receive only), `109.8/35X` (with the channel paired to it),
/// `17907 CARIBBEAN FAMILY A` (HF, in kHz, with the network it belongs to).
struct RadioFrequency: Equatable {
  let megahertz: Double
  let isReceiveOnly: Bool
  let channel: String?
  let network: String?

  /// Civil voice radio; military UHF and the HF of the oceans are the rest.
  var isVHF: Bool { (118...137).contains(megahertz) }

  init?(_ text: String) {
    let number = text.prefix { $0.isDigit || $0 == "." }
    let rest = text.dropFirst(number.count)
    guard let value = Double(number) else { return nil }
    // The column has no unit, and needs none: HF is in kHz, all above it in MHz, from the low band of the military on.
    switch value {
    case 30...400: megahertz = value
    case 2000...30_000: megahertz = value / 1000
    default: return nil
    }
    isReceiveOnly = rest == "R"
    channel = RadioFrequency.channel(rest)
    network = rest.first == " " ? String(rest.dropFirst()) : nil
    guard rest.isEmpty || isReceiveOnly || channel != nil || network != nil else { return nil }
  }

  private static func channel(_ text: Substring) -> String? {
    guard text.first == "/", let band = text.last, band == "X" || band == "Y" else { return nil }
    let number = text.dropFirst().dropLast()
    return (1...3).contains(number.count) && number.allSatisfy(\.isDigit) ? String(text.dropFirst()) : nil
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
