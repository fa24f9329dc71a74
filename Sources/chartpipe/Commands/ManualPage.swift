internal import Core

/// Renders `--help` from the specifications of the commands.
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
    let examples = spec.calls.map { "  \($0.call)\n      \($0.effect)" }
    sections.append("Examples:\n" + examples.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  static func overview(_ groups: [CommandGroup]) -> String {
    let width = columnWidth(groups.flatMap(\.commands).map(\.name))
    let lists = groups.map { group in
      "\(group.title):\n" + table(group.commands.map { ($0.name, $0.summary) }, column: width)
    }
    return """
      \(purpose)

      Usage:
        chartpipe COMMAND [OPTIONS]     chartpipe help [COMMAND]     chartpipe --version

      \(lists.joined(separator: "\n\n"))

      Example:
        chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples
            builds, validates and stages the sample cycle into work/site

      \(wrapped("Exit codes: " + exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ") + ".", to: 105, hanging: 0))

      """
  }

  static let purpose = """
    Converts the FAA's VFR and IFR enroute charts to tile archives (MBTiles, PMTiles), and its NASR subscription,
    coded procedures, plates and obstacles to SQLite databases for cockpit apps, then validates and publishes
    them with a catalogue, for each AIRAC cycle.
    """

  static let exitCodes: [(code: Int, meaning: String)] = [
    (0, "success"), (1, "failure"), (2, "invalid call"), (3, "invalid input"),
    (4, "rejected by validation"), (5, "partial success"), (6, "nothing to do (`due` only)"),
    (130, "interrupted"),
  ]

  private static let width = 110

  private static func columnWidth(_ names: [String]) -> Int { (names.map(\.count).max() ?? 0) + 4 }

  private static func table(_ rows: [(String, String)], column: Int? = nil) -> String {
    let left = column ?? columnWidth(rows.map(\.0))
    return rows.map { name, help in
      wrapped("  \(name)".padded(to: left) + help, to: width, hanging: left)
    }.joined(separator: "\n")
  }
}

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
