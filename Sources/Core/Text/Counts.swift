/// Numbers as people read them, the same in every locale.
public enum Counts {
  /// `1,154`
  public static func grouped(_ number: Int) -> String {
    var text = String(number.magnitude)
    var end = text.count - 3
    while end > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: end))
      end -= 3
    }
    return number < 0 ? "-" + text : text
  }

  /// `1 product`, `1,154 tiles`
  public static func of(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `12 s`, `3 min 20 s`, as people say it.
  public static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// `0.4 s`, `12.3 s`, `3 min 20 s`: what was measured.
  public static func measured(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e9) * 10).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : duration(seconds)
  }

  /// `12.4 MB`, in powers of ten, as shops and file managers count.
  public static func bytes(_ count: Int) -> String {
    for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)] where count >= size {
      let (whole, rest) = count.quotientAndRemainder(dividingBy: size / 10)
      let tenths = whole + (rest >= size / 20 ? 1 : 0)
      return "\(grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
    return "\(count) B"
  }
}
