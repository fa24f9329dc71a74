internal import Core
public import Foundation
public import Pipeline

/// Looks at finished files as a stranger would, by their paths alone, and collects all that the rules find.
public struct Validator {
  /// How many threads decode tiles; whatever it is, the findings are the same and in the same order.
  private let jobs: Int
  private let memory: ValidationMemory

  /// - Parameter memory: of a run that validates several times.
  public init(
    jobs: Int = ProcessInfo.processInfo.activeProcessorCount, memory: ValidationMemory = ValidationMemory()
  ) {
    self.jobs = jobs
    self.memory = memory
  }

  /// In the order in which their findings are told.
  public static var rules: [any Rule] {
    [Readable()] + ArchiveCheck.rules + DatabaseCheck.rules + ExportCheck.rules + ProductCheck.rules
      + CycleCheck.rules
  }

  /// Whether a rule judges the products of a cycle beside each other, and not a file by itself.
  public static func isAboutCycle(_ rule: String) -> Bool { CycleCheck.rules.contains { $0.name == rule } }

  public func validate(_ paths: [URL], progress: any ProgressReporter) throws -> ValidationReport {
    try validate(ValidationRequest(paths), progress: progress)
  }

  /// What is wrong with a file is a finding; a fault is thrown only where there is nothing to look at.
  public func validate(
    _ request: ValidationRequest, progress: any ProgressReporter
  ) throws -> ValidationReport {
    try validate(request, progress: progress) { _ in true }
  }

  /// - Parameter isInDoubt: which files are to be looked at by themselves. The products of all are held against each other.
  func validate(
    _ request: ValidationRequest, progress: any ProgressReporter, isInDoubt: (SubjectList.Subject) -> Bool
  ) throws -> ValidationReport {
    let subjects = try SubjectList(request.paths).subjects
    if !request.against.isEmpty, !subjects.contains(where: { $0.kind == .product }) {
      throw UserError(
        .badCall, operation: "comparing with an earlier cycle", path: request.paths.first?.relativePath ?? "",
        reason: "products are compared, and this is none",
        suggestion: "Name the .product.json beside it, or the folder of both.")
    }
    var report = ValidationReport(findings: [], validated: subjects.map(\.place))
    for subject in subjects where isInDoubt(subject) {
      try CancellationToken.current.check()
      report.add(try memory.result(of: subject) { try check(subject, progress) }, of: subject.product)
    }
    for cycle in cycles(of: subjects, request, measured: report.facts) {
      try CancellationToken.current.check()
      report.add(try CycleCheck(cycle: cycle).findings())
      for (product, facts) in cycle.facts { report.facts[product, default: ProductFacts()].add(facts) }
    }
    return report
  }

  private func check(
    _ subject: SubjectList.Subject, _ progress: any ProgressReporter
  ) throws -> FileCheck.Result {
    let step = "validate " + subject.url.pathComponents.suffix(2).joined(separator: "/")
    progress.report(.started(step: step))
    let found = try FileCheck(subject, jobs: jobs).result { done, total in
      progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
    }
    progress.report(.finished(step: step, detail: ValidationText.count(found.findings)))
    return found
  }

  /// A folder may hold several cycles; each is judged by itself.
  private func cycles(
    of subjects: [SubjectList.Subject], _ request: ValidationRequest, measured: [String: ProductFacts]
  ) -> [CycleUnderTest] {
    let products = subjects.filter { $0.kind == .product }
      .compactMap { try? ProductUnderTest($0.url, place: $0.place) }  // else `readable` has told of it
    let byCycle = Dictionary(grouping: products) { $0.product.cycle }
    return byCycle.sorted { $0.key < $1.key }.map { _, products in
      CycleUnderTest(
        products: products, settled: request.beside, earlier: request.against, measured: measured)
    }
  }
}

/// A product, and where the paths of its files begin: a build folder, or a site's root.
public struct PlacedProduct: Sendable {
  public var product: Product
  public var folder: URL

  public init(_ product: Product, in folder: URL) {
    self.product = product
    self.folder = folder
  }
}

/// What is to be looked at, and beside what.
public struct ValidationRequest: Sendable {
  /// Each an archive, a database, a product's description (which brings its files), or a folder of these.
  public var paths: [URL]
  /// Products of the same cycle that were validated before. They are not looked at again, but the others must agree with them.
  public var beside: [PlacedProduct]
  /// Products of earlier cycles, the latest first, that the new ones are held against.
  public var against: [PlacedProduct]

  public init(_ paths: [URL], beside: [PlacedProduct] = [], against: [PlacedProduct] = []) {
    self.paths = paths
    self.beside = beside
    self.against = against
  }
}

/// What the rules found in each file, so that a second validation in the same run looks only at files that changed.
///
/// Rules about a whole cycle are applied each time, since they depend on which products there are.
public final class ValidationMemory {
  private struct Key: Hashable {
    let path: String
    let number: UInt64
    let bytes: UInt64
    let changed: Date
  }

  private var results: [Key: FileCheck.Result] = [:]

  public init() {}

  /// The result of an earlier check of this very file, else that of `check`.
  func result(of subject: SubjectList.Subject, _ check: () throws -> FileCheck.Result) rethrows
    -> FileCheck.Result
  {
    guard let key = ValidationMemory.key(subject.url) else { return try check() }
    if let known = results[key] { return known }
    let found = try check()
    results[key] = found
    return found
  }

  /// Every output of a step is a new file, so a file that was built again has another number or time.
  private static func key(_ file: URL) -> Key? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
      let number = facts[.systemFileNumber] as? UInt64, let bytes = facts[.size] as? UInt64,
      let changed = facts[.modificationDate] as? Date
    else { return nil }
    return Key(path: file.standardizedFileURL.path, number: number, bytes: bytes, changed: changed)
  }
}

@available(*, unavailable)
extension ValidationMemory: Sendable {}
