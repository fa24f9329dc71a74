/// Renders `man chartpipe` from the specifications of the commands.
enum ManualPage {
  static func text(for groups: [CommandGroup]) -> String {
    let head = """
      .TH CHARTPIPE 1 "" "\(ToolVersion.tool) \(ToolVersion.version)" "User Commands"
      .SH NAME
      chartpipe \\- convert FAA charts and data for cockpit apps
      .SH SYNOPSIS
      .B chartpipe
      .I COMMAND
      [\\fIOPTIONS\\fR]
      .SH DESCRIPTION
      \(escaped(HelpText.purpose))
      .PP
      Results go to standard output; progress and messages go to standard error.

      """
    let sections = groups.map { group in
      ".SH \(group.title.uppercased()) COMMANDS\n" + group.commands.map(section).joined()
    }
    return head + sections.joined()
      + ".SH COMMON OPTIONS\n" + CommandSpec.common.map(entry).joined()
      + ".SH EXIT STATUS\n"
      + HelpText.exitCodes.map { ".TP\n.B \($0.code)\n\(escaped($0.meaning))\n" }.joined()
      + ".SH ENVIRONMENT\n"
      + EnvironmentVariable.allCases.map { ".TP\n.B \($0.rawValue)\n\(escaped($0.help))\n" }.joined()
  }

  private static func section(_ command: CommandSpec) -> String {
    let operands = command.operands.map { ".TP\n.I \(escaped($0.usage))\n\(escaped($0.help))\n" } ?? ""
    let examples = command.calls.map { ".PP\n.EX\n\(escaped($0.call))\n.EE\n\(escaped($0.effect))\n" }
    return ".SS \(command.name)\n\(escaped(command.summary))\n"
      + operands + command.options.map(entry).joined() + examples.joined()
  }

  private static func entry(_ option: OptionSpec) -> String {
    let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP\n\\fB\(escaped(option.name))\\fR\(value)\n\(escaped(option.help))\n"
  }

  /// Escapes text for roff: hyphens stay hyphens, and no line is read as a request.
  private static func escaped(_ text: String) -> String {
    let lines = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").split(separator: "\n")
    return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(
      separator: "\n")
  }
}
