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
