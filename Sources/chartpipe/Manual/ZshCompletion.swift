/// Completion for zsh, with the words of `--help` beside every option.
enum ZshCompletion {
  static func script(for commands: [CommandSpec]) -> String {
    """
    #compdef chartpipe
    # zsh completion for chartpipe, written by `chartpipe completions zsh`
    _chartpipe_pipelines() {
      local -a names=(pipelines/*.json5(N:t:r))
      compadd -- ${names:#*(corrections|columns)*}
    }
    _chartpipe() {
      local -a commands=(
    \(commands.map { "    \(shellQuoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        return
      fi
      local command=$words[2]
      shift words; (( CURRENT-- ))
      case $command in
    \(commands.map(arguments).joined(separator: "\n"))
      esac
    }
    _chartpipe "$@"

    """
  }

  private static func arguments(of command: CommandSpec) -> String {
    let options = command.allOptions.map { option in
      let mark = option.isRepeatable ? "*" : ""
      let help = option.help.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
      let value = option.completion.map { ":value:\(action($0))" } ?? ""
      return shellQuoted("\(mark)\(option.name)[\(help)]\(value)")
    }
    let operands = command.operands.map { _ in [shellQuoted("*:operand:\(action(command.operandCompletion))")]
    }
    let lines = (options + (operands ?? [])).joined(separator: " \\\n        ")
    return "    \(command.name)) _arguments \(lines) ;;"
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .pipelines: "_chartpipe_pipelines"
    case .nothing: " "
    }
  }
}
