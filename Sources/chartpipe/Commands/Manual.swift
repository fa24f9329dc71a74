internal import Core

extension CommandSpec {
  static let completions = CommandSpec(
    name: "completions", summary: "Prints a completion script for bash, zsh or fish.",
    operands: OperandSpec(name: "SHELL", help: "bash, zsh or fish"),
    options: [],
    examples: """
      chartpipe completions bash > ~/.local/share/bash-completion/completions/chartpipe
        bash reads the script in its next session
      chartpipe completions fish > ~/.config/fish/completions/chartpipe.fish
        fish reads the script immediately
      """,
    action: runCompletions)
}

private func runCompletions(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let name = arguments.operands[0]
  guard let shell = Shell(rawValue: name) else {
    throw arguments.usageError(
      "there is no completion for \"\(name)\"", remedy: "Valid shells: bash, zsh, fish.")
  }
  try console.result(shell.script(for: Chartpipe.commands))
  return nil
}

extension CommandSpec {
  static let manual = CommandSpec(
    name: "manual", summary: "Prints the manual page in the format of `man`.", operands: nil, options: [],
    examples: """
      chartpipe manual | man -l -
        shows the page
      chartpipe manual > ~/.local/share/man/man1/chartpipe.1
        installs the page
      """,
    action: runManual)
}

private func runManual(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  try console.result(ManualPage.text(for: Chartpipe.groups))
  return nil
}
