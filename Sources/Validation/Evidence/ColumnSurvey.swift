internal import Aero
internal import Core
public import Foundation
public import Pipeline
internal import SQLiteIO

/// Collects the profile of one column, row by row.
struct ColumnSurvey {
  /// The letters of a long text that are counted, from its beginning.
  private static let letters = 64
  /// An enumeration has at most `words` values, which are all kept; other columns keep only the most frequent values.
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
    // Dates always differ between cycles.
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

/// Counts the values of a column, unless it has too many different ones, and estimates the number of different values.
///
/// Values are stored by a hash of their bytes in a table of fixed size, so that millions of them need little memory.
struct ValueCounts {
  /// With more different values than this no value is frequent.
  private static let limit = 2048
  private static let slots = 4096
  /// The bits of the estimate; each value sets one.
  private static let bits = 1 << 18

  private var keys = [UInt64](repeating: 0, count: ValueCounts.slots)
  private var counts = [Int](repeating: 0, count: ValueCounts.slots)
  private var values: [(slot: Int, text: String)] = []
  private var seen = [UInt64](repeating: 0, count: ValueCounts.bits / 64)
  private(set) var isOverfull = false

  /// - Parameter text: returns the value as text; called once for each different value.
  mutating func add(_ hash: UInt64, _ text: () -> String) {
    let bit = Int(hash & UInt64(ValueCounts.bits - 1))
    seen[bit >> 6] |= 1 << UInt64(bit & 63)
    guard !isOverfull else { return }
    var slot = Int(hash >> 32) & (ValueCounts.slots - 1)
    while counts[slot] > 0, keys[slot] != hash { slot = (slot + 1) & (ValueCounts.slots - 1) }
    if counts[slot] == 0 {
      guard values.count < ValueCounts.limit else {
        isOverfull = true
        return
      }
      keys[slot] = hash
      values.append((slot, text()))
    }
    counts[slot] += 1
  }

  /// Exact for few values; otherwise estimated from the bits that are unset.
  var differentValues: Double {
    guard isOverfull else { return Double(values.count) }
    let set = seen.reduce(0) { $0 + $1.nonzeroBitCount }
    let bits = Double(ValueCounts.bits)
    return -bits * log(max(1, bits - Double(set)) / bits)
  }

  /// Nil for too many values.
  var all: [(text: String, count: Int)]? {
    isOverfull ? nil : values.map { ($0.text, counts[$0.slot]) }
  }
}

/// Returns a hash of bytes that is equal on every machine.
func stableHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return mixed(hash)
}

/// Returns a hash with the bits of a number spread over all of its bits.
func mixed(_ bits: UInt64) -> UInt64 {
  var hash = bits
  hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
  hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
  return hash ^ (hash >> 33)
}

/// The profiles of the columns of a database's tables.
enum TableSurvey {
  /// Larger tables are sampled: about this many evenly spread rows.
  private static let rows = 50_000

  /// - Parameter reference: the profiles to compare with, which select the columns; nil for all columns of all tables.
  static func profiles(
    of database: DatabaseUnderTest, for reference: [String: TableProfile]? = nil
  ) throws -> [String: TableProfile] {
    var tables = try database.known.filter { $0.name != "metadata" }
    if let reference {
      tables = tables.filter { reference[$0.name] != nil }
    }
    return Dictionary(
      uniqueKeysWithValues: try tables.map { table in
        let columns = reference?[table.name].map { Set($0.columns.keys) }
        return (table.name, try profile(of: table, columns, database.connection))
      })
  }

  private static func profile(
    of table: TableSchema, _ needed: Set<String>?, _ connection: SQLiteConnection
  ) throws -> TableProfile {
    // Other rules compare keys and links.
    let columns = table.columns.filter {
      !$0.type.contains("INTEGER PRIMARY KEY") && needed?.contains($0.name) ?? true
    }
    let names = (["0"] + columns.map { "\"\($0.name)\"" }).joined(separator: ", ")
    let all = try connection.numbers("SELECT count(*) FROM \(table.name)").first ?? 0
    let step = table.isKeyed ? 1 : max(1, all / rows)
    let some = step == 1 ? "" : " WHERE rowid % \(step) = 0"
    var surveys = [ColumnSurvey](repeating: ColumnSurvey(), count: columns.count)
    var sampled = 0
    try connection.prepare("SELECT \(names) FROM \(table.name)\(some)").rows { row in
      sampled += 1
      for index in surveys.indices { surveys[index].add(row, index + 1) }
    }
    let profiles = zip(columns, surveys).map { ($0.name, $1.profile) }
    return TableProfile(rows: sampled, columns: Dictionary(uniqueKeysWithValues: profiles))
  }
}

extension DatabaseUnderTest {
  func columnProfiles(of reference: [String: TableProfile]? = nil) throws -> [String: TableProfile] {
    try TableSurvey.profiles(of: self, for: reference)
  }
}

/// The column profiles of a database, to be stored with a pipeline's definition.
public enum DatabaseColumnProfiles {
  public static func of(_ file: URL) throws -> [String: TableProfile] {
    let profiles: [String: TableProfile]
    do {
      profiles = try TableSurvey.profiles(of: DatabaseUnderTest(file, place: file.relativePath))
    } catch let error as SQLiteError {
      throw notOurs(file, "it is not an app database of this program", causes: [error])
    }
    guard !profiles.isEmpty else { throw notOurs(file, "it has none of the tables of an app database") }
    return profiles.filter { $1.rows > 0 }
  }

  private static func notOurs(_ file: URL, _ reason: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "inspecting the columns of", path: file.relativePath, reason: reason,
      suggestion: "Name an aviation.sqlite or obstacles.sqlite that `chartpipe build` wrote.", causes: causes)
  }
}
