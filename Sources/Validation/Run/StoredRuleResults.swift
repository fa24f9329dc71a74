internal import Core
internal import CryptoIO
internal import Foundation
internal import Synchronization

/// Keeps the results of rules for files and cycles that did not change.
final class StoredRuleResults: Sendable {
  let store: KeyedResults
  /// The hashes of descriptions without their cycle, by the hashes of their files.
  private let undated = Mutex<[SHA256Hex: SHA256Hex]>([:])

  init(_ store: KeyedResults) { self.store = store }

  /// Returns the stored result of a file's rules, or that of `check`.
  func result(of file: ProductScan.File, _ check: () throws -> RuleResult) throws -> RuleResult {
    guard let inputs = try? inputs(of: file) else { return try check() }
    return try result("rules", inputs, folder: URL(filePath: file.place).deletingLastPathComponent(), check)
  }

  /// The same for the rules of a product that do not depend on its cycle.
  func undatedResult(
    of subject: ProductUnderTest, in description: URL, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    guard let hash = try? undated(subject.product, description) else { return try check() }
    let inputs = FileInputs(
      kind: "undated", name: description.lastPathComponent, sha256: hash, description: nil,
      files: files(of: subject.product, in: description.deletingLastPathComponent()))
    return try result(
      "rules", inputs, folder: URL(filePath: subject.place).deletingLastPathComponent(), check)
  }

  /// The same for rules of a cycle.
  ///
  /// - Parameter kind: a word for these rules, since different rules may read the same products.
  func result(
    _ kind: String, of cycle: CycleUnderTest, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    let folder = CycleInputs.folder(of: cycle.products)
    guard let folder, let inputs = try? CycleInputs(cycle, self, folder) else { return try check() }
    return try result(kind, inputs, folder: folder, check)
  }

  private func result(
    _ kind: String, _ inputs: some Encodable, folder: URL, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    let places = Places(folder: folder.path, root: store.root?.path)
    if let known: StoredResult = try store.stored(kind, of: inputs) { return known.result(in: places) }
    let result = try check()
    if let stored = StoredResult(result, in: places) { try store.store(stored, kind, of: inputs) }
    return result
  }

  // MARK: - Inputs

  /// What the rules of one file read.
  private struct FileInputs: Encodable {
    var kind: String
    var name: String
    var sha256: SHA256Hex
    /// The description of its product. An archive's rules do not read the cycle, so its hash is without it.
    var description: SHA256Hex?
    /// The hash of each file of the product.
    var files: [String: SHA256Hex?]
  }

  /// Nil for a file that no description names: a rule may look for other files beside it.
  private func inputs(of file: ProductScan.File) throws -> FileInputs? {
    guard let owner = file.owner else { return nil }
    let description =
      file.kind == .archive
      ? try undated(owner.product, owner.description) : try store.hashes.sha256(of: owner.description)
    return FileInputs(
      kind: "\(file.kind)", name: file.url.lastPathComponent, sha256: try store.hashes.sha256(of: file.url),
      description: description,
      files: files(of: owner.product, in: owner.description.deletingLastPathComponent()))
  }

  /// Returns the actual hashes of a product's files; nil for a file that cannot be read.
  func files(of product: Product, in folder: URL) -> [String: SHA256Hex?] {
    let hashes = product.files.map { file in
      (file.path, try? store.hashes.sha256(of: folder.appending(path: file.path)))
    }
    return Dictionary(hashes) { first, _ in first }
  }

  private func undated(_ product: Product, _ description: URL) throws -> SHA256Hex {
    let sha256 = try store.hashes.sha256(of: description)
    if let known = undated.withLock({ $0[sha256] }) { return known }
    let hash = try SHA256Hex(of: Array(CanonicalJSON.line(product.undated)))
    undated.withLock { $0[sha256] = hash }
    return hash
  }
}

extension Product {
  /// The description without its cycle. The files of a chart are the same in all cycles of its edition.
  var undated: Product {
    var product = self
    product.cycle = ""
    return product
  }
}

/// What the rules of a cycle read.
private struct CycleInputs: Encodable {
  struct Placed: Encodable {
    var place: String
    var product: Product
    /// The hash of each file, or its size for the content-addressed files of a site.
    var files: [String: String]
  }

  var products: [Placed]
  var settled: [Placed]
  var earlier: [Placed]
  var facts: [String: ProductFacts]

  init(_ cycle: CycleUnderTest, _ results: StoredRuleResults, _ folder: URL) throws {
    products = cycle.products.map { subject in
      let files = results.files(of: subject.product, in: subject.folder)
      return Placed(
        place: subject.place.replacing(folder.path + "/", with: ""), product: subject.product,
        files: files.mapValues { $0?.text ?? "" })
    }
    (settled, earlier) = (cycle.settled.map(CycleInputs.sizes), cycle.earlier.map(CycleInputs.sizes))
    facts = cycle.facts
  }

  /// A file of a site has its hash in its name, and staging verified it.
  private static func sizes(_ subject: ProductUnderTest) -> Placed {
    let sizes = subject.product.files.map { file in
      (file.path, FileStamp(subject.folder.appending(path: file.path)).map { "\($0.bytes)" } ?? "")
    }
    return Placed(
      place: subject.place, product: subject.product, files: Dictionary(sizes) { first, _ in first })
  }

  /// Returns the folder that holds all products; nil where their places are relative.
  static func folder(of products: [ProductUnderTest]) -> URL? {
    let folders = products.map { URL(filePath: $0.place).deletingLastPathComponent().pathComponents }
    guard let first = folders.first, products.allSatisfy({ $0.place.hasPrefix("/") }) else { return nil }
    let common = first.indices.prefix { index in
      folders.allSatisfy { index < $0.count && $0[index] == first[index] }
    }
    // The first component is the root, "/".
    return URL(filePath: "/" + first[common].dropFirst().joined(separator: "/"))
  }
}

/// The folders whose paths occur in findings. Stored findings have marks in their place, so a work folder can be moved.
private struct Places {
  let folder: String
  let root: String?

  private var marks: [(mark: String, path: String)] {
    [("\u{1}", folder + "/")] + (root.map { [("\u{2}", $0 + "/")] } ?? [])
  }

  func marked(_ text: String) -> String {
    marks.reduce(text) { $0.replacing($1.path, with: $1.mark) }
  }

  func restored(_ text: String) -> String {
    marks.reduce(text) { $0.replacing($1.mark, with: $1.path) }
  }
}

/// The stored form of a result. Unlike in reports, each finding has its product.
private struct StoredResult: Codable {
  struct Entry: Codable {
    var finding: Finding
    var product: String?
  }

  var findings: [Entry]
  var facts: [String: ProductFacts]

  /// Nil for a result that would not be the same after it is read again.
  init?(_ result: RuleResult, in places: Places) {
    findings = result.findings.map { finding in
      var marked = finding
      (marked.where, marked.message) = (places.marked(finding.where), places.marked(finding.message))
      return Entry(finding: marked, product: finding.product)
    }
    facts = result.facts
    guard self.result(in: places).findings == result.findings else { return nil }
  }

  func result(in places: Places) -> RuleResult {
    let findings = findings.map { entry in
      var finding = entry.finding
      (finding.where, finding.message) = (places.restored(finding.where), places.restored(finding.message))
      finding.product = entry.product
      return finding
    }
    return RuleResult(findings, facts: facts)
  }
}
