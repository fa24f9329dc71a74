public import Core
public import Foundation
internal import Validation

/// What monitoring is told of a site, in the text format of Prometheus' collectors.
public struct HealthMetrics {
  private let site: String
  private let checked: Instant
  /// Nil when the site could not be reached.
  private let report: HealthReport?

  public init(_ report: HealthReport, at checked: Instant) {
    (site, self.checked, self.report) = (report.site, checked, report)
  }

  public init(unreachable site: String, at checked: Instant) {
    (self.site, self.checked, report) = (site, checked, nil)
  }

  private struct Sample {
    var labels: [(name: String, value: String)] = []
    var value: Int
  }

  public var data: Data { Data(families.joined().utf8) }

  private var families: [String] {
    [
      family(
        "ok", "Whether nothing is wrong with what is published.", [Sample(value: report?.ok == true ? 1 : 0)]),
      family("reachable", "Whether the site could be read at all.", [Sample(value: report == nil ? 0 : 1)]),
      family(
        "checked_timestamp_seconds", "When it was looked at.", [Sample(value: checked.secondsSince1970)]),
    ] + (report.map(offer) ?? [])
  }

  private func offer(of report: HealthReport) -> [String] {
    [
      family("serial", "The catalogue's serial.", one(report.serial)),
      family("files", "How many files the catalogue names.", [Sample(value: report.files)]),
      family("bytes", "How many bytes these files have.", [Sample(value: report.bytes)]),
      family("cycle_info", "The AIRAC cycles of the catalogue, by their roles.", roles(of: report)),
      family(
        "current_expires_timestamp_seconds", "When the latest cycle that has taken effect ends.",
        one(report.expires.flatMap { Instant($0)?.secondsSince1970 })),
      family(
        "next_published", "Whether the cycle after the one in force is there.",
        [Sample(value: report.nextPublished ? 1 : 0)]),
      family("findings", "What was found, by rule and severity.", findings(of: report)),
    ]
  }

  private func roles(of report: HealthReport) -> [Sample] {
    (report.roles ?? [:]).sorted { $0.key < $1.key }
      .map { Sample(labels: [("role", $0.key), ("cycle", $0.value)], value: 1) }
  }

  /// Those that were not found too: a series that is gone would end an alarm without a word.
  private func findings(of report: HealthReport) -> [Sample] {
    HealthRule.allCases.flatMap { rule in
      [Finding.Severity.error, .warning].map { severity in
        let count = report.findings.count { $0.rule == rule.rawValue && $0.severity == severity }
        return Sample(
          labels: [("rule", rule.rawValue), ("severity", severity.rawValue)], value: count)
      }
    }
  }

  private func one(_ value: Int?) -> [Sample] { value.map { [Sample(value: $0)] } ?? [] }

  private func family(_ name: String, _ help: String, _ samples: [Sample]) -> String {
    guard !samples.isEmpty else { return "" }
    let full = "chartpipe_site_\(name)"
    let lines = samples.map { sample in
      let labels = ([("site", site)] + sample.labels).map { "\($0)=\"\(HealthMetrics.escaped($1))\"" }
      return "\(full){\(labels.joined(separator: ","))} \(sample.value)\n"
    }
    return "# HELP \(full) \(help)\n# TYPE \(full) gauge\n" + lines.joined()
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(scalar)
      }
    }.joined()
  }
}
