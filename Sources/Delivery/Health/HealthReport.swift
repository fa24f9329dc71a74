internal import Pipeline
public import Validation

/// What is the matter with a published site, and what it offers.
public struct HealthReport: Encodable, Equatable, Sendable {
  public var ok: Bool
  /// The identifiers of the cycles that it offers, and its serial; nil where there is no catalogue.
  public var cycles: [String]?
  public var serial: Int?
  public var files: Int
  public var findings: [Finding]

  init(_ findings: [Finding], _ catalogue: Catalog? = nil) {
    ok = findings.allSatisfy { $0.severity != .error }
    cycles = catalogue.map { [$0.previous, $0.current, $0.next].compactMap { $0?.id } }
    serial = catalogue?.serial
    files = catalogue?.products.map(\.allFiles.count).reduce(0, +) ?? 0
    self.findings = findings
  }

  /// As people read it, the verdict first.
  public var text: String {
    let offer =
      "serial \(serial ?? 0), \(cycles.map { $0.isEmpty ? "no cycle" : "cycle \($0.joined(separator: ", "))" } ?? "")"
    let verdict =
      ok
      ? "\(findings.isEmpty ? "Whole and current" : "Whole"): \(Counts.of(files, "file")), \(offer)."
      : "Something is wrong with what is published."
    let lines = findings.map { "  \($0.severity.rawValue)  \($0.rule)  \($0.where): \($0.message)" }
    return ([verdict] + lines).joined(separator: "\n") + "\n"
  }
}
