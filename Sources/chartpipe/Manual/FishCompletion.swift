/// Completion for fish, one line for each command and each option.
enum FishCompletion {
  static func script(for commands: [CommandSpec]) -> String {
    let heads = commands.map {
      "complete -c chartpipe -n __fish_use_subcommand -f -a \($0.name) -d \(quoted($0.summary))"
    }
    let lines = heads + commands.flatMap(options)
    return "# fish completion for chartpipe, written by `chartpipe completions fish`\n"
      + lines.joined(separator: "\n") + "\n"
  }

  private static func options(of command: CommandSpec) -> [String] {
    let seen = "complete -c chartpipe -n '__fish_seen_subcommand_from \(command.name)'"
    let operands = arguments(command.operandCompletion)
    return (operands.isEmpty ? [] : ["\(seen) \(operands)"])
      + command.allOptions.map { option in
        let value = option.completion.map { " -r \(arguments($0))" } ?? ""
        return "\(seen) -l \(option.name.dropFirst(2)) -d \(quoted(option.help))\(value)"
      }
  }

  private static func arguments(_ completion: Completion) -> String {
    switch completion {
    case .files: "-F"
    case .folders: "-f -a '(__fish_complete_directories)'"
    case .words(let words): "-f -a '\(words.joined(separator: " "))'"
    case .pipelines:
      "-f -a '(for f in pipelines/*.json5; string match -qr \"corrections|columns\" $f; or basename $f .json5; end)'"
    case .nothing: "-f"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
