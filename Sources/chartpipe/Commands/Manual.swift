import Core
import Pipeline

struct Completions: Subcommand {
  static let spec = CommandSpec(
    name: "completions", summary: "Prints a script that lets a shell complete chartpipe's commands.",
    operands: OperandSpec(name: "SHELL", help: "bash, zsh or fish", minimum: 1, maximum: 1),
    options: [],
    examples: [
      (
        "chartpipe completions bash > ~/.local/share/bash-completion/completions/chartpipe",
        "bash completes from the next session on"
      ),
      ("chartpipe completions fish > ~/.config/fish/completions/chartpipe.fish", "fish at once"),
    ])

  private let shell: Shell

  init(_ arguments: ParsedArguments) throws {
    let name = arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      throw Self.usageError("there is no completion for \"\(name)\"", remedy: "There is bash, zsh and fish.")
    }
    self.shell = shell
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    try console.result(shell.script(for: Chartpipe.commands.map { $0.spec }))
    return nil
  }
}

struct Manual: Subcommand {
  static let spec = CommandSpec(
    name: "manual", summary: "Prints the manual page, as `man` reads it.", operands: nil, options: [],
    examples: [
      ("chartpipe manual | man -l -", "reads it at once"),
      ("chartpipe manual > ~/.local/share/man/man1/chartpipe.1", "installs it"),
    ])

  init(_ arguments: ParsedArguments) {}

  func run(_ console: Console) throws -> UserError.Kind? {
    try console.result(ManualPage.text(for: Chartpipe.commands.map { $0.spec }))
    return nil
  }
}
