/// Text on its way into HTML. Names and messages come from files, so nothing of them may be taken for markup.
func escaped(_ text: String) -> String {
  var safe = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": safe += "&amp;"
    case "<": safe += "&lt;"
    case ">": safe += "&gt;"
    case "\"": safe += "&quot;"
    case "'": safe += "&#39;"
    default: safe.unicodeScalars.append(character)
    }
  }
  return safe
}

/// A message in which commands and keys stand between backticks.
func prose(_ text: String) -> String {
  let parts = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
  guard !parts.count.isMultiple(of: 2) else { return parts.joined(separator: "`") }
  return parts.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "<code>\($0.element)</code>" }
    .joined()
}
