internal import Core
internal import Foundation

/// A command of the program.
protocol Subcommand: Sendable {
  static var spec: CommandSpec { get }
  init(_ arguments: ParsedArguments) throws
  /// - Returns: nil on success, otherwise the kind of failure, which is the exit code.
  func run(_ console: Console) throws -> UserError.Kind?
}

extension Subcommand {
  static func usageError(_ problem: String, remedy: String? = nil) -> UserError {
    ParsedArguments.usageError(spec.name, problem, remedy: remedy)
  }
}

/// Commands for one task, such as publishing.
struct CommandGroup: Sendable {
  let title: String
  let commands: [any Subcommand.Type]

  var specs: [CommandSpec] { commands.map { $0.spec } }
}
