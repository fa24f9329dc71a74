/// Breaks a line at blanks, so that none is longer than the width; the lines that follow begin at `hanging`. A word that is
/// longer than that stays whole.
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
