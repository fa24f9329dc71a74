/// The words that a shell offers for a value or an operand, derived from its placeholder in the specification.
enum Completion: Equatable {
  case files
  case folders
  case words([String])
  /// The definitions of the pipelines folder.
  case pipelines
  case nothing

  init(placeholder: String) {
    switch placeholder {
    case "DIR", "SITE": self = .folders
    case "FILE", "KEY", "F", "PNG": self = .files
    case "C": self = .words(["current", "next", "previous"])
    case "PIPELINE": self = .pipelines
    case "SHELL": self = .words(Shell.allCases.map(\.rawValue))
    case "N", "D", "E", "DATE", "ADDRESS", "ID,...", "RULE[@PRODUCT]:REASON": self = .nothing
    default: self = .files
    }
  }
}

/// A shell with a completion script.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  func script(for commands: [CommandSpec]) -> String {
    switch self {
    case .bash: Shell.bash(commands)
    case .zsh: Shell.zsh(commands)
    case .fish: Shell.fish(commands)
    }
  }
}

extension CommandSpec {
  var operandCompletion: Completion { operands.map { Completion(placeholder: $0.name) } ?? .nothing }
}

extension OptionSpec {
  /// Nil for a flag.
  var completion: Completion? { value.map(Completion.init(placeholder:)) }
}

/// Quotes a word so that a shell takes it literally.
func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

/// Writes one function for bash. It does not need the bash-completion package.
extension Shell {
  fileprivate static func bash(_ commands: [CommandSpec]) -> String {
    """
    # bash completion for chartpipe, written by `chartpipe completions bash`
    _chartpipe() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "\(commands.map(\.name).joined(separator: " ")) --help --version" -- "$cur"))
        return
      fi
      case "$command $prev" in
    \(commands.flatMap(values).joined(separator: "\n"))
      esac
      case "$command" in
    \(commands.map(words).joined(separator: "\n"))
      esac
    }
    complete -F _chartpipe chartpipe

    """
  }

  private static func values(of command: CommandSpec) -> [String] {
    command.allOptions.compactMap { option in
      option.completion.map { "    '\(command.name) \(option.name)') \(reply($0)); return ;;" }
    }
  }

  private static func words(of command: CommandSpec) -> String {
    let options = command.allOptions.map(\.name).joined(separator: " ")
    return """
          \(command.name))
            if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "\(options)" -- "$cur"))
            else \(reply(command.operandCompletion)); fi ;;
      """
  }

  private static func reply(_ completion: Completion) -> String {
    switch completion {
    case .files: "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))"
    case .folders: "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))"
    case .words(let words): "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\"))"
    case .pipelines:
      "COMPREPLY=($(compgen -W \"$(cd pipelines 2>/dev/null && ls *.json5 2>/dev/null | "
        + "sed -n '/corrections\\|columns/!s/\\.json5$//p')\" -- \"$cur\"))"
    case .nothing: "COMPREPLY=()"
    }
  }
}

/// Writes completion for zsh, with the help of each option.
extension Shell {
  fileprivate static func zsh(_ commands: [CommandSpec]) -> String {
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
    let operand = command.operands.map { _ in shellQuoted("*:operand:\(action(command.operandCompletion))") }
    let lines = (options + [operand].compactMap(\.self)).joined(separator: " \\\n        ")
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

/// Writes one line for fish for each command and each option.
extension Shell {
  fileprivate static func fish(_ commands: [CommandSpec]) -> String {
    let heads = commands.map {
      "complete -c chartpipe -n __fish_use_subcommand -f -a \($0.name) -d \(quoted($0.summary))"
    }
    let lines = heads + commands.flatMap(fishOptions)
    return "# fish completion for chartpipe, written by `chartpipe completions fish`\n"
      + lines.joined(separator: "\n") + "\n"
  }

  private static func fishOptions(of command: CommandSpec) -> [String] {
    let seen = "complete -c chartpipe -n '__fish_seen_subcommand_from \(command.name)'"
    let operands = fishArguments(command.operandCompletion)
    return (operands.isEmpty ? [] : ["\(seen) \(operands)"])
      + command.allOptions.map { option in
        let value = option.completion.map { " -r \(fishArguments($0))" } ?? ""
        return "\(seen) -l \(option.name.dropFirst(2)) -d \(quoted(option.help))\(value)"
      }
  }

  private static func fishArguments(_ completion: Completion) -> String {
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
