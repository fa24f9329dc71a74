import Core
import Foundation
import Pipeline
import SQLiteIO

@main
struct Chartpipe {
  static let commands: [any Subcommand.Type] = [
    Cycle.self, Doctor.self, Due.self, Plan.self, FetchCommand.self, Build.self, Validate.self, Inspect.self,
    Diff.self,
    Convert.self, Patch.self, Pack.self, Stage.self, Run.self, Preview.self, Keygen.self, Publish.self,
    Rollback.self,
    Status.self, Verify.self, MirrorSite.self, Reproduce.self, Correct.self, Completions.self, Manual.self,
  ]

  static func main() {
    StandardFiles.keepOpen()
    Interrupt.hold()
    SQLiteConnection.configureLibrary()
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Finds the command, runs it so that Ctrl-C can stop it, and turns the outcome into the exit code.
  static func run(_ words: [String]) -> Int32 {
    var console = Console(json: words.contains("--json"))
    do {
      guard let (command, arguments) = try parse(words) else { return 0 }
      console = Console(arguments)
      let cancellation = CancellationToken()
      Interrupt.listen { cancellation.cancel() }
      return try cancellation.run { try command.init(arguments).run(console)?.rawValue ?? 0 }
    } catch {
      return report(error, console)
    }
  }

  /// Nil when the call was for help or the version, which is shown here.
  private static func parse(_ words: [String]) throws -> (any Subcommand.Type, ParsedArguments)? {
    let specs = commands.map { $0.spec }
    switch words.first {
    case nil:
      throw ParsedArguments.usageError("", "a command is missing")
    case "--help", "-h", "help":
      try Console.answer(Data(HelpText.overview(specs).utf8))
      return nil
    case "--version":
      try Console.answer(Data("\(ToolVersion.tool) \(ToolVersion.version)\n".utf8))
      return nil
    case let name?:
      guard let command = commands.first(where: { $0.spec.name == name }) else {
        let near = nearest(to: name, among: specs.map(\.name))
        throw ParsedArguments.usageError(
          "", "there is no command \"\(name)\"", remedy: near.map { "Did you mean \($0)?" })
      }
      let arguments = try ParsedArguments(Array(words.dropFirst()), for: command.spec)
      guard arguments.has("--help") else { return (command, arguments) }
      try Console.answer(Data(HelpText.command(command.spec).utf8))
      return nil
    }
  }

  private static func report(_ error: any Error, _ console: Console) -> Int32 {
    let fault =
      switch error {
      case let fault as UserError: fault
      case is CancellationError:
        UserError(
          .interrupted, operation: "working", reason: "stopped",
          suggestion: "Nothing is half-written; the same command goes on where this one ended.")
      default: UserError(.failed, operation: "working", reason: "\(error)", causes: [error])
      }
    console.show(fault)
    return fault.kind.rawValue
  }
}
