public import Airac
public import Foundation
public import Pipeline
internal import Validation

/// Whether what is published is whole, signed and current: what a client could run into, asked before one does.
public struct SiteHealth {
  let files: any PublishedFiles
  let verifier: VerifyingKey?
  let now: Instant

  /// - Parameter verifier: whose signature the catalogue must bear; nil for a site that nobody signs.
  public init(folder: URL, signedBy verifier: VerifyingKey?, now: Instant) {
    files = FolderFiles(root: folder)
    self.verifier = verifier
    self.now = now
  }

  /// How many days before the current cycle ends the next one should be there.
  private static let noticeDays = 5

  public func examine(progress: any ProgressReporter) throws -> HealthReport {
    let name = "catalog.json"
    guard let data = try files.data(name) else {
      return HealthReport([error("site-catalogue", name, "there is no catalogue, so nothing is published")])
    }
    guard let catalogue = try? JSONDecoder().decode(Catalog.self, from: data) else {
      return HealthReport([error("site-catalogue", name, "it is no catalogue that this version can read")])
    }
    let entries = [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self)
    let findings =
      try signature(of: data, name) + currency(catalogue)
      + entries.flatMap { try manifest(of: $0, catalogue) }
      + blobs(of: catalogue, progress)
    return HealthReport(findings, catalogue)
  }

  // MARK: - The catalogue

  /// The one under the catalogue's hash fits at every instant; the one beside it comes a moment later.
  private func signature(of catalogue: Data, _ name: String) throws -> [Finding] {
    guard let verifier else { return [] }
    let place = name + ".minisig"
    guard let problem = try trouble(with: place, of: catalogue, verifier) else { return [] }
    let own = try SigningKey.path(of: catalogue)
    guard try trouble(with: own, of: catalogue, verifier) == nil else {
      return [error("site-signature", place, problem)]
    }
    return [
      Finding(
        rule: "site-signature", severity: .warning, where: place,
        message: "\(problem); \(own) is right, so publish again to mend it")
    ]
  }

  private func trouble(with place: String, of catalogue: Data, _ verifier: VerifyingKey) throws -> String? {
    guard let data = try files.data(place) else { return "the catalogue is not signed" }
    guard let signature = MinisignSignature(String(decoding: data, as: UTF8.self)) else {
      return "this is no signature in minisign's format"
    }
    do {
      try signature.verify([UInt8](catalogue), by: verifier)
      return nil
    } catch let refusal as MinisignSignature.Refusal {
      return refusal.words
    }
  }

  private func currency(_ catalogue: Catalog) -> [Finding] {
    let (inForce, name) = (AiracCycle(at: now), "catalog.json")
    let listed = [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self)
    guard let current = listed.first(where: { $0.id == inForce.identifier }) else {
      let held = listed.map(\.id).joined(separator: ", ")
      return [
        error(
          "site-currency", name,
          "cycle \(inForce) is in force, and the site has \(held.isEmpty ? "none" : "only \(held)")")
      ]
    }
    let notice = inForce.expires(.every28Days).day.adding(days: -SiteHealth.noticeDays)
    let isDue = now.day >= notice && !listed.contains { $0.id == inForce.advanced(by: 1).identifier }
    return isDue
      ? [
        Finding(
          rule: "site-currency", severity: .warning, where: name,
          message: "\(current.id) ends at \(current.expires), and \(inForce.advanced(by: 1)) is not there yet"
        )
      ] : []
  }

  // MARK: - What it names

  private func manifest(of entry: CycleEntry, _ catalogue: Catalog) throws -> [Finding] {
    let path = entry.manifest.path
    guard let data = try files.data(path) else {
      return [error("site-whole", path, "the manifest of cycle \(entry.id) is not there")]
    }
    let found = try files.fingerprint(path)
    guard let found, found == (entry.manifest.bytes, entry.manifest.sha256) else {
      return [
        error("site-whole", path, "the manifest of cycle \(entry.id) is not the one that the catalogue names")
      ]
    }
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: data), manifest.cycle == entry.id
    else {
      return [error("site-whole", path, "this is no manifest of cycle \(entry.id)")]
    }
    let named = catalogue.products.filter { $0.cycle == entry.id }
    return named == manifest.products
      ? []
      : [error("site-whole", path, "its products are not those that the catalogue has of cycle \(entry.id)")]
  }

  private func blobs(of catalogue: Catalog, _ progress: any ProgressReporter) throws -> [Finding] {
    let step = "verify"
    var (findings, seen): ([Finding], Set<String>) = ([], [])
    let all = catalogue.products.flatMap { product in product.files.map { (product.id, $0) } }
      .filter { seen.insert($0.1.path).inserted }
    let total = all.map(\.1.bytes).reduce(0) { $0.addingReportingOverflow($1).partialValue }
    var done = 0
    progress.report(.started(step: step))
    for (product, file) in all {
      try Task.checkCancellation()
      if let problem = try problem(with: file) {
        findings.append(error("site-whole", file.path, "\(problem); it is a file of \(product)"))
      }
      done = done.addingReportingOverflow(file.bytes).partialValue
      progress.report(.advanced(step: step, done: done, total: total, unit: "bytes"))
    }
    progress.report(.finished(step: step, detail: Counts.of(all.count, "file")))
    return findings
  }

  private func problem(with file: Product.File) throws -> String? {
    guard file.path.split(separator: "/").allSatisfy({ $0 != ".." }), !file.path.hasPrefix("/") else {
      return "its path leads out of the site"
    }
    guard let found = try files.fingerprint(file.path) else { return "it is not there" }
    guard found.bytes == file.bytes else {
      return "it has \(Counts.grouped(found.bytes)) bytes, not \(Counts.grouped(file.bytes))"
    }
    return found.sha256 == file.sha256 ? nil : "its SHA-256 is not the one that the catalogue gives"
  }

  private func error(_ rule: String, _ place: String, _ message: String) -> Finding {
    Finding(rule: rule, severity: .error, where: place, message: message)
  }
}

extension MinisignSignature.Refusal {
  fileprivate var words: String {
    switch self {
    case .otherKey(let has, let needs): "it is of key \(has), and should be of \(needs)"
    case .wrong: "it is not of this catalogue: one of the two was changed, or a publication is under way"
    case .wrongComment: "its comment was changed"
    }
  }
}
