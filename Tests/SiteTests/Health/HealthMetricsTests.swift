import Core
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

/// What monitoring reads.
struct HealthMetricsTests {
  private func metrics(_ change: (SampleBuild) throws -> Void = { _ in }) throws -> Data {
    let sample = try SampleBuild()
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    try change(sample)
    let now = try #require(Instant("2026-12-01T00:00:00Z"))
    let report = try SiteHealth(PublishedSite(folder: sample.site), .init(signedBy: nil, now: now))
      .examine(progress: SilentProgress())
    return HealthMetrics(report, at: now).data
  }

  /// Samples without the label of the site.
  private func lines(_ data: Data) -> [Substring] {
    String(decoding: data, as: UTF8.self).replacing(/site="[^"]*",?/, with: "").split(separator: "\n")
  }

  @Test func `a good site has all its numbers`() throws {
    let lines = try lines(metrics())
    for line in [
      "chartpipe_site_ok{} 1", "chartpipe_site_reachable{} 1", "chartpipe_site_serial{} 1",
      "chartpipe_site_files{} 1", "chartpipe_site_checked_timestamp_seconds{} 1796083200",
      "chartpipe_site_cycle_info{role=\"current\",cycle=\"2612\"} 1",
      "chartpipe_site_current_expires_timestamp_seconds{} 1798102860", "chartpipe_site_next_published{} 0",
      "chartpipe_site_findings{rule=\"site-whole\",severity=\"error\"} 0",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
  }

  @Test func `what is wrong is counted, and a site that is not there is not well`() throws {
    let lost = try lines(metrics { try FileManager.default.removeItem(at: $0.site.appending(path: "blobs")) })
    #expect(lost.contains("chartpipe_site_ok{} 0"))
    #expect(lost.contains("chartpipe_site_findings{rule=\"site-whole\",severity=\"error\"} 2"))
    let none = try lines(metrics { try FileManager.default.removeItem(at: $0.site) })
    #expect(none.contains("chartpipe_site_ok{} 0") && none.contains("chartpipe_site_reachable{} 1"))
    let down = lines(HealthMetrics(unreachable: "https://x", at: Instant(secondsSince1970: 5)).data)
    #expect(
      down.filter { !$0.hasPrefix("#") }.map { $0 } == [
        "chartpipe_site_ok{} 0", "chartpipe_site_reachable{} 0",
        "chartpipe_site_checked_timestamp_seconds{} 5",
      ])
  }

  @Test(.enabled(if: Python.has("prometheus_client"), "python3-prometheus-client is not installed"))
  func `Prometheus' own library reads it, whatever a site is called`() throws {
    let folder = try TemporaryFolder()
    let name = "a\"b\\c\nd"
    let strange = HealthMetrics(unreachable: name, at: Instant(secondsSince1970: 5)).data
    let program = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families as families
      for family in families(open(sys.argv[1]).read()):
          assert family.type == "gauge" and family.documentation
          for sample in family.samples: print(sample.name, repr(sample.labels), sample.value)
      """
    for (file, data) in [("good", try metrics()), ("strange", strange)] {
      try data.write(to: folder.file(file))
      let ending = try Python.run(program, [folder.file(file).path])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.output.split(separator: "\n").count == (file == "good" ? 25 : 3), "\(ending.output)")
      if file == "strange" { #expect(ending.output.contains(#"'a"b\\c\nd'"#)) }
    }
  }
}
