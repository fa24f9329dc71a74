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
  func result(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  func result(json value: some Encodable) throws {
    FileHandle.standardOutput.write(try CanonicalJSON.pretty(value))
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

  func show(_ fault: Fault) {
    if json {
      JSONProgress(write: Console.complain).report(.failed(step: "chartpipe", fault: fault))
      return
    }
    var text = "\(terminal.red("error:")) \(fault.message)\n"
    if verbose { text += fault.causeLines }
    Console.complain(text)
  }

  @Sendable static func complain(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
