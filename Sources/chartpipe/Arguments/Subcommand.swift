import Core
import Pipeline

/// A command: it knows its specification, takes parsed arguments, does its work and returns.
protocol Subcommand: Sendable {
  static var spec: CommandSpec { get }
  init(_ arguments: ParsedArguments) throws
  /// - Returns: nil when all went well, else what the exit code should say.
  func run(_ console: Console) throws -> UserError.Kind?
}

extension Subcommand {
  static func fault(_ problem: String, remedy: String? = nil) -> UserError {
    ParsedArguments.fault(spec.name, problem, remedy: remedy)
  }
}
