extension String {
  /// The text with another form of each of these characters. CR LF, which is one `Character`, is two of them.
  public func escaped(_ forms: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let form = forms[scalar] { text += form } else { text.unicodeScalars.append(scalar) }
    }
  }

  /// For text and quoted attributes of HTML and XML.
  public var escapedForXML: String { escaped(formsInXML) }
}

private let formsInXML: [Unicode.Scalar: String] = [
  "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
]
