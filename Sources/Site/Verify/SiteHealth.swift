internal import Core

/// Verifies that a published site is complete, signed and current, before a client runs into a problem.
public struct SiteHealth: Sendable {
  let site: PublishedSite
  /// The key that must have signed the catalogue; nil for a site without signatures.
  var verifier: PublicKey?
  var now: Instant
  /// The catalogue at the last check.
  var seen: SeenCatalogue?
  /// Whether only the sizes of files are checked.
  var isQuick = false
  /// The number of files that are read at a time.
  var jobs = 4
  /// Which catalogue of the site is checked.
  var channel = SiteChannel.cycles

  var files: any ObjectStore { site.store }

  /// The number of attempts when the site is published during the check.
  private static let attempts = 5

  public func check(progress: any ProgressReporter) throws -> HealthReport {
    for _ in 1..<SiteHealth.attempts {
      let (report, catalogue) = try checkOnce(progress)
      if report.ok { return report }
      guard let catalogue, catalogue.isOutdated(in: files) else { return report }
    }
    return try checkOnce(progress).report
  }

  private func checkOnce(
    _ progress: any ProgressReporter
  ) throws -> (report: HealthReport, catalogue: CatalogueBytes?) {
    var report = HealthReport(self)
    var bytes: CatalogueBytes?
    let read: PublishedCatalogue
    do {
      let found = try CatalogueBytes.read(channel, from: files)
      bytes = found
      report.add(try signature(of: found))
      // Unverified bytes are not decoded.
      guard report.ok else { return (report, bytes) }
      read = try PublishedCatalogue(found)
    } catch let trouble as Unreadable {
      report.add([.health(.catalogue, channel.path, trouble.problem)])
      return (report, bytes)
    }
    report.add(read)
    report.add(serial(of: read))
    report.seen = report.ok ? read.seen : nil
    if channel == .live {
      report.add(LiveCheck(catalogue: read.catalogue, now: now).findings)
    } else {
      let currency = CurrencyCheck(catalogue: read.catalogue, now: now)
      report.add(currency.findings + currency.editions)
      report.add(try manifests(of: read.catalogue) + replaced(by: read.catalogue))
      report.add(try PageCheck(health: self, read: read).findings())
    }
    report.add(try fileFindings(of: read, progress: progress))
    return (report, bytes)
  }

  // MARK: - The catalogue

  private func signature(of catalogue: CatalogueBytes) throws -> [Finding] {
    guard verifier != nil else { return [] }
    let place = channel.signature
    return try reading(place, .signature) {
      let found = try CatalogueSignature.find(of: catalogue, in: files, by: verifier)
      let own = channel.signature(of: catalogue.sha256)
      return [(place, found.aliasProblem, own), (own, found.ownProblem, place)].compactMap {
        bad, trouble, good in
        trouble.map {
          .health(.warning, .signature, bad, "\($0); \(good) is right, so publish again to replace it")
        }
      }
    }
  }

  private func serial(of catalogue: PublishedCatalogue) -> [Finding] {
    guard let objection = seen?.objection(to: catalogue.seen) else { return [] }
    return [.health(.serial, channel.path, objection)]
  }

  private func manifests(of catalogue: Catalog) throws -> [Finding] {
    try catalogue.entries.flatMap { entry in
      try reading(entry.manifest.path, .whole) {
        _ = try entry.manifest(in: files, of: catalogue)
        return []
      }
    }
  }

  /// Checks the replaced catalogue and its signature. Only a rollback needs them.
  private func replaced(by catalogue: Catalog) throws -> [Finding] {
    guard let file = catalogue.replaces else { return [] }
    return try reading(file.path, .whole, .warning, "a rollback cannot use it: ") {
      let found = try CatalogueBytes(files.data(of: file, "the previous catalogue"))
      if let verifier {
        _ = try CatalogueSignature.find(of: found, isReplaced: true, in: files, by: verifier)
      }
      return []
    }
  }

  /// The findings of a check, or why its object cannot be read.
  func reading(
    _ path: String, _ rule: HealthRule, _ severity: Finding.Severity = .error, _ effect: String = "",
    _ check: () throws -> [Finding]
  ) throws -> [Finding] {
    do {
      return try check()
    } catch let trouble as Unreadable {
      return [.health(severity, rule, path, effect + trouble.problem)]
    }
  }
}

/// The rules of a site check, by their names in findings.
enum HealthRule: String, CaseIterable {
  case catalogue = "site-catalogue"
  case signature = "site-signature"
  case serial = "site-serial"
  case whole = "site-whole"
  case pages = "site-pages"
  case currency = "site-currency"
  case held = "site-held"
  case headers = "site-headers"
}

extension Finding {
  static func health(
    _ severity: Severity, _ rule: HealthRule, _ place: String, _ message: String
  ) -> Finding {
    Finding(rule: rule.rawValue, severity: severity, where: place, message: message)
  }

  static func health(_ rule: HealthRule, _ place: String, _ message: String) -> Finding {
    health(.error, rule, place, message)
  }
}
