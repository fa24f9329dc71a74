internal import Core
internal import Foundation
internal import SQLiteIO

/// The program.
public enum Chartpipe {
  /// All commands, by task. `--help` and the manual page list them in this order.
  static let groups: [CommandGroup] = [
    ("Build", [.run, .plan, .fetch, .build, .join, .correct]),
    ("Check", [.validate, .inspect, .diff, .verify, .reproduce, .doctor]),
    ("Publish", [.stage, .publish, .rollback, .keygen]),
    ("Serve", [.preview, .mirror, .pack]),
    ("Schedule", [.cycle, .due]),
    ("Tools", [.tile, .convert, .completions, .manual]),
  ]

  static var commands: [CommandSpec] { groups.flatMap(\.commands) }

  public static func main() {
    Interrupt.keepStandardFilesOpen()
    Interrupt.hold()
    SQLiteConnection.configureLibrary()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Finds and runs the command, and returns its exit code. Ctrl-C cancels it.
  static func run(_ words: [String]) -> Int32 {
    guard !words.isEmpty else {
      // For a script, a call without a command is an error; for a person, it is a question.
      Console.complain(HelpText(for: STDERR_FILENO).overview(groups))
      return UserError.Kind.badCall.rawValue
    }
    var console = Console(json: words.contains("--json"))
    do {
      guard let (command, arguments) = try parse(words) else { return 0 }
      console = Console(arguments)
      arguments.checkKeyMode(console.progress)
      let cancellation = CancellationToken()
      Interrupt.listen { cancellation.cancel() }
      return try cancellation.run { try command.action(arguments, console)?.rawValue ?? 0 }
    } catch {
      return report(error, console)
    }
  }

  /// Returns nil after printing the help or the version.
  private static func parse(_ words: [String]) throws -> (CommandSpec, ParsedArguments)? {
    switch words[0] {
    case "--help", "-h":
      try Console.answer(Data(HelpText(for: STDOUT_FILENO).overview(groups).utf8))
      return nil
    case "help":
      return try parse(words.dropFirst().filter { !$0.hasPrefix("-") } + ["--help"])
    case "--version":
      try Console.answer(Data("\(ToolVersion.tool) \(ToolVersion.version)\n".utf8))
      return nil
    case let name:
      let command = try command(name)
      let arguments = try ParsedArguments(Array(words.dropFirst()), for: command)
      guard arguments.has("--help") else { return (command, arguments) }
      try Console.answer(Data(HelpText(for: STDOUT_FILENO).command(command).utf8))
      return nil
    }
  }

  private static func command(_ name: String) throws -> CommandSpec {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw ParsedArguments.usageError(
      "", "there is no command \"\(name)\"", remedy: didYouMean(name, among: commands.map(\.name)))
  }

  private static func report(_ error: any Error, _ console: Console) -> Int32 {
    let fault =
      switch error {
      case let fault as UserError: fault
      case is CancellationError:
        UserError(
          .interrupted, operation: "interrupted", reason: "stopped by Ctrl-C or a signal",
          suggestion: "No partial file was published. Run the same command again to continue.")
      default: UserError(unexpected: error)
      }
    console.show(fault)
    return fault.kind.rawValue
  }
}
