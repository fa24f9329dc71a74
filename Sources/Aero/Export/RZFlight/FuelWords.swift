/// Fuel as the library looks for it: anywhere in an airport's entries it takes `AVGAS` or `100LL` for avgas and `JET` for jet fuel.
enum FuelWords {
  /// `JET A+` for `JetA+`, `AVGAS 100` for `100`; others as they are.
  static func plain(_ name: String) -> String {
    if name.hasPrefix("Jet") { return "JET " + name.dropFirst(3) }
    if name == "J" { return "JET" }
    return ["80", "100", "100R", "115"].contains(name) ? "AVGAS " + name : name
  }

  /// Whether a text that speaks of a fuel, or of jets, would make an airport look as if it sold what it does not.
  static func wouldPretend(_ text: String, fuels: [String]) -> Bool {
    let text = text.uppercased()
    let marks = [["JET"], ["AVGAS", "100LL"]].filter { $0.contains(where: text.contains) }
    guard !marks.isEmpty else { return false }
    let sold = fuels.map(plain)
    return !marks.allSatisfy { marks in sold.contains { fuel in marks.contains(where: fuel.contains) } }
  }
}
