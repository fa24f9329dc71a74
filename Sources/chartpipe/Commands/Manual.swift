internal import Core

extension CommandSpec {
  static let completions = CommandSpec(
    name: "completions", summary: "Prints a completion script for bash and zsh.", operands: nil, options: [],
    examples: """
      chartpipe completions > ~/.local/share/bash-completion/completions/chartpipe
        bash reads the script in its next session
      echo 'source <(chartpipe completions)' >> ~/.zshrc
        so does zsh
      """,
    action: runCompletions)
}

private func runCompletions(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  try console.result(CompletionScript.text(for: Chartpipe.commands))
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
