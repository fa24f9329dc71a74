import Core
import Foundation
import Pipeline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The two ways out: results on standard output, everything else on standard error.
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

  /// For a call that could not be understood, and so gave no options.
  init(json: Bool) {
    (quiet, verbose, self.json) = (false, false, json)
  }

  /// For what the person asked for.
  func result(_ text: String) throws { try Console.answer(Data(text.utf8)) }

  func result(json value: some Encodable) throws { try Console.answer(CanonicalJSON.pretty(value)) }

  /// A result that does not arrive is a failure, since somebody relies on it.
  static func answer(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      throw UserError(
        .failed, operation: "writing the result to", path: "standard output", reason: error.fileErrorReason,
        suggestion: "Look where the output is sent to.", causes: [error])
    }
  }

  /// For what is good to know and nobody's result.
  func note(_ text: String) {
    if !quiet && !json { Console.complain(text + "\n") }
  }

  var progress: any ProgressReporter {
    if quiet { return FailureProgress(lines) }
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

  func show(_ fault: UserError) {
    if json {
      JSONProgress(write: Console.complain).report(.failed(step: "chartpipe", fault: fault))
      return
    }
    // A bar may stand on the terminal's last line, when the work was stopped.
    let erase = terminal.columns == nil ? "" : "\r\u{1B}[K"
    var text = "\(erase)\(terminal.red("error:")) \(fault.message)\n"
    if verbose { text += fault.causeLines }
    Console.complain(text)
  }

  /// A message that nobody can receive is no reason to stop the work.
  @Sendable static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// What standard error is: a terminal with so many columns, or a log.
struct Terminal: Sendable {
  /// Nil when it is no terminal.
  let columns: Int?
  private let isColored: Bool

  init() {
    guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
      (columns, isColored) = (nil, false)
      return
    }
    var size = winsize()
    let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = known ? Int(size.ws_col) : 80
    isColored = EnvironmentVariable.noColor.value == nil
  }

  func red(_ text: String) -> String { isColored ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text }
}

extension URL {
  /// Writes what somebody asked to have in a file, so that it is there as a whole or not at all.
  func writeAnswer(_ data: Data) throws {
    try aside { try DurableFile.write(data, to: self, scratch: $0) }
  }

  /// The same of what is too large for memory: it is made at another place on the same disk, and moved here when it is whole.
  func makeAnswer<Result>(_ make: (_ scratch: URL) throws -> Result) throws -> Result {
    try aside { scratch in
      let result = try make(scratch)
      try DurableFile.publish(scratch, as: self)
      return result
    }
  }

  private func aside<Result>(_ body: (_ scratch: URL) throws -> Result) throws -> Result {
    // A rename would put a file in the place of a folder, a device or a pipe.
    let kind = try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)[.type]
    if let kind = kind as? FileAttributeType, kind != .typeRegular {
      throw UserError(
        .badCall, operation: "writing", path: path, reason: "it is there already, and is no plain file",
        suggestion: "Name a file.")
    }
    let scratch = deletingLastPathComponent().appending(path: ".\(UUID().uuidString).\(pathExtension)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try body(scratch)
  }

  /// Whether writing to one would overwrite the other.
  func isSameFile(as other: URL) -> Bool {
    resolvingSymlinksInPath().path == other.resolvingSymlinksInPath().path
  }
}
