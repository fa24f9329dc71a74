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
