internal import Core
internal import Foundation
internal import Pipeline

/// Numbers in words that a person understands, whatever number a description holds.
enum FigureText {
  private static let largest = 1e12

  /// Two digits behind the point at most, and none for nothing: `0.03`, `12.5`, `7`.
  static func decimal(_ value: Double, digits: Int = 2) -> String {
    guard value.isFinite, abs(value) < largest else { return "?" }
    let scale = digits == 0 ? 1 : digits == 1 ? 10 : 100
    let whole = Int((value * Double(scale)).rounded())
    var text = Counts.grouped(abs(whole) / scale)
    var fraction = String(abs(whole) % scale + scale).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    if !fraction.isEmpty { text += "." + fraction }
    return whole < 0 ? "-" + text : text
  }

  /// `0.03 px = 0.6 m`, or the pixels alone where their size is not known.
  static func pixels(_ value: Double, metres: Double?) -> String {
    let text = "\(decimal(value)) px"
    guard let metres, value.isFinite else { return text }
    let length = value * metres
    return "\(text) = \(decimal(length, digits: abs(length) < 10 ? 1 : 0)) m"
  }

  /// `+12`, `−3`, `0`
  static func signed(_ number: Int) -> String {
    number > 0 ? "+\(Counts.grouped(number))" : Counts.grouped(number).replacing("-", with: "−")
  }

  /// By how much one number differs from another: `+0.4 %`; nil where that says nothing.
  static func growth(from before: Int, to now: Int) -> String? {
    guard before > 0, before != now else { return nil }
    let percent = (Double(now) - Double(before)) / Double(before) * 100
    guard abs(percent) >= 0.05 else { return nil }
    return "\(percent > 0 ? "+" : "−")\(decimal(abs(percent), digits: 1))\u{A0}%"
  }

  /// `distinctTiles` is read as "distinct tiles".
  static func words(_ key: String) -> String {
    key.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
  }
}
