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
    case "N", "D", "DATE", "ADDRESS", "ID,...", "RULE[@PRODUCT]:REASON": self = .nothing
    default: self = .files
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

/// Writes one function for bash, which zsh reads too. It does not need the bash-completion package.
enum CompletionScript {
  static func text(for commands: [CommandSpec]) -> String {
    """
    # completion for chartpipe, written by `chartpipe completions`
    if [ -n "${ZSH_VERSION-}" ]; then
      autoload -Uz compinit bashcompinit
      type compdef > /dev/null || compinit
      bashcompinit
    fi
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
    case .files: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\"))"
    case .folders: "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))"
    case .words(let words): "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\"))"
    case .pipelines:
      "COMPREPLY=($(compgen -W \"$(cd pipelines 2>/dev/null && ls *.json5 2>/dev/null | "
        + "sed -n '/corrections\\|columns/!s/\\.json5$//p')\" -- \"$cur\"))"
    case .nothing: "COMPREPLY=()"
    }
  }
}
