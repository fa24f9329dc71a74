internal import Core
internal import Foundation

/// Prints results on standard output and everything else on standard error.
struct Console: Sendable {
  let quiet: Bool
  let verbose: Bool
  let json: Bool
  private let terminal = Terminal()

  init(_ arguments: ParsedArguments) {
    quiet = arguments.has("--quiet")
    verbose = arguments.has("--verbose")
    json = arguments.has("--json")
  }

  /// For an invalid call, whose options are unknown.
  init(json: Bool) { (quiet, verbose, self.json) = (false, false, json) }

  /// Prints a result of the command. It may contain texts of a server.
  func result(_ text: String) throws { try Console.answer(Data(text.withoutControls.utf8)) }

  func result(json value: some Encodable) throws { try Console.answer(CanonicalJSON.pretty(value)) }

  /// Prints the result as JSON or as text, as the user asked.
  func result(_ value: some Encodable, text: @autoclosure () -> String) throws {
    if json { try result(json: value) } else { try result(text()) }
  }

  /// Writes to standard output. Throws if that fails, since the caller of the program relies on the result.
  static func answer(_ data: Data) throws {
    try UserError.wrapping(
      "writing the result to", "standard output", suggestion: "Check where the output is redirected to."
    ) { try FileHandle.standardOutput.write(contentsOf: data) }
  }

  /// Prints a remark that is not part of the result.
  func note(_ text: String) {
    if !quiet && !json { Console.complain(text.withoutControls + "\n") }
  }

  var progress: any ProgressReporter {
    // A quiet run still reports why it failed.
    if quiet { return FilteredProgress(reporter: lines) { if case .failed = $0 { true } else { false } } }
    if !json, let columns = terminal.columns {
      return TerminalProgress(columns: columns, showsCauses: verbose, write: Console.complain)
    }
    return lines
  }

  private var lines: any ProgressReporter {
    json
      ? JSONProgress(write: Console.complain)
      : PlainProgress(showsCauses: verbose, write: Console.complain)
  }

  /// Prints an event as a JSON line or as a remark.
  func show(_ event: some Encodable, text: @autoclosure () -> String) throws {
    guard json, !quiet else { return note(text()) }
    Console.complain(try JSONValue.line(event) + "\n")
  }

  func show(_ fault: UserError) {
    if json {
      JSONProgress(write: Console.complain).report(.failed(step: "chartpipe", fault: fault))
      return
    }
    // A progress bar may still be on the last line of the terminal.
    let erase = terminal.columns == nil ? "" : "\r\u{1B}[K"
    var text = "\(erase)\(terminal.red("error:")) \(fault.message)\n"
    if verbose { text += fault.causeLines }
    Console.complain(text)
  }

  /// Writes to standard error. A failure is ignored, so that the work continues.
  @Sendable static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// The terminal on standard error, if there is one.
struct Terminal: Sendable {
  /// Nil if standard error is not a terminal.
  let columns: Int?
  private let isColored: Bool

  init() {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    columns = isDumb ? nil : Terminal.columns(of: STDERR_FILENO)
    isColored = columns != nil && EnvironmentVariable.noColor.value == nil
  }

  /// The width of the terminal at an open file, else $COLUMNS, else 80; nil if the file is not a terminal.
  static func columns(of file: Int32) -> Int? {
    guard isatty(file) == 1 else { return nil }
    var size = winsize()
    if ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80
  }

  func red(_ text: String) -> String { isColored ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text }
}

extension URL {
  /// Whether both paths lead to the same file.
  func isSameFile(as other: URL) -> Bool {
    resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
  }
}
