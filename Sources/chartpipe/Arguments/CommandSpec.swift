import Core
import Foundation
import Pipeline

/// A command: it knows its specification, takes parsed arguments, does its work and returns.
protocol Subcommand: Sendable {
  static var spec: CommandSpec { get }
  init(_ arguments: ParsedArguments) throws
  /// - Returns: nil when all went well, else what the exit code should say.
  func run(_ console: Console) throws -> UserError.Kind?
}

extension Subcommand {
  static func usageError(_ problem: String, remedy: String? = nil) -> UserError {
    ParsedArguments.usageError(spec.name, problem, remedy: remedy)
  }
}

/// What a command takes, as data: the parser, `--help` and the tests all read it.
struct CommandSpec: Sendable {
  var name: String
  /// One line for the list of commands.
  var summary: String
  /// What comes after the name, such as `PIPELINE...`; nil when nothing may.
  var operands: OperandSpec?
  var options: [OptionSpec]
  /// A call and what it does.
  var examples: [(call: String, does: String)]

  /// All that the parser accepts: the command's own options and those of every command.
  var allOptions: [OptionSpec] { options + CommandSpec.common }

  static let common: [OptionSpec] = [
    OptionSpec("--quiet", "say nothing but results and errors"),
    OptionSpec("--verbose", "add the chain of causes to an error"),
    OptionSpec("--help", "show this help"),
  ]
}

struct OperandSpec: Sendable {
  /// `PIPELINE`
  var name: String
  var help: String
  var minimum: Int
  /// Nil when any number may follow.
  var maximum: Int?

  /// `PIPELINE...`, `FILE` or `FILE OUT`
  var usage: String { maximum == minimum ? name : name + "..." }
}

struct OptionSpec: Sendable {
  /// `--cycle`
  var name: String
  /// `C` in `--cycle C`; nil for a flag.
  var value: String?
  var help: String
  var isRequired = false
  /// Whether it may be given more than once.
  var isRepeatable = false

  init(
    _ name: String, value: String? = nil, required: Bool = false, repeatable: Bool = false, _ help: String
  ) {
    self.name = name
    self.value = value
    self.help = help
    isRequired = required
    isRepeatable = repeatable
  }

  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension OptionSpec {
  static let cycle = OptionSpec(
    "--cycle", value: "C", required: true,
    "the AIRAC cycle: current, next, previous, an effective date (2026-11-26) or an identifier (2612)")
  static let from = OptionSpec(
    "--from", value: "DIR", "the folder that holds the FAA's files (default: the work folder's sources/)")
  static let fromAnywhere = OptionSpec(
    "--from", value: "URL|DIR",
    "a mirror with the same paths or flat, or a folder (default: where the definitions say)")
  static let cache = OptionSpec(
    "--cache", value: "DIR",
    "the folder that keeps what was fetched, for all cycles (default: $XDG_CACHE_HOME/chartpipe)")
  static let only = OptionSpec(
    "--only", value: "ID,...",
    "only these charts or databases, by id or pipeline/id; or a part of a database that its definition names, such as airports"
  )
  static let variant = OptionSpec(
    "--variant", value: "V,...",
    "the form of the charts' tiles: standard (default), webp, 2x (512 px) or webp-2x; several may be built at once"
  )
  static let rawTables = OptionSpec(
    "--raw-tables",
    "put every table of the FAA's subscription into the database too, as it is: raw_APT_ATT and so on (large)"
  )
  static let jobs = OptionSpec(
    "--jobs", value: "N", "how many workers (default: one a core); the result is the same at any number")
  static let engine = OptionSpec(
    "--engine", value: "E",
    "what warps charts: kernel, chartpipe's own (default), or gdal for a second opinion")
  static let work = OptionSpec(
    "--work", value: "DIR", "the folder for everything that is made (default: ./work)")
  static let pipelines = OptionSpec(
    "--pipelines", value: "DIR",
    "the folder of pipeline definitions (default: ./pipelines, else the installed ones)")
  static let accept = OptionSpec(
    "--accept", value: "RULE:REASON", repeatable: true,
    "accept this rule's findings; the report and the manifest show the reason")
  static let strict = OptionSpec(
    "--strict",
    "stage nothing when validation finds an error in any product (exit 4); otherwise only that product is held back"
  )
  static let json = OptionSpec("--json", "give the result as JSON; progress and errors as JSON lines")
}

/// What chartpipe reads of the environment; secrets come no other way.
enum EnvironmentVariable: String, CaseIterable {
  case key = "CHARTPIPE_KEY"
  case passphrase = "CHARTPIPE_PASSPHRASE"
  case noColor = "NO_COLOR"

  /// Nil when it is not set, or empty.
  var value: String? {
    ProcessInfo.processInfo.environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }

  var help: String {
    switch self {
    case .key: "the secret key, as text in PEM, that catalogues are signed with when --key is not given"
    case .passphrase: "what the secret key is encrypted with"
    case .noColor: "when set, nothing is coloured"
    }
  }
}
