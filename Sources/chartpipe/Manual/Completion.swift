/// What a shell may offer in the place of a value or an operand, told by how the specification calls it.
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
    case "N", "D", "E", "ID,...", "RULE:REASON": self = .nothing
    default: self = .files
    }
  }
}

/// A shell that a completion script can be written for.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  func script(for commands: [CommandSpec]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
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

/// A word that no shell reads anything into.
func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
