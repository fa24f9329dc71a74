internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Gathers what the values of one column look like, row by row.
struct ColumnSurvey {
  /// Of long texts only the beginning is looked at, letter by letter.
  private static let letters = 64
  /// An enumeration has at most so many values, which are all kept; of other columns only the most frequent are.
  private static let words = 64
  private static let frequent = 12
  private static let frequentShare = 0.005

  private var rows = 0
  private var nulls = 0
  private var numbers = Numbers()
  private var texts = Texts()
  private var values = ValueCounts()

  mutating func add(_ row: SQLiteRow, _ column: Int) {
    rows += 1
    if row.isNull(column) {
      nulls += 1
    } else if row.isNumber(column) {
      let number = row.double(column)
      numbers.add(number)
      values.add(mixed((number == 0 ? 0 : number).bitPattern)) { row.text(column) ?? "" }
    } else {
      row.withText(column) { bytes in
        texts.add(bytes, letters: ColumnSurvey.letters)
        values.add(stableHash(bytes)) { row.text(column) ?? "" }
      }
    }
  }

  var profile: ColumnProfile {
    var profile = ColumnProfile(nulls: share(nulls, rows))
    let filled = rows - nulls
    guard filled > 0 else { return profile }
    numbers.describe(&profile)
    texts.describe(&profile)
    let all = values.all
    // Days differ from cycle to cycle, as they must.
    guard !(all ?? []).contains(where: { $0.text.isDay }) else { return profile }
    profile.distinct = rounded(values.differentValues / Double(filled))
    profile.values = all.flatMap { frequentValues($0, filled) }
    return profile
  }

  private func frequentValues(_ all: [(text: String, count: Int)], _ filled: Int) -> [String: Double]? {
    let sorted = all.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    let kept =
      sorted.count <= ColumnSurvey.words
      ? sorted[...]
      : sorted.prefix(ColumnSurvey.frequent).filter {
        share($0.count, filled) >= ColumnSurvey.frequentShare
      }[...]
    guard !kept.isEmpty, sorted.count * 2 <= filled || filled == 1 else { return nil }
    return Dictionary(uniqueKeysWithValues: kept.map { ($0.text, share($0.count, filled)) })
  }

  private struct Numbers {
    /// Numbers farther from the average, in standard deviations, count as if they were no farther: one wrong weight among
    /// thousands must not decide.
    private static let farthest = 8.0

    private var all: [Double] = []
    private var negative = 0
    private var fine = 0

    mutating func add(_ number: Double) {
      guard number.isFinite else { return }
      all.append(number)
      if number < 0 { negative += 1 }
      let hundredths = number * 100
      if abs(hundredths - hundredths.rounded()) > 0.000_01 { fine += 1 }
    }

    func describe(_ profile: inout ColumnProfile) {
      guard !all.isEmpty else { return }
      let (mean, spread) = moments(within: -.infinity ... .infinity)
      let reach = Numbers.farthest * spread
      let clipped = moments(within: mean - reach...mean + reach)
      profile.mean = rounded(clipped.mean)
      profile.spread = rounded(clipped.spread)
      profile.negative = share(negative, all.count)
      profile.fine = share(fine, all.count)
    }

    /// Of the differences from the first number, so that large numbers with a small spread keep their digits.
    private func moments(within range: ClosedRange<Double>) -> (mean: Double, spread: Double) {
      let first = all[0]
      var (sum, squares) = (0.0, 0.0)
      for number in all {
        let difference = min(max(number, range.lowerBound), range.upperBound) - first
        sum += difference
        squares += difference * difference
      }
      let mean = sum / Double(all.count)
      return (first + mean, max(0, squares / Double(all.count) - mean * mean).squareRoot())
    }
  }

  private struct Texts {
    var count = 0
    var bytes = 0
    var looked = 0
    var letters = 0
    var lowercase = 0
    var vowels = 0
    var digits = 0
    var foreign = 0

    mutating func add(_ text: UnsafeBufferPointer<UInt8>, letters most: Int) {
      count += 1
      bytes += text.count
      let length = min(text.count, most)
      looked += length
      for index in 0..<length {
        let kind = CharacterKinds.all[Int(text[index])]
        letters += Int(kind & 1)
        lowercase += Int((kind >> 1) & 1)
        vowels += Int((kind >> 2) & 1)
        digits += Int((kind >> 3) & 1)
        foreign += Int((kind >> 4) & 1)
      }
    }

    func describe(_ profile: inout ColumnProfile) {
      guard count > 0 else { return }
      profile.length = rounded(Double(bytes) / Double(count))
      profile.lowercase = share(lowercase, max(1, letters))
      profile.vowels = share(vowels, max(1, letters))
      profile.digits = share(digits, max(1, looked))
      profile.foreign = share(foreign, max(1, looked))
    }
  }
}

/// For each byte one bit for each kind that it is of: a letter, a small letter, a vowel, a digit, no ASCII.
private enum CharacterKinds {
  static let all: [UInt8] = (0...255).map { (byte: UInt8) in
    let isSmall = (0x61...0x7A).contains(byte)
    let isLetter = isSmall || (0x41...0x5A).contains(byte)
    let isVowel = isLetter && "aeiou".utf8.contains(byte | 0x20)
    let isDigit = (0x30...0x39).contains(byte)
    return (isLetter ? 1 : 0) | (isSmall ? 2 : 0) | (isVowel ? 4 : 0) | (isDigit ? 8 : 0)
      | (byte > 127 ? 16 : 0)
  }
}

private func share(_ part: Int, _ whole: Int) -> Double {
  whole == 0 ? 0 : rounded(Double(part) / Double(whole))
}

/// To six digits, which is more than any limit asks for.
private func rounded(_ number: Double) -> Double { Double(String(format: "%.6g", number)) ?? number }

extension String {
  /// `2026-11-26` or `2026-11`.
  fileprivate var isDay: Bool {
    let parts = split(separator: "-", omittingEmptySubsequences: false)
    return [2, 3].contains(parts.count) && parts[0].count == 4
      && parts.dropFirst().allSatisfy { $0.count == 2 }
      && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
