import Core
import Foundation
import Pipeline

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
