/// Completion for bash, as one function; it needs nothing of the bash-completion package.
enum BashCompletion {
  static func script(for commands: [CommandSpec]) -> String {
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
