internal import Core
internal import Pipeline

/// A report as people read it: the verdict first, then each file that something is wrong with.
public enum ValidationText {
  public static func render(_ report: ValidationReport) -> String {
    let files = "\(Counts.grouped(report.validated.count)) \(report.validated.count == 1 ? "file" : "files")"
    let verdict =
      report.findings.isEmpty
      ? "All is well: \(files) validated, nothing found."
      : "\(report.ok ? "Good to publish" : "Not to be published"): \(count(report.findings)) in \(files)."
    return ([verdict] + groups(report).flatMap(lines) + missing(report)).joined(separator: "\n") + "\n"
  }

  /// `airports  of vfr-sectional/Atlanta and 55 more: no aviation database of the cycle was validated with it`
  private static func missing(_ report: ValidationReport) -> [String] {
    let all = (report.missingEvidence ?? [:]).sorted { $0.key < $1.key }.flatMap { product, missing in
      missing.map { (product, $0) }
    }
    var products: [String: [String]] = [:]
    var order: [(key: String, source: String, reason: String)] = []
    for (product, evidence) in all {
      let key = "\(evidence.source.rawValue): \(evidence.reason)"
      if products[key] == nil { order.append((key, evidence.source.rawValue, evidence.reason)) }
      products[key, default: []].append(product)
    }
    let width = order.map(\.source.count).max() ?? 0
    let lines = order.map { key, source, reason in
      let names = products[key] ?? []
      let rest = names.count > 1 ? " and \(Counts.grouped(names.count - 1)) more" : ""
      return
        "  \(source)\(String(repeating: " ", count: width - source.count))  \(names.first ?? "")\(rest): \(reason)"
    }
    return lines.isEmpty ? [] : ["", "Evidence of position that was not found"] + lines
  }

  /// `2 errors, 1 warning`
  static func count(_ findings: [Finding]) -> String {
    let errors = findings.count { $0.severity == .error }
    let parts = [(errors, "error"), (findings.count - errors, "warning")].filter { $0.0 > 0 }
      .map { number, word in Counts.of(number, word) }
    return parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
  }

  private struct Group {
    let file: String
    var findings: [Finding]
  }

  /// The findings come file by file, so a group ends where the next file begins.
  private static func groups(_ report: ValidationReport) -> [Group] {
    report.findings.reduce(into: []) { groups, finding in
      let file = self.file(of: finding, in: report)
      if groups.last?.file == file {
        groups[groups.count - 1].findings.append(finding)
      } else {
        groups.append(Group(file: file, findings: [finding]))
      }
    }
  }

  /// A place is a file's path, or that and a blank and a place in it; a path may have blanks too.
  private static func file(of finding: Finding, in report: ValidationReport) -> String {
    let place = finding.where
    let matches = report.validated.filter { place == $0 || place.hasPrefix($0 + " ") }
    return matches.max { $0.count < $1.count } ?? place
  }

  private static func lines(_ group: Group) -> [String] {
    let width = group.findings.map(\.rule.count).max() ?? 0
    return ["", group.file]
      + group.findings.map { finding in
        let inner = finding.where.dropFirst(group.file.count).drop { $0 == " " }
        let severity = finding.severity == .error ? "error  " : "warning"
        let rule = finding.rule + String(repeating: " ", count: width - finding.rule.count)
        return "  \(severity)  \(rule)  \(inner.isEmpty ? "" : "\(inner): ")\(finding.message)"
      }
  }
}
