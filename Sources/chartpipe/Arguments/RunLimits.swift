import Pipeline

/// How much of the machine a run may take.
struct RunLimits: Sendable {
  /// In bytes; nil for what there is.
  var disk: Int?
  var memory: Int?

  static let options: [OptionSpec] = [
    OptionSpec(
      "--max-memory", value: "SIZE",
      "how much memory it may take, such as 500MB or 2GB: so many workers as fit (default: all of --jobs)"),
    OptionSpec(
      "--max-disk", value: "SIZE",
      "how large the work folder may become: a step that would make it larger is not begun (default: as large as its disk)"
    ),
  ]

  init() {}

  init(_ arguments: ParsedArguments, command: String) throws {
    disk = try arguments.size("--max-disk", command: command)
    memory = try arguments.size("--max-memory", command: command)
  }
}

extension ParsedArguments {
  private static let units = ["KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12]

  /// `500MB`, `1.5GB`: in powers of ten, as sizes are told.
  func size(_ option: String, command: String) throws -> Int? {
    guard let text = value(option) else { return nil }
    let digits = text.prefix { $0 == "." || $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).trimmingPrefix(" ").uppercased()
    guard let number = Double(digits), let factor = ParsedArguments.units[unit],
      (1...1e15).contains(number * factor)
    else {
      throw ParsedArguments.fault(command, "\(option) takes a size such as 500MB or 2GB, not \"\(text)\"")
    }
    return Int(number * factor)
  }
}
