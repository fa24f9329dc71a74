internal import Core
internal import Foundation

/// The measured time, memory and disk space of a run. Published files never contain them.
struct RunAccount: Sendable, Encodable {
  enum Phase: String, Sendable, Encodable {
    case fetched, built, validated, staged, published
  }

  /// The time of a phase or of a step.
  struct Part: Sendable, Encodable {
    var phase: Phase?
    var step: String?
    var seconds: Double
  }

  private let event = "timing"
  var seconds = 0.0 { didSet { seconds = rounded(seconds) } }
  private(set) var phases: [Part] = []
  /// The steps that this run did, slowest first.
  private(set) var steps: [Part] = []
  /// The number of steps that were up to date.
  private(set) var upToDate = 0
  /// The peak memory; nil if the system does not report it.
  var memoryBytes: Int?
  /// The size of the work folder at the end.
  var workBytes = 0
  private static let shown = 5

  mutating func add(_ phase: Phase, _ seconds: Double) {
    if let index = phases.firstIndex(where: { $0.phase == phase }) {
      phases[index].seconds = rounded(phases[index].seconds + seconds)
    } else {
      phases.append(Part(phase: phase, seconds: rounded(seconds)))
    }
  }

  mutating func add(_ outcome: RunOutcome) {
    steps = outcome.seconds.map { Part(step: $0.step.description, seconds: rounded($0.seconds)) }
      .sorted { $0.seconds > $1.seconds }
    upToDate = outcome.results.count - Set(steps.map(\.step)).count
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}

extension RunAccount {
  /// The peak memory of this process in bytes; nil if the system does not report it.
  static var peakMemory: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// The last lines of a run.
  var text: String {
    let lines = rows.map { row in
      let note = row.note.isEmpty ? "" : "  " + row.note
      return "  " + row.name.padded(to: 10) + row.time.aligned(to: 12) + note + "\n"
    }
    return "Took \(whole).\n" + lines.joined()
  }

  /// The same for the page of a job.
  var cells: [[String]] {
    [["took", whole]] + rows.map { [$0.name, $0.time + ($0.note.isEmpty ? "" : ", " + $0.note)] }
  }

  private var whole: String {
    let memory = memoryBytes.map { ", with at most \(Counts.bytes($0)) of memory" } ?? ""
    return "\(Counts.measured(seconds))\(memory); the work folder holds \(Counts.bytes(workBytes))"
  }

  private var rows: [(name: String, time: String, note: String)] {
    phases.flatMap { part in
      [(part.phase?.rawValue ?? "", Counts.measured(part.seconds), part.phase == .built ? buildNote : "")]
        + (part.phase == .built ? slowest : [])
    }
  }

  private var buildNote: String {
    let rest = upToDate > 0 ? ", \(upToDate) up to date" : ""
    let heading = steps.count > RunAccount.shown ? "; the slowest:" : ""
    return "\(steps.count) done\(rest)\(heading)"
  }

  private var slowest: [(name: String, time: String, note: String)] {
    steps.prefix(RunAccount.shown).map { ("", Counts.measured($0.seconds), $0.step ?? "") }
  }
}

extension String {
  func padded(to width: Int) -> String { self + blanks(width) }
  func aligned(to width: Int) -> String { blanks(width) + self }
  private func blanks(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) }
}

/// The work of a run, printed before it starts.
struct RunStart: Encodable, Equatable {
  private(set) var event = "plan"
  var cycle: String
  /// The number of steps whose files are missing or out of date.
  var steps: Int
  /// The number of steps that fail because a source is missing; nil if there is none.
  var failed: Int?

  var text: String {
    if steps > 0 { return "Cycle \(cycle): \(Counts.of(steps, "step")) to do." }
    return failed.map {
      "Cycle \(cycle): \(Counts.of($0, "step")) cannot be done; the others are up to date."
    } ?? "Cycle \(cycle): all steps are up to date."
  }
}
