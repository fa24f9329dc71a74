internal import Core
internal import Foundation
internal import SQLiteIO

/// The program.
public enum Chartpipe {
  /// All commands, by task. `--help` and the manual page list them in this order.
  static let groups: [CommandGroup] = [
    CommandGroup(
      title: "Build",
      commands: [Run.self, Plan.self, FetchCommand.self, Build.self, Join.self, Status.self, Correct.self]),
    CommandGroup(
      title: "Check",
      commands: [Validate.self, Inspect.self, Diff.self, Verify.self, Reproduce.self, Doctor.self]),
    CommandGroup(title: "Publish", commands: [Stage.self, Publish.self, Rollback.self, Keygen.self]),
    CommandGroup(title: "Serve", commands: [Preview.self, MirrorSite.self, Pack.self]),
    CommandGroup(title: "Schedule", commands: [Cycle.self, Due.self]),
    CommandGroup(title: "Tools", commands: [TileCommand.self, Convert.self, Completions.self, Manual.self]),
  ]

  static var commands: [any Subcommand.Type] { groups.flatMap(\.commands) }

  public static func main() {
    StandardFiles.keepOpen()
    Interrupt.hold()
    SQLiteConnection.configureLibrary()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Finds and runs the command, and returns its exit code. Ctrl-C cancels it.
  static func run(_ words: [String]) -> Int32 {
    var console = Console(json: words.contains("--json"))
    do {
      guard let (command, arguments) = try parse(words) else { return 0 }
      console = Console(arguments)
      arguments.checkKeyMode(console.progress)
      let cancellation = CancellationToken()
      Interrupt.listen { cancellation.cancel() }
      return try cancellation.run { try command.init(arguments).run(console)?.rawValue ?? 0 }
    } catch {
      return report(error, console)
    }
  }

  /// Returns nil after printing the help or the version.
  private static func parse(_ words: [String]) throws -> (any Subcommand.Type, ParsedArguments)? {
    switch words.first {
    case nil:
      throw ParsedArguments.usageError("", "a command is missing")
    case "--help", "-h":
      try Console.answer(Data(HelpText.overview(groups).utf8))
      return nil
    case "help":
      try Console.answer(Data(help(words.dropFirst()).utf8))
      return nil
    case "--version":
      try Console.answer(Data("\(ToolVersion.tool) \(ToolVersion.version)\n".utf8))
      return nil
    case let name?:
      let command = try command(name)
      let arguments = try ParsedArguments(Array(words.dropFirst()), for: command.spec)
      guard arguments.has("--help") else { return (command, arguments) }
      try Console.answer(Data(HelpText.command(command.spec).utf8))
      return nil
    }
  }

  private static func command(_ name: String) throws -> any Subcommand.Type {
    if let command = commands.first(where: { $0.spec.name == name }) { return command }
    let near = nearest(to: name, among: commands.map { $0.spec.name })
    throw ParsedArguments.usageError(
      "", "there is no command \"\(name)\"", remedy: near.map { "Did you mean \($0)?" })
  }

  /// The text of `chartpipe help` and `chartpipe help COMMAND`.
  private static func help(_ words: ArraySlice<String>) throws -> String {
    guard let name = words.first(where: { !$0.hasPrefix("-") }) else { return HelpText.overview(groups) }
    if let extra = words.dropFirst().first(where: { !$0.hasPrefix("-") && $0 != name }) {
      throw ParsedArguments.usageError("", "help takes one command, and \"\(extra)\" is another one")
    }
    return HelpText.command(try command(name).spec)
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
