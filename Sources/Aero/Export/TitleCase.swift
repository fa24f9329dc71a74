internal import Foundation
internal import SQLiteIO

/// Converts the FAA's capitals to title case, in all exports: `PALO ALTO` to Palo Alto, `CHICAGO O'HARE INTL` to Chicago O'Hare Intl.
///
/// Rules cover most words, and `names.txt` has the spellings of the others. A name with lower-case letters does not change.
enum TitleCase {
  /// The entries of `names.txt`.
  private static let entries: [String] = {
    let lines = String(decoding: PackageResources.names_txt, as: UTF8.self).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.flatMap { $0.split(separator: " ") }.map(String.init)
  }()

  /// The spelling of each word, by the word in capitals.
  private static let spellings = Dictionary(
    first: entries.filter { !$0.contains("_") }.map { ($0.uppercased(), $0) })

  /// The phrases as the rules write them, and their correct forms.
  private static let phrases: [(wrong: String, right: String)] = entries.filter { $0.contains("_") }.map {
    let right = $0.replacing("_", with: " ")
    return (words(right.uppercased()), right)
  }

  private static let articles: Set<Substring> = ["LA", "LAS", "LOS"]
  /// Two letters after a comma that are not a state: `CHARLES A CANNON, JR`.
  private static let namesAfterComma: Set<Substring> = ["JR", "SR", "ST"]
  private static let ordinals = ["ST", "ND", "RD", "TH"]

  static func name(_ text: String) -> String {
    guard !text.contains(where: \.isLowercase) else { return text }
    return phrases.reduce(words(text)) { $0.contains($1.wrong) ? $0.replacing($1.wrong, with: $1.right) : $0 }
  }

  private static func words(_ text: String) -> String {
    var result = ""
    var isStart = true
    var isAfterComma = false
    var isAfterMc = false
    var isAfterDe = false
    var rest = text[...]
    while let first = rest.first {
      guard isPartOfWord(first) else {
        rest.removeFirst()
        // McGhee for MC GHEE.
        if isAfterMc, first == " ", rest.first?.isLetter == true { continue }
        isAfterMc = false
        result.append(first)
        if first != " " { (isStart, isAfterComma) = (first == "/" || first == "(", first == ",") }
        continue
      }
      let word = rest.prefix(while: isPartOfWord)
      rest = rest.dropFirst(word.count)
      isAfterMc = word == "MC" && rest.first == " " && rest.dropFirst().prefix(while: \.isLetter).count > 2
      // As in Aponte de la Torre.
      let isArticle = isAfterDe && articles.contains(word)
      if isArticle {
        result += word.lowercased()
      } else if isAfterMc {
        result += "Mc"
      } else if isAfterComma && word.count == 2 && !namesAfterComma.contains(word) {
        // A state.
        result += word
      } else {
        result += spelled(word, isOuter: isStart || !rest.contains(where: isPartOfWord))
      }
      (isStart, isAfterComma, isAfterDe) = (false, false, word == "DE")
    }
    return result
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "&" || isApostrophe(character)
  }

  private static func isApostrophe(_ character: Character) -> Bool {
    character == "'" || character == "\u{2019}"
  }

  /// - Parameter isOuter: whether it is the first or the last word of a name.
  private static func spelled(_ word: Substring, isOuter: Bool) -> String {
    if let spelling = spellings[String(word)] {
      // Only small words such as `of` have no capital.
      let isSmall = isOuter && !spelling.contains(where: \.isUppercase)
      return isSmall ? capitalized(spelling[...]) : spelling
    }
    if word.contains("&") {
      return word.split(separator: "&", omittingEmptySubsequences: false)
        .map { $0.count < 3 ? String($0) : spelled($0, isOuter: true) }.joined(separator: "&")
    }
    if let first = word.first, isApostrophe(first) {
      return String(first) + spelled(word.dropFirst(), isOuter: isOuter)
    }
    if word.contains(where: \.isNumber) { return withNumber(word) }
    if let apostrophe = word.firstIndex(where: isApostrophe) { return split(word, at: apostrophe) }
    if word.hasPrefix("MC"), word.count > 4, hasVowel(word.dropFirst(2)) {
      return "Mc" + capitalized(word.dropFirst(2))
    }
    // Initials and abbreviations: J T, RLM, NW.
    return word.count < 3 || !hasVowel(word) ? String(word) : capitalized(word)
  }

  /// O'Hare, L'Anse and O'Brien's; Bob's; Fought'n'Won; Ni'ihau.
  private static func split(_ word: Substring, at apostrophe: Substring.Index) -> String {
    let (before, after) = (word[..<apostrophe], word[apostrophe...].dropFirst())
    let mark = String(word[apostrophe])
    if after.first == "N", after.dropFirst().first.map(isApostrophe) == true, after.count > 2 {
      return spelled(before, isOuter: true) + mark + "n" + after.dropFirst().prefix(1)
        + spelled(after.dropFirst(2), isOuter: true)
    }
    if before.count == 1, after.count > 1, !"AEIU".contains(before) {
      return before + mark + spelled(after, isOuter: true)
    }
    // Two letters before more than an ending are a syllable, not initials: Pu'u, but AJ's.
    let isSyllable = before.count == 2 && after != "S" && !after.isEmpty && hasVowel(before)
    let start = isSyllable ? capitalized(before) : spelled(before, isOuter: true)
    return start + mark + after.lowercased()
  }

  /// 1st; F16 stays.
  private static func withNumber(_ word: Substring) -> String {
    let digits = word.prefix(while: \.isNumber)
    let ending = String(word.dropFirst(digits.count))
    return !digits.isEmpty && ordinals.contains(ending) ? digits + ending.lowercased() : String(word)
  }

  private static func hasVowel(_ word: Substring) -> Bool {
    word.contains { "AEIOUY".contains($0) || !$0.isASCII }
  }

  private static func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst().lowercased()
  }
}

extension SQLiteConnection {
  /// Adds the function `title_case` to SQL.
  func addTitleCase() throws {
    // Of an obstacle file's 600,000 names of cities few are different.
    var known: [String: String] = [:]
    try addFunction("title_case") { text in
      if let name = known[text] { return name }
      let name = TitleCase.name(text)
      known[text] = name
      return name
    }
  }
}
