internal import Core
public import Foundation

/// Validates finished files by their paths alone, without knowledge of the build, and collects the findings of all rules.
public struct Validator: Sendable {
  /// How many threads decode tiles and run rules. The findings and their order do not depend on it.
  private let jobs: Int
  private let journal: Journal

  /// - Parameter journal: where the results of files are kept, so that only changed files are checked again.
  init(jobs: Int = ProcessInfo.processInfo.activeProcessorCount, journal: Journal = Journal()) {
    (self.jobs, self.journal) = (jobs, journal)
  }

  /// The names of all rules, such as `tiles-decode`, and what each guarantees, in the order in which their findings are reported.
  public static var rules: [(name: String, protects: String)] { RuleList.all }

  /// Whether a rule compares the products of a cycle with each other, instead of checking a single file.
  public static func isAboutCycle(_ rule: String) -> Bool {
    (RuleList.databaseCycles + RuleList.chartCycles + RuleList.cycles).contains { $0.name == rule }
  }

  public func validate(_ paths: [URL], progress: any ProgressReporter) throws -> ValidationReport {
    try validate(ValidationRequest(paths), progress: progress)
  }

  /// Returns all findings. Problems of files are findings; an error is thrown only if there is nothing to validate.
  ///
  /// - Parameter includes: which files to check by themselves. The products of all files are compared with each other.
  func validate(
    _ request: ValidationRequest, progress: any ProgressReporter,
    includes: (ProductScan.File) -> Bool = { _ in true }
  ) throws -> ValidationReport {
    let files = try ProductScan(request.paths).files
    if !request.against.isEmpty, !files.contains(where: { $0.kind == .product }) {
      throw UserError(
        .badCall, operation: "comparing with an earlier cycle", path: request.paths.first?.relativePath ?? "",
        reason: "only products can be compared, and this is not a product",
        suggestion: "Name the .product.json beside it, or the folder of both.")
    }
    FreedMemory.giveBack()
    var report = ValidationReport(findings: [], validated: files.map(\.place))
    let chosen = files.filter(includes)
    for (file, result) in zip(chosen, try results(of: chosen, request.sources, progress)) {
      report.add(result, of: file.owner?.id)
    }
    for cycle in cycles(of: files, request, facts: report.facts) {
      try CancellationToken.current.check()
      report.add(try cycle.result(in: journal, jobs: jobs))
    }
    return report
  }

  /// Checks the files of several products at the same time: much of the work on a file takes one thread, and it waits for the disk at
  /// first. The products that were built last come first, since the system still has their files in memory.
  private func results(
    of files: [ProductScan.File], _ sources: SourceFolder?, _ progress: any ProgressReporter
  ) throws -> [RuleResult] {
    let groups = files.byProduct
    let stamps = groups.map { $0.map { FileStamp($0.url) } }
    let changed = stamps.map { $0.compactMap(\.?.changed).max() ?? .distantPast }
    let total = stamps.joined().compactMap(\.?.bytes).reduce(0, +)
    let start = ContinuousClock.now
    var results: [[RuleResult]] = groups.map { _ in [] }
    var (done, bytes, clean) = (0, 0, 0)
    try processInOrder(groups.indices.sorted { changed[$0] > changed[$1] }, width: jobs) { number in
      let checkedTiles = CheckedTiles()
      return (number, try groups[number].map { try result(of: $0, checkedTiles, sources, progress) })
    } consume: { number, found in
      bytes += stamps[number].compactMap(\.?.bytes).reduce(0, +)
      results[number] = found.map(\.result)
      done += found.count
      clean += found.count { $0.isNew && $0.result.findings.isEmpty }
      guard files.count > 1 else { return }
      // The bytes of a few files predict the rest.
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let left = done < 3 || bytes == 0 ? nil : seconds / Double(bytes) * Double(total - bytes)
      progress.report(.overall(done: done, total: files.count, unit: "file", secondsLeft: left))
    }
    if clean > 0 {
      let others = results.joined().contains { !$0.findings.isEmpty } ? "the other " : ""
      let detail = "nothing found in \(others)\(Counts.of(clean, "file"))"
      progress.finish("validate", detail)
    }
    return Array(results.joined())
  }

  /// The result, and whether the file was checked now.
  private typealias Checked = (result: RuleResult, isNew: Bool)

  /// A file without findings has no line of its own in the progress.
  private func result(
    of file: ProductScan.File, _ checkedTiles: CheckedTiles, _ sources: SourceFolder?,
    _ progress: any ProgressReporter
  ) throws -> Checked {
    var isNew = false
    func check() throws -> RuleResult {
      isNew = true
      let step = "validate " + file.url.pathComponents.suffix(2).joined(separator: "/")
      progress.report(.started(step: step))
      let runner = RuleRunner(
        file: file, jobs: jobs, journal: journal, checkedTiles: checkedTiles, sources: sources
      ) { done, total in
        progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
      }
      let found = try runner.result()
      if !found.findings.isEmpty {
        progress.finish(step, ValidationText.count(found.findings))
      }
      return found
    }
    // An audit depends on files that no key of the journal names.
    let result = try sources == nil ? journal.result(of: file, check) : check()
    return (result, isNew)
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

extension [ProductScan.File] {
  /// In groups of one product each, which are beside each other.
  fileprivate var byProduct: [[ProductScan.File]] {
    reduce(into: []) { groups, file in
      if let owner = file.owner, groups.last?.last?.owner?.id == owner.id {
        groups[groups.count - 1].append(file)
      } else {
        groups.append([file])
      }
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
  /// The sources of the databases, to audit them; nil if they are not known.
  public var sources: SourceFolder?

  public init(
    _ paths: [URL], beside: [PlacedProduct] = [], against: [PlacedProduct] = [],
    from sources: SourceFolder? = nil
  ) {
    (self.paths, self.beside, self.against, self.sources) = (paths, beside, against, sources)
  }
}
