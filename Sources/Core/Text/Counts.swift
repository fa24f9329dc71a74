/// Formats numbers for messages, the same in every locale.
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

  /// `paper/a, paper/b, paper/c and 57 more`
  public static func some(_ words: [String], atMost count: Int) -> String {
    let rest = words.count > count ? " and \(grouped(words.count - count)) more" : ""
    return words.prefix(count).joined(separator: ", ") + rest
  }

  /// `12 s`, `3 min 20 s`: an estimate, rounded up to seconds.
  public static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// `0.4 s`, `12.3 s`, `3 min 20 s`: a measured time.
  public static func measured(_ seconds: Double) -> String {
    let tenths = Int((min(max(seconds, 0), 1e9) * 10).rounded())
    return tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : duration(seconds)
  }

  /// `12.4 MB`, in powers of ten.
  public static func bytes(_ count: Int) -> String {
    for (unit, size) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)] where count >= size {
      let (whole, rest) = count.quotientAndRemainder(dividingBy: size / 10)
      let tenths = whole + (rest >= size / 20 ? 1 : 0)
      return "\(grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
    return "\(count) B"
  }
}

/// Breaks a line at spaces into lines of at most `width` columns. Continuation lines start at column `hanging`. Longer words are not
/// broken.
public func wrapped(_ text: String, to width: Int, hanging: Int) -> String {
  var result = ""
  var column = 0
  for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
    let length = word.count
    if index > 0, column > hanging, column + 1 + length > width {
      result += "\n" + String(repeating: " ", count: hanging) + word
      column = hanging + length
    } else {
      result += (index > 0 ? " " : "") + word
      column += (index > 0 ? 1 : 0) + length
    }
  }
  return result
}

/// `"57-day" is none of 28-day, 56-day; did you mean "56-day"?`
public func unknownValue(_ text: String, among values: [String]) -> String {
  let near = nearest(to: text, among: values).map { "; did you mean \"\($0)\"?" } ?? ""
  return "\"\(text)\" is none of \(values.joined(separator: ", "))\(near)"
}

/// `Did you mean Denver? Known ids: Denver, Miami.`; nil if nothing is similar and there is no other text.
public func didYouMean(_ word: String, among candidates: [String], or text: String? = nil) -> String? {
  let near = nearest(to: word, among: candidates).map { "Did you mean \($0)?" }
  return near == nil && text == nil ? nil : [near, text].compactMap(\.self).joined(separator: " ")
}

/// Returns the candidate that a mistyped word most likely means, in any case; nil when none is similar.
public func nearest(to word: String, among candidates: [String]) -> String? {
  candidates.map { ($0, editDistance(word.lowercased(), $0.lowercased())) }
    .filter { $0.1 <= max(2, word.count / 3) }
    .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
}

/// The Levenshtein distance: the number of letters to insert, delete or replace.
public func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let change = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
