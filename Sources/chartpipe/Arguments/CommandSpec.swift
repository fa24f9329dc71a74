internal import Core
internal import Foundation

/// A command with its operands and options. The parser, `--help`, the manual page and the completions read it.
struct CommandSpec: Sendable {
  var name: String
  /// One line for the list of commands.
  var summary: String
  /// The operands after the name, such as `PIPELINE...`; nil for a command without operands.
  var operands: OperandSpec?
  var options: [OptionSpec]
  /// Calls, each with its effect on the next line.
  var examples: String
  /// Returns nil on success, otherwise the kind of failure, which is the exit code.
  var action: @Sendable (ParsedArguments, Console) throws -> UserError.Kind? = { _, _ in nil }

  /// The command's own options and the common ones.
  var allOptions: [OptionSpec] { options + CommandSpec.common }

  var calls: [(call: String, effect: String)] {
    let lines = examples.split(separator: "\n").map { $0.trimmingPrefix("  ").description }
    return stride(from: 0, to: lines.count, by: 2).map { (lines[$0], lines[$0 + 1]) }
  }

  static let common: [OptionSpec] = [
    OptionSpec("--quiet", "print only results and errors"),
    OptionSpec("--verbose", "print the causes of an error too"),
    OptionSpec("--help", "show this help"),
  ]
}

extension CommandSpec {
  /// The options of `--help` under their titles. A list that fits on a screen needs no groups.
  var optionGroups: [(title: String, options: [OptionSpec])] {
    guard options.count > 11 else { return [("Options", allOptions)] }
    var rest = allOptions
    let groups = CommandSpec.groups.map { title, list in
      let names = list.split(separator: " ").map { "--\($0)" }
      defer { rest.removeAll { names.contains($0.name) } }
      return (title, rest.filter { names.contains($0.name) })
    }
    return (groups + [("Output", rest)]).filter { !$0.1.isEmpty }
  }

  private static let groups = [
    ("Most used", "cycle from only work publish shards format route width around radius bbox renew dry-run"),
    ("Contents", "variant raw-tables plan shard every charts zooms at allow-expired allow-gaps no-airports"),
    ("Where", "pipelines cache to endpoint site-url"),
    ("Checks", "accept strict rehash locked check public-key"),
    ("Publishing", "key new-key adopt-unsigned valid-for replace reinstate keep-old prune"),
    ("Speed and disk", "jobs max-disk"),
  ]
}

/// Commands for one task, such as publishing.
typealias CommandGroup = (title: String, commands: [CommandSpec])

struct OperandSpec: Sendable {
  /// `PIPELINE`
  var name: String
  var help: String
  var minimum = 1
  /// Nil for any number.
  var maximum: Int? = 1
  /// What each operand takes. The last one counts for all further operands.
  var places: [PlaceKind] = [.path]

  func place(at index: Int) -> PlaceKind { places[min(index, places.count - 1)] }

  /// `PIPELINE...`, `FILE`, `FILE OUT`, or `[SITE] TARGET` where the first may be missing
  var usage: String {
    if maximum == minimum { return name }
    return name.contains(" ") ? "[" + name.replacing(" ", with: "] ", maxReplacements: 1) : name + "..."
  }
}

struct OptionSpec: Sendable {
  /// `--cycle`
  var name: String
  /// `C` in `--cycle C`; nil for a flag.
  var value: String?
  var help: String
  var isRequired: Bool
  /// Whether the option can occur more than once.
  var isRepeatable: Bool
  /// Whether it names what the operands and the required options name otherwise.
  var replacesOperands: Bool
  /// What kind of place the value names; nil for other values.
  var place: PlaceKind?

  init(
    _ name: String, value: String? = nil, naming place: PlaceKind? = nil, required: Bool = false,
    repeatable: Bool = false, replacesOperands: Bool = false, _ help: String
  ) {
    (self.name, self.value, self.help) = (name, value, help)
    (isRequired, isRepeatable, self.replacesOperands) = (required, repeatable, replacesOperands)
    self.place = place ?? value.flatMap(PlaceKind.init(placeholder:))
  }

  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension OptionSpec {
  static let cycle = OptionSpec(
    "--cycle", value: "C", required: true,
    "the AIRAC cycle: current, next, previous, an effective date (2026-11-26) or an identifier (2612)")
  static let from = OptionSpec(
    "--from", value: "DIR", "the folder with the FAA's files (default: sources/ in the work folder)")
  static let fromAnywhere = OptionSpec(
    "--from", value: "URL|DIR",
    "a folder, or a mirror with the publisher's paths or without folders (default: the addresses in the definitions)"
  )
  static let cache = OptionSpec(
    "--cache", value: "DIR",
    "the folder that caches downloads of all cycles (default: $XDG_CACHE_HOME/chartpipe)")
  static let only = OptionSpec(
    "--only", value: "ID,...",
    "only these charts or databases, by id or pipeline/id; a part that a database's definition declares, such as airports; or the plates of an airport or a state, such as dtpp/KSFO"
  )
  static let variant = OptionSpec(
    "--variant", value: "V,...",
    "the form of the charts' tiles: standard (default), webp, 2x (512 px), webp-2x or lite (WebP, one zoom less); a list builds several"
  )
  static let rawTables = OptionSpec(
    "--raw-tables",
    "also copy every table of the FAA's subscription unchanged into the database, as raw_APT_ATT and so on (large)"
  )
  static let jobs = OptionSpec(
    "--jobs", value: "N", "the number of workers (default: one per core); the result does not depend on it")
  static let maxDisk = OptionSpec(
    "--max-disk", value: "SIZE",
    "the largest size of the work folder; a step that would exceed it fails (default: the free disk space)")
  static let work = OptionSpec("--work", value: "DIR", "the folder for all outputs (default: ./work)")
  static let pipelines = OptionSpec(
    "--pipelines", value: "DIR",
    "the folder of pipeline definitions (default: ./pipelines, else the installed ones)")
  static let accept = OptionSpec(
    "--accept", value: "RULE[@PRODUCT]:REASON", repeatable: true,
    "accept this rule's findings, of all products or of one; the report and the manifest show the reason")
  static let strict = OptionSpec(
    "--strict",
    "stage nothing if validation finds an error in any product (exit 4); by default only that product is held back"
  )
  static let json = OptionSpec("--json", "print the result as JSON, and progress and errors as JSON lines")
}

/// The environment variables that chartpipe reads.
enum EnvironmentVariable: String, CaseIterable {
  case key = "CHARTPIPE_KEY"
  case passphrase = "CHARTPIPE_PASSPHRASE"
  case noColor = "NO_COLOR"

  /// Nil if the variable is unset or empty.
  var value: String? { ProcessInfo.processInfo.environment[rawValue].flatMap { $0.isEmpty ? nil : $0 } }

  var help: String {
    switch self {
    case .key: "the secret key for signing catalogues, as PEM text, if --key is absent"
    case .passphrase: "the passphrase of the secret key"
    case .noColor: "if set, messages have no colours"
    }
  }
}
