import Core
import Pipeline

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
