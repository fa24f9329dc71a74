import Core
import Pipeline

/// `--help`, made of the command's specification.
enum HelpText {
  static func command(_ spec: CommandSpec) -> String {
    var usage = "chartpipe \(spec.name)"
    if let operands = spec.operands {
      usage += " " + (operands.minimum == 0 ? "[\(operands.usage)]" : operands.usage)
    }
    for option in spec.options { usage += option.isRequired ? " \(option.usage)" : " [\(option.usage)]" }
    var sections = ["\(spec.summary)", "Usage:\n" + wrapped("  " + usage, to: width, hanging: 6)]
    if let operands = spec.operands {
      sections.append(table([(operands.usage, operands.help)]))
    }
    sections.append("Options:\n" + table(spec.allOptions.map { ($0.usage, $0.help) }))
    let examples = spec.examples.map { "  \($0.call)\n      \($0.does)" }
    sections.append("Examples:\n" + examples.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  static func overview(_ commands: [CommandSpec]) -> String {
    """
    \(purpose)

    Usage:
      chartpipe COMMAND [OPTIONS]     chartpipe COMMAND --help     chartpipe --version

    Commands:
    \(table(commands.map { ($0.name, $0.summary) }))

    Example:
      chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples
          builds, validates and stages the sample cycle into work/site

    \(wrapped("Exit codes: " + exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ") + ".", to: 105, hanging: 0))

    """
  }

  static let purpose = """
    Turns what the FAA publishes each AIRAC cycle into what a cockpit app downloads: VFR charts into MBTiles,
    the NASR subscription into SQLite, validated and staged with a catalogue.
    """

  static let exitCodes: [(code: Int, meaning: String)] = [
    (0, "done"), (1, "something failed"), (2, "the call was wrong"), (3, "the input was bad"),
    (4, "validation refused"), (5, "partly done"), (6, "nothing to do (of `due` alone)"),
  ]

  private static let width = 110

  private static func table(_ rows: [(String, String)]) -> String {
    let left = (rows.map(\.0.count).max() ?? 0) + 4
    return rows.map { name, help in
      let padded = "  " + name + String(repeating: " ", count: left - name.count - 2)
      return wrapped(padded + help, to: width, hanging: left)
    }.joined(separator: "\n")
  }
}

/// `man chartpipe`, made of the same specifications as `--help`.
enum ManualPage {
  static func text(for commands: [CommandSpec]) -> String {
    let head = """
      .TH CHARTPIPE 1 "" "\(ToolVersion.tool) \(ToolVersion.version)" "User Commands"
      .SH NAME
      chartpipe \\- FAA charts and data into what a cockpit app downloads
      .SH SYNOPSIS
      .B chartpipe
      .I COMMAND
      [\\fIOPTIONS\\fR]
      .SH DESCRIPTION
      \(escaped(HelpText.purpose))
      .PP
      Results go to standard output; progress and messages go to standard error.
      .SH COMMANDS

      """
    return head + commands.map(section).joined()
      + ".SH COMMON OPTIONS\n" + CommandSpec.common.map(entry).joined()
      + ".SH EXIT STATUS\n"
      + HelpText.exitCodes.map { ".TP\n.B \($0.code)\n\(escaped($0.meaning))\n" }.joined()
      + ".SH ENVIRONMENT\n"
      + EnvironmentVariable.allCases.map { ".TP\n.B \($0.rawValue)\n\(escaped($0.help))\n" }.joined()
  }

  private static func section(_ command: CommandSpec) -> String {
    let operands = command.operands.map { ".TP\n.I \(escaped($0.usage))\n\(escaped($0.help))\n" } ?? ""
    let examples = command.examples.map { ".PP\n.EX\n\(escaped($0.call))\n.EE\n\(escaped($0.does))\n" }
    return ".SS \(command.name)\n\(escaped(command.summary))\n"
      + operands + command.options.map(entry).joined() + examples.joined()
  }

  private static func entry(_ option: OptionSpec) -> String {
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n\(escaped(option.help))\n"
  }

  /// A hyphen that can be copied, and no line that roff takes for an order.
  private static func escaped(_ text: String) -> String {
    let lines = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").split(separator: "\n")
    return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(
      separator: "\n")
  }
}
