internal import Core

/// Renders `--help` from the specifications of the commands.
struct HelpText {
  let width: Int

  /// - Parameter columns: the width of the terminal; nil for a file or a pipe, whose text is always the same.
  init(columns: Int?) { width = min(max(columns ?? 80, 40), 100) }

  /// For an open file, such as standard output.
  init(for file: Int32) { self.init(columns: Terminal.columns(of: file)) }

  func command(_ spec: CommandSpec) -> String {
    let operands = spec.operands.map { [($0.usage, $0.help)] } ?? []
    let required = spec.options.filter(\.isRequired).map { " \($0.usage)" }.joined()
    let words = spec.operands.map { $0.minimum == 0 ? " [\($0.usage)]" : " \($0.usage)" } ?? ""
    let column = column(operands.map(\.0) + spec.allOptions.map(\.usage))
    let options = spec.optionGroups.map { title, options in
      "\(title):\n" + table(options.map { ($0.usage, $0.help) }, column)
    }
    let examples = spec.calls.map { "\(call($0.call))\n\(paragraph($0.effect, indent: 6))" }
    let sections = [
      paragraph(spec.summary),
      "Usage:\n" + paragraph("chartpipe \(spec.name)\(words)\(required) [OPTIONS]", indent: 2),
      table(operands, column),
    ]
    return (sections.filter { !$0.isEmpty } + options + ["Examples:\n" + examples.joined(separator: "\n")])
      .joined(separator: "\n\n") + "\n"
  }

  func overview(_ groups: [CommandGroup]) -> String {
    let column = column(groups.flatMap(\.commands).map(\.name))
    let lists = groups.map { group in
      "\(group.title):\n" + table(group.commands.map { ($0.name, $0.summary) }, column)
    }
    let example = CommandSpec.run.calls[0]
    let codes = HelpText.exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")
    let usage = "Usage:\n  chartpipe COMMAND [OPTIONS]\n  chartpipe help [COMMAND]\n  chartpipe --version"
    let end = "Example:\n\(call(example.call))\n\(paragraph(example.effect, indent: 6))"
    let sections = [paragraph(HelpText.purpose), usage] + lists + [end, paragraph("Exit codes: \(codes).")]
    return sections.joined(separator: "\n\n") + "\n"
  }

  static let purpose =
    "Converts the FAA's VFR and IFR enroute charts to tile archives (MBTiles, PMTiles), and its NASR subscription, coded procedures, plates and obstacles to SQLite databases for cockpit apps, then validates and publishes them with a catalogue, for each AIRAC cycle."

  static let exitCodes: [(code: Int, meaning: String)] = [
    (0, "success"), (1, "failure"), (2, "invalid call"), (3, "invalid input"),
    (4, "rejected by validation"), (5, "partial success"), (6, "nothing to do (`due` only)"),
    (130, "interrupted"),
  ]

  private func paragraph(_ text: String, indent: Int = 0) -> String {
    wrapped("".padded(to: indent) + text, to: width, hanging: indent)
  }

  /// A call that can be copied into a shell: its lines end with a backslash, and no word in quotes is broken.
  private func call(_ text: String) -> String {
    let joined = text.replacing(/"[^"]*"/) { $0.output.replacing(" ", with: "\u{A0}") }
    return wrapped("  " + joined, to: width - 2, hanging: 4).replacing("\n", with: " \\\n")
      .replacing("\u{A0}", with: " ")
  }

  /// The column at which the descriptions of these names begin. Longer names have a line of their own.
  private func column(_ names: [String]) -> Int { min((names.map(\.count).max() ?? 0) + 4, width / 3) }

  private func table(_ rows: [(name: String, help: String)], _ column: Int) -> String {
    rows.map { name, help in
      let text = paragraph(help, indent: column)
      return name.count + 4 > column
        ? "  \(name)\n\(text)" : "  \(name)".padded(to: column) + text.dropFirst(column)
    }.joined(separator: "\n")
  }
}
