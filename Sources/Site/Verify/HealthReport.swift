public import Core
public import Foundation

/// The result of checking a published site.
public struct HealthReport: Encodable, Equatable, Sendable {
  public private(set) var ok = true
  /// The folder or the address.
  public let site: String
  /// The time of the check.
  public let checked: Instant
  /// Whether only the sizes of files were checked.
  public let quick: Bool
  /// Whether the required key signed the catalogue.
  public private(set) var signed = false
  /// The catalogue's cycles, their roles, and its serial; nil where there is no catalogue.
  public private(set) var cycles: [AiracCycle]?
  public private(set) var roles: [String: AiracCycle]?
  public private(set) var serial: Int?
  public private(set) var files = 0
  public private(set) var bytes = 0
  /// The end of the latest cycle that has taken effect. It is in the past when the site lacks the cycle in force.
  public private(set) var expires: Instant?
  /// The cycle after the one in force, and whether it is published.
  public private(set) var next: AiracCycle
  public private(set) var nextPublished = false
  /// Of the live channel: until when each snapshot may be used, by its id; else nil.
  public private(set) var snapshots: [String: Instant]?
  public private(set) var findings: [Finding] = []
  /// The catalogue to compare with at the next check; nil for one that was refused.
  public internal(set) var seen: SeenCatalogue?

  private let needsSignature: Bool
  private let isLive: Bool

  init(_ health: SiteHealth) {
    (site, checked, quick) = (health.site.name, health.now, health.isQuick)
    (needsSignature, isLive) = (health.verifier != nil, health.channel == .live)
    next = AiracCycle(at: health.now).advanced(by: 1)
  }

  mutating func add(_ read: PublishedCatalogue) {
    let catalogue = read.catalogue
    cycles = catalogue.entries.map(\.id)
    roles = catalogue.roles
    serial = catalogue.serial
    files = catalogue.productFiles.count
    bytes = catalogue.productFiles.map(\.reference).expectedBytes
    guard !isLive else {
      snapshots = Dictionary(catalogue.products.map { ($0.id, $0.expirationDate) }) { $1 }
      return
    }
    let check = CurrencyCheck(catalogue: catalogue, now: checked)
    expires = check.expires
    nextPublished = check.hasNext
  }

  mutating func add(_ more: [Finding]) {
    findings += more
    ok = findings.allSatisfy { $0.severity != .error }
    let isRefused = findings.contains { $0.rule == HealthRule.signature.rawValue && $0.severity == .error }
    signed = needsSignature && serial != nil && !isRefused
  }

  private enum CodingKeys: String, CodingKey {
    case ok, site, checked, quick, signed, cycles, roles, serial, files, bytes, expires, next, nextPublished
    case snapshots, findings
  }
}

extension Catalog {
  /// The cycles by their roles.
  var roles: [String: AiracCycle] {
    ["previous": previous, "current": current, "next": next].compactMapValues { $0?.id }
  }
}

extension HealthReport {
  /// `Complete, signed and current`, or that the site has errors.
  public var verdict: String {
    guard ok else { return "The published site has errors" }
    let isCurrent = !findings.contains {
      [HealthRule.currency.rawValue, HealthRule.held.rawValue].contains($0.rule)
    }
    let words = [
      quick ? "Complete by its sizes" : "Complete", signed ? "signed" : nil,
      isCurrent ? "current" : nil,
    ]
    .compactMap(\.self)
    return words.count == 1
      ? words[0] : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  /// The content: `2 files, 57.3 kB, serial 2, cycle 2611, 2612`.
  public var content: String {
    guard let serial, let cycles else { return "nothing" }
    let held =
      isLive
      ? Counts.of(snapshots?.count ?? 0, "snapshot")
      : cycles.isEmpty ? "no cycle" : "cycle \(cycles.map(\.identifier).joined(separator: ", "))"
    return "\(Counts.of(files, "file")), \(Counts.bytes(bytes)), serial \(serial), \(held)"
  }

  /// `The next cycle, 2613, is due on 2026-12-24.`
  public var outlook: String {
    guard !isLive else {
      return "The first snapshot expires at \(snapshots?.values.min()?.description ?? "once")."
    }
    return
      "The next cycle, \(next), \(nextPublished ? "is published for" : "is due on") \(next.effectiveDay)."
  }

  /// The report as text, the verdict first.
  public var text: String {
    let head = ok ? "\(verdict): \(content). \(outlook)" : "\(verdict): \(site)."
    let lines = findings.map { "  \($0.severity.rawValue)  \($0.rule)  \($0.where): \($0.message)" }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }
}

/// The metrics of a site for monitoring, in the text format of Prometheus.
public struct HealthMetrics {
  let site: String
  let checked: Instant
  /// Nil when the site could not be reached.
  let report: HealthReport?
  private typealias Sample = (labels: [(name: String, value: String)], value: Int)
  private static let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"]

  public var data: Data { Data(families.joined().utf8) }

  private var families: [String] {
    [
      family("ok", "Whether the published site has no errors.", report?.ok == true ? 1 : 0),
      family("reachable", "Whether the site could be read.", report == nil ? 0 : 1),
      family("checked_timestamp_seconds", "The time of the check.", checked.secondsSince1970),
    ] + (report.map(content) ?? [])
  }

  private func content(of report: HealthReport) -> [String] {
    [
      family("serial", "The catalogue's serial.", report.serial),
      family("files", "The number of files that the catalogue names.", report.files),
      family("bytes", "The size of these files.", report.bytes),
      family("cycle_info", "The AIRAC cycles of the catalogue, by their roles.", roles(of: report)),
      family(
        "current_expires_timestamp_seconds", "The end of the latest cycle that has taken effect.",
        report.expires?.secondsSince1970),
      family(
        "snapshot_expires_timestamp_seconds", "Until when each snapshot of the live channel may be used.",
        (report.snapshots ?? [:]).sorted { $0.key < $1.key }.map {
          ([("snapshot", $0.key)], $0.value.secondsSince1970)
        }),
      family(
        "next_published", "Whether the cycle after the one in force is published.",
        report.nextPublished ? 1 : 0),
      family("findings", "The number of findings by rule and severity.", findings(of: report)),
    ]
  }

  private func roles(of report: HealthReport) -> [Sample] {
    (report.roles ?? [:]).sorted { $0.key < $1.key }
      .map { ([("role", $0.key), ("cycle", $0.value.identifier)], 1) }
  }

  /// Includes zero counts, since a missing series would silently end an alarm.
  private func findings(of report: HealthReport) -> [Sample] {
    HealthRule.allCases.flatMap { rule in
      [Finding.Severity.error, .warning].map { severity in
        let count = report.findings.count { $0.rule == rule.rawValue && $0.severity == severity }
        return ([("rule", rule.rawValue), ("severity", severity.rawValue)], count)
      }
    }
  }

  private func family(_ name: String, _ help: String, _ value: Int?) -> String {
    family(name, help, value.map { [([], $0)] } ?? [])
  }

  private func family(_ name: String, _ help: String, _ samples: [Sample]) -> String {
    guard !samples.isEmpty else { return "" }
    let full = "chartpipe_site_\(name)"
    let lines = samples.map { sample in
      let labels = ([("site", site)] + sample.labels).map { "\($0)=\"\($1.escaped(HealthMetrics.escapes))\"" }
      return "\(full){\(labels.joined(separator: ","))} \(sample.value)\n"
    }
    return "# HELP \(full) \(help)\n# TYPE \(full) gauge\n" + lines.joined()
  }
}
