/// The kinds of places that an argument takes.
enum PlaceKind: Sendable {
  /// A path on this machine.
  case path
  /// A folder or `s3://bucket/prefix`, to write into.
  case target
  /// A folder or the address of a published site.
  case site
  /// A folder or the web address of a mirror.
  case mirror

  /// The schemes of the addresses that it takes.
  var schemes: [String] {
    switch self {
    case .path: []
    case .target: ["s3"]
    case .site: ["https", "http", "s3"]
    case .mirror: ["https", "http"]
    }
  }

  /// For messages.
  var forms: String {
    switch self {
    case .path: "a path"
    case .target: "a folder or s3://bucket/prefix"
    case .site: "a folder, or an address that begins with https://, http:// or s3://"
    case .mirror: "a folder, or an address that begins with https:// or http://"
    }
  }

  /// The kind that the placeholder of an option implies; nil for an option that takes no place.
  init?(placeholder: String) {
    switch placeholder {
    case "DIR", "FILE", "PNG", "OLD": self = .path
    case "TARGET", "PLACE": self = .target
    case "URL|DIR", "DIR|URL": self = .mirror
    default: return nil
    }
  }
}

/// The text of a place as the user typed it, classified without looking at the disk.
///
/// A mistyped address such as `s3//charts` is a valid relative path. Without this check, `publish` would create that folder and
/// succeed.
enum PlaceText: Equatable {
  case path
  /// The lower-case scheme of an address such as `https://charts.example.org`.
  case address(scheme: String)
  /// A relative path that looks like a mistyped address. `likely` is the right form; nil if it is not known.
  case likeAddress(kind: String, likely: String?)

  init(_ text: String) {
    if let first = text.first, "/.~".contains(first) {
      self = .path
    } else if let match = text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//) {
      let scheme = match.1.lowercased()
      // The scheme of a bucket is case-sensitive in all of this program.
      self =
        scheme == "s3" && match.1 != "s3"
        ? PlaceText.mistyped(scheme, text.dropFirst(match.0.count)) : .address(scheme: scheme)
    } else if let match = text.wholeMatch(of: /(?i)(s3|https|http|gs|r2|file|sftp|ftp)(?::\/?|\/\/)\/*(.*)/) {
      self = PlaceText.mistyped(match.1.lowercased(), match.2)
    } else if text.prefixMatch(of: /[^\/]*:/) != nil {
      self = .likeAddress(kind: "a folder on another machine", likely: nil)
    } else {
      self = .path
    }
  }

  private static func mistyped(_ scheme: String, _ rest: Substring) -> PlaceText {
    let likely = scheme == "file" ? "/\(rest)" : "\(scheme)://\(rest.isEmpty ? "…" : String(rest))"
    return .likeAddress(kind: "an address that begins with \(scheme)://", likely: likely)
  }

  /// Whether an argument of a kind accepts the text.
  func isAccepted(as kind: PlaceKind) -> Bool {
    switch self {
    case .path: true
    case .address(let scheme): kind.schemes.contains(scheme)
    case .likeAddress: false
    }
  }
}

extension ParsedArguments {
  /// Throws an error that names the text, what it looks like, and the next step.
  ///
  /// - Parameter name: `--from` or `TARGET`
  private func check(_ text: String, as kind: PlaceKind, of name: String) throws {
    // Without a password before an `@`.
    let shown = text.replacing(/^[^\/@\s]*:[^\/@\s]*@/, with: "…@")
    switch PlaceText(text) {
    case .path: return
    case .address(let scheme):
      guard !kind.schemes.contains(scheme) else { return }
      throw usageError(
        "\(name) takes \(kind.forms), not the address \"\(shown)\"", remedy: addressRemedy(name, kind))
    case .likeAddress(let likeness, let likely):
      let right = likely.flatMap { PlaceText($0).isAccepted(as: kind) ? "Write \($0)" : nil }
      throw usageError(
        "\(name) \"\(shown)\" looks like \(likeness)",
        remedy: "\(right ?? "\(name) takes \(kind.forms)"), or ./\(shown) if you mean a folder of that name.")
    }
  }

  /// What to do instead of naming an address where a path is needed.
  private func addressRemedy(_ name: String, _ kind: PlaceKind) -> String? {
    guard case .path = kind else { return nil }
    switch name {
    case "--from": return "Download the sources first with `chartpipe fetch`."
    case "SITE": return "Copy the site first with `chartpipe mirror`."
    case "--site": return "Stage into a folder, then upload it with `chartpipe publish`."
    default: return "Name a file or folder on this machine."
    }
  }

  /// Checks the places among the arguments.
  func checkPlaces(_ spec: CommandSpec) throws {
    let places = operandPlaces(spec)
    try checkOrder(places, spec)
    for place in places { try check(place.text, as: place.kind, of: place.name) }
    for option in spec.options {
      guard let kind = option.place else { continue }
      for text in values(option.name) { try check(text, as: kind, of: option.name) }
    }
  }

  private typealias Place = (name: String, text: String, kind: PlaceKind)

  private func operandPlaces(_ spec: CommandSpec) -> [Place] {
    guard let operand = spec.operands else { return [] }
    let names = operand.name.split(separator: " ").map(String.init)
    let skipped = max(0, (operand.maximum ?? 0) - operands.count)
    return operands.enumerated().map { number, text in
      let index = number + skipped
      let name =
        names.count == operands.count + skipped ? names[index] : names.count == 1 ? names[0] : "the operand"
      return (name, text, operand.place(at: index))
    }
  }

  /// Recognizes two operands in the wrong order: each one is right in the other's position only.
  private func checkOrder(_ places: [Place], _ spec: CommandSpec) throws {
    guard places.count == 2, spec.operands?.maximum == 2 else { return }
    let texts = places.map { PlaceText($0.text) }
    let areRight = zip(texts, places).allSatisfy { $0.isAccepted(as: $1.kind) }
    let wouldBeRight = zip(texts.reversed(), places).allSatisfy { $0.isAccepted(as: $1.kind) }
    guard !areRight, wouldBeRight else { return }
    let call = "chartpipe \(spec.name) \(places[1].text) \(places[0].text)"
    throw usageError("\(places[0].name) and \(places[1].name) are swapped", remedy: "Write `\(call)`.")
  }
}
