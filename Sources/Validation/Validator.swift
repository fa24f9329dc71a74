internal import Core
public import Foundation
public import Pipeline

/// Validates finished files by their paths alone, without knowledge of the build, and collects the findings of all rules.
public struct Validator {
  /// How many threads decode tiles and run rules. The findings and their order do not depend on it.
  private let jobs: Int
  private let memory: ValidationMemory

  /// - Parameter memory: shared by the validations of one run.
  public init(
    jobs: Int = ProcessInfo.processInfo.activeProcessorCount, memory: ValidationMemory = ValidationMemory()
  ) {
    (self.jobs, self.memory) = (jobs, memory)
  }

  /// All rules, in the order in which their findings are reported.
  public static var rules: [RuleSummary] { RuleList.all }

  /// Whether a rule compares the products of a cycle with each other, instead of checking a single file.
  public static func isAboutCycle(_ rule: String) -> Bool { RuleList.cycles.contains { $0.name == rule } }

  public func validate(_ paths: [URL], progress: any ProgressReporter) throws -> ValidationReport {
    try validate(ValidationRequest(paths), progress: progress)
  }

  /// Returns all findings. Problems of files are findings; an error is thrown only if there is nothing to validate.
  public func validate(
    _ request: ValidationRequest, progress: any ProgressReporter
  ) throws -> ValidationReport {
    try validate(request, progress: progress) { _ in true }
  }

  /// - Parameter includes: which files to check by themselves. The products of all files are compared with each other.
  func validate(
    _ request: ValidationRequest, progress: any ProgressReporter, includes: (ProductScan.File) -> Bool
  ) throws -> ValidationReport {
    let files = try ProductScan(request.paths).files
    if !request.against.isEmpty, !files.contains(where: { $0.kind == .product }) {
      throw UserError(
        .badCall, operation: "comparing with an earlier cycle", path: request.paths.first?.relativePath ?? "",
        reason: "only products can be compared, and this is not a product",
        suggestion: "Name the .product.json beside it, or the folder of both.")
    }
    var report = ValidationReport(findings: [], validated: files.map(\.place))
    for file in files where includes(file) {
      try CancellationToken.current.check()
      report.add(try memory.result(of: file) { try check(file, progress) }, of: file.owner?.id)
    }
    for cycle in cycles(of: files, request, facts: report.facts) {
      try CancellationToken.current.check()
      report.add(try cycle.result())
    }
    return report
  }

  private func check(_ file: ProductScan.File, _ progress: any ProgressReporter) throws -> RuleResult {
    let step = "validate " + file.url.pathComponents.suffix(2).joined(separator: "/")
    progress.report(.started(step: step))
    let found = try RuleRunner(file, jobs: jobs) { done, total in
      progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
    }.result()
    progress.report(.finished(step: step, detail: ValidationText.count(found.findings)))
    return found
  }

  /// Groups the products by cycle, since a folder may hold several.
  private func cycles(
    of files: [ProductScan.File], _ request: ValidationRequest, facts: [String: ProductFacts]
  ) -> [CycleUnderTest] {
    // `readable` reports a description that cannot be read.
    let products = files.filter { $0.kind == .product }
      .compactMap { try? ProductUnderTest($0.url, place: $0.place) }
    let byCycle = Dictionary(grouping: products) { $0.product.cycle }
    return byCycle.sorted { $0.key < $1.key }.map { _, products in
      CycleUnderTest(
        products: products, settled: request.beside, earlier: request.against, facts: facts)
    }
  }
}

/// The files to validate, and the products to compare them with.
public struct ValidationRequest: Sendable {
  /// Archives, databases, product descriptions (which include their files), and folders of these.
  public var paths: [URL]
  /// Products of the same cycle that were validated before. They are not checked again, but the others must agree with them.
  public var beside: [PlacedProduct]
  /// Products of earlier cycles, the latest first, to compare the new ones with.
  public var against: [PlacedProduct]

  public init(_ paths: [URL], beside: [PlacedProduct] = [], against: [PlacedProduct] = []) {
    (self.paths, self.beside, self.against) = (paths, beside, against)
  }
}

/// The results of each file, so that a second validation in the same run checks only files that changed.
///
/// Rules about a whole cycle run each time, since they depend on which products there are.
public final class ValidationMemory {
  private struct Key: Hashable {
    let path: String
    let number: UInt64
    let bytes: UInt64
    let changed: Date
    let product: String?
  }

  private var results: [Key: RuleResult] = [:]

  public init() {}

  /// Returns the result of an earlier check of this file, else that of `check`.
  func result(of file: ProductScan.File, _ check: () throws -> RuleResult) rethrows -> RuleResult {
    guard let key = ValidationMemory.key(file) else { return try check() }
    if let known = results[key] { return known }
    let found = try check()
    results[key] = found
    return found
  }

  /// Every output of a step is a new file, so a rebuilt file has another number or time.
  private static func key(_ file: ProductScan.File) -> Key? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.url.path),
      let number = attributes[.systemFileNumber] as? UInt64, let bytes = attributes[.size] as? UInt64,
      let changed = attributes[.modificationDate] as? Date
    else { return nil }
    return Key(
      path: file.url.standardizedFileURL.path, number: number, bytes: bytes, changed: changed,
      product: file.owner?.id)
  }
}

@available(*, unavailable)
extension ValidationMemory: Sendable {}
