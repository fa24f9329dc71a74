internal import Core
internal import Foundation
internal import Pipeline

/// Compares a column with the same column of a database that is known to be correct.
struct ColumnComparison {
  let now: ColumnProfile
  let rows: Int
  let before: ColumnProfile
  let rowsBefore: Int
  /// Whether `before` comes from a sample, so that its shares vary by chance.
  let isSample: Bool
  let limits: ColumnLimits

  /// A new word in fewer rows is a new code or name.
  private static let newShare = 0.01
  /// Differences in fewer rows are ignored.
  private static let fewestRows = 3
  private static let rowShare = 0.001
  /// A value of this many rows does not vanish by chance.
  private static let lostRows = 10

  /// The differences beyond the limits.
  var problems: [String] {
    // An empty column has no other properties.
    guard filled > 0, filledBefore > 0 else { return [nullProblem].compactMap(\.self) }
    return ([nullProblem] + numberProblems + textProblems + [distinctProblem]).compactMap(\.self)
      + valueProblems
  }

  private var nullProblem: String? {
    guard let nulls = before.nulls, nulls <= limits.sparse,
      limits.refusesFewerNulls || (now.nulls ?? 0) > nulls
    else { return nil }
    return shareProblem("of its rows have no value", now.nulls, nulls, of: rows, rowsBefore)
  }

  private var filled: Int { Int((Double(rows) * (1 - (now.nulls ?? 0))).rounded()) }
  private var filledBefore: Int { Int((Double(rowsBefore) * (1 - (before.nulls ?? 0))).rounded()) }

  // MARK: - Numbers

  private var numberProblems: [String?] {
    if now.isOfNumbers != before.isOfNumbers, before.isOfNumbers || before.isOfTexts {
      return [
        now.isOfNumbers ? "it holds numbers, and held texts" : "it holds texts, and held numbers"
      ]
    }
    return averageProblems + [
      shareProblem(
        "of its numbers are negative", now.negative, before.negative, of: filled, filledBefore),
      shareProblem(
        "of its numbers have more than two decimals", now.fine, before.fine, of: filled, filledBefore),
    ]
  }

  /// Empty where `before` comes from a layout, which has no averages.
  private var averageProblems: [String?] {
    guard let mean = now.mean, let meanBefore = before.mean, let spread = now.spread,
      let spreadBefore = before.spread
    else { return [] }
    let scale = max(spreadBefore, abs(meanBefore) * 0.001, 1e-9)
    let shift = abs(mean - meanBefore) / scale
    // New rows of a cycle move the average of a few hundred rows by chance.
    let chance = (isSample ? 4.0 : 1.0) / Double(max(1, filledBefore)).squareRoot()
    // The values of an enumeration are compared instead of their average.
    let allowed = min(filled, filledBefore) >= 10 && !(now.listsAllValues && before.listsAllValues)
    return [
      allowed && shift > limits.mean + chance
        ? "its average is \(short(mean)), and was \(short(meanBefore))" : nil,
      allowed && isFar(spread, spreadBefore, slack: scale * 0.02, chance: isSample ? chance : 0)
        ? "its standard deviation is \(short(spread)), and was \(short(spreadBefore))" : nil,
    ]
  }

  // MARK: - Texts

  private var textProblems: [String?] {
    guard let length = now.length, let lengthBefore = before.length else { return [] }
    let chance = isSample ? 2 / Double(max(1, filledBefore)).squareRoot() : 0
    let isLong = isFar(length, lengthBefore, slack: 0.5, chance: chance)
    return [
      isLong ? "its texts have \(short(length)) characters on average, and had \(short(lengthBefore))" : nil,
      characterProblem("of its letters are small", now.lowercase, before.lowercase, chance),
      characterProblem("of its letters are vowels", now.vowels, before.vowels, chance),
      characterProblem("of its characters are digits", now.digits, before.digits, chance),
      characterProblem("of its characters are not ASCII", now.foreign, before.foreign, chance),
    ]
  }

  private func characterProblem(
    _ what: String, _ now: Double?, _ before: Double?, _ chance: Double
  ) -> String? {
    guard let now, let before, filled >= 10, filledBefore >= 10,
      abs(now - before) > limits.characters + chance
    else { return nil }
    return "\(percent(now)) \(what), and \(percent(before)) were"
  }

  // MARK: - Values

  private var distinctProblem: String? {
    guard !isSample, let distinct = now.distinct, let distinctBefore = before.distinct else { return nil }
    let (count, countBefore) = (distinct * Double(filled), distinctBefore * Double(filledBefore))
    // Small numbers of words are compared word by word.
    guard max(count, countBefore) > 64, abs(log(distinct / distinctBefore)) > log(limits.ratio) else {
      return nil
    }
    return
      "it has \(Counts.grouped(Int(count))) different values, and had \(Counts.grouped(Int(countBefore)))"
  }

  private var valueProblems: [String] {
    guard let values = now.values, let valuesBefore = before.values else { return [] }
    let known = Set(values.keys).union(valuesBefore.keys)
    return known.sorted().compactMap { value in
      // A value that is not listed is rarer than the listed ones, or missing.
      let share = values[value] ?? rarest(now)
      let shareBefore = valuesBefore[value] ?? rarest(before)
      let isNew = valuesBefore[value] == nil
      if isNew, share < ColumnComparison.newShare { return nil }
      if share == 0, before.listsAllValues || valuesBefore[value] != nil {
        let rows = Int((shareBefore * Double(filledBefore)).rounded())
        return rows < ColumnComparison.lostRows
          ? nil : "no value is \"\(value)\", and \(percent(shareBefore)) were"
      }
      return shareProblem("of its values are \"\(value)\"", share, shareBefore, of: filled, filledBefore)
    }
  }

  /// Returns the largest share of a value that is not listed.
  private func rarest(_ profile: ColumnProfile) -> Double {
    profile.listsAllValues ? 0 : profile.values?.values.min() ?? 0
  }

  // MARK: - Limits

  private func shareProblem(
    _ what: String, _ now: Double?, _ before: Double?, of rows: Int, _ rowsBefore: Int
  ) -> String? {
    guard let now, let before, rows > 0, rowsBefore > 0 else { return nil }
    let moved = abs(now - before) * Double(rows)
    let chance =
      isSample
      ? 4 * (1 / Double(rowsBefore) / max(before * (1 - before), 1 / Double(rowsBefore))).squareRoot() : 0
    guard moved >= max(Double(ColumnComparison.fewestRows), Double(rows) * ColumnComparison.rowShare),
      abs(logOdds(now, rows) - logOdds(before, rowsBefore)) > limits.odds + chance
    else { return nil }
    return "\(percent(now)) \(what), and \(percent(before)) were"
  }

  /// Adds half a row to both sides, so that shares of 0 and 1 have finite odds.
  private func logOdds(_ share: Double, _ rows: Int) -> Double {
    let count = share * Double(rows)
    return log((count + 0.5) / (Double(rows) - count + 0.5))
  }

  private func isFar(_ one: Double, _ other: Double, slack: Double, chance: Double) -> Bool {
    let (large, small) = (max(one, other), min(one, other))
    return large - small > slack && large > small * (limits.ratio + chance)
  }
}

extension ColumnProfile {
  fileprivate var isOfNumbers: Bool { mean != nil || fine != nil || negative != nil }
  fileprivate var isOfTexts: Bool { length != nil || lowercase != nil || digits != nil }

  fileprivate var listsAllValues: Bool { (values ?? [:]).values.reduce(0, +) > 0.9999 }
}

/// `97 %`, `0.3 %`
private func percent(_ share: Double) -> String {
  let hundredths = share * 100
  if share == 0 || share == 1 { return "\(Int(hundredths)) %" }
  let digits = hundredths > 10 && hundredths < 90 ? 0 : 2
  return String(format: "%.\(digits)f %%", hundredths)
}

private func short(_ number: Double) -> String { String(format: "%.4g", number) }

/// The largest accepted differences of a column.
///
/// Between whole cycles of 2023-04-20 and 2024-12-26 (APT_BASE, APT_RWY, NAV_BASE) and the sampled one of 2026-02-19 no difference
/// exceeds half of these limits.
struct ColumnLimits {
  /// Shares are compared by the logarithm of their odds, so that 2 % against 0.1 % counts as much as 98 % against 99.9 %.
  let odds: Double
  /// The difference of two averages, in standard deviations.
  let mean: Double
  /// The ratio of two standard deviations, of two average lengths, and of two numbers of different values.
  let ratio: Double
  /// The difference of two shares of characters.
  let characters: Double
  /// A column with a larger share of empty rows may also be completely empty.
  let sparse: Double
  /// Whether fewer empty rows are an error, too.
  let refusesFewerNulls: Bool

  /// The limits for the last cycle.
  static let neighbour = ColumnLimits(
    odds: 1.5, mean: 0.2, ratio: 1.3, characters: 0.06, sparse: 1, refusesFewerNulls: true)
  /// The limits for the good cycles in the definition, which may be years old.
  static let reference = ColumnLimits(
    odds: 2, mean: 0.35, ratio: 1.6, characters: 0.1, sparse: 0.95, refusesFewerNulls: false)
}
