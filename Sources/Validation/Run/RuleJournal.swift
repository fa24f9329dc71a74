internal import Core
internal import CryptoIO
internal import Foundation

/// The steps that run rules: a file or a cycle that did not change is not checked again.
extension Journal {
  /// Returns the result of a file's rules, from the journal or from `check`.
  func result(of file: ProductScan.File, _ check: () throws -> RuleResult) throws -> RuleResult {
    // A rule may look for other files beside a file that no description names.
    try result(of: try? FileInputs(file, hashes), at: file.place, check)
  }

  /// The same for the rules of a product that do not depend on its cycle.
  func undatedResult(
    of subject: ProductUnderTest, in description: URL, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    try result(
      of: try? FileInputs(undated: subject.product, description, hashes), at: subject.place, check)
  }

  private func result(
    of inputs: FileInputs?, at place: String, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    guard let inputs else { return try check() }
    return try result(
      of: inputs.step, inputs,
      folder: URL(filePath: place).deletingLastPathComponent(), check)
  }

  /// The same for rules of a cycle.
  ///
  /// - Parameter kind: a word for these rules, since different rules may read the same products.
  func result(
    _ kind: String, of cycle: CycleUnderTest, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    let folder = CycleInputs.folder(of: cycle.products)
    guard let folder, let inputs = try? CycleInputs(cycle, hashes, folder) else { return try check() }
    return try result(of: kind, inputs, folder: folder, check)
  }

  private func result(
    of step: String, _ inputs: some Encodable, folder: URL, _ check: () throws -> RuleResult
  ) throws -> RuleResult {
    let places = Places(folder: folder.path, root: root?.path)
    if let known: KeptResult = try value(of: step, for: inputs) { return known.result(in: places) }
    let result = try check()
    if let kept = KeptResult(result, in: places) { try keep(kept, of: step, for: inputs) }
    return result
  }
}

/// What the rules of one file read.
private struct FileInputs: Encodable {
  var kind: String
  var product: String
  var name: String
  var sha256: SHA256Hex
  /// The description of its product. An archive's rules do not read the cycle, so its hash is without it.
  var description: SHA256Hex?
  /// The hash of each file of the product.
  var files: [String: SHA256Hex?]

  var step: String { "rules/\(product)/\(name)" }

  /// Nil for a file that no description names.
  init?(_ file: ProductScan.File, _ hashes: FileHashes) throws {
    guard let owner = file.owner, let described = owner.description else { return nil }
    (kind, product) = ("\(file.kind)", owner.id)
    name = file.url.lastPathComponent
    sha256 = try hashes.sha256(of: file.url)
    description =
      file.kind == .archive ? try owner.product.undatedSha256 : try hashes.sha256(of: described)
    files = hashes.files(of: owner.product, in: owner.folder)
  }

  init(undated product: Product, _ description: URL, _ hashes: FileHashes) throws {
    (kind, self.product, name) = ("undated", product.id, description.lastPathComponent)
    sha256 = try product.undatedSha256
    files = hashes.files(of: product, in: description.deletingLastPathComponent())
  }
}

extension FileHashes {
  /// Returns the actual hashes of a product's files; nil for a file that cannot be read.
  fileprivate func files(of product: Product, in folder: URL) -> [String: SHA256Hex?] {
    product.byPath { try? sha256(of: folder.appending(path: $0)) }
  }
}

extension Product {
  /// The description with the first cycle of its edition. The files of a chart are the same in all of them.
  var undated: Product {
    var product = self
    product.cycle = AiracCycle(at: effectiveDate)
    return product
  }

  fileprivate func byPath<Value>(_ value: (String) -> Value) -> [String: Value] {
    Dictionary(first: files.map { ($0.path, value($0.path)) })
  }

  fileprivate var undatedSha256: SHA256Hex {
    get throws { try SHA256Hex(of: Array(CanonicalJSON.line(undated))) }
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

  init(_ cycle: CycleUnderTest, _ hashes: FileHashes, _ folder: URL) throws {
    products = cycle.products.map { subject in
      Placed(
        place: subject.place.replacing(folder.path + "/", with: ""), product: subject.product,
        files: hashes.files(of: subject.product, in: subject.folder).mapValues { $0?.text ?? "" })
    }
    (settled, earlier) = (cycle.settled.map(CycleInputs.sizes), cycle.earlier.map(CycleInputs.sizes))
    facts = cycle.facts
  }

  /// A file of a site has its hash in its name, and staging verified it.
  private static func sizes(_ subject: ProductUnderTest) -> Placed {
    let sizes = subject.product.byPath { path in
      FileStamp(subject.folder.appending(path: path)).map { "\($0.bytes)" } ?? ""
    }
    return Placed(place: subject.place, product: subject.product, files: sizes)
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

/// The folders whose paths occur in findings. Kept findings have marks in their place, so a work folder can be moved.
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

/// The form of a result in the journal.
private struct KeptResult: Codable {
  var findings: [Finding]
  var facts: [String: ProductFacts]

  /// Nil for a result that would not be the same after it is read again.
  init?(_ result: RuleResult, in places: Places) {
    (findings, facts) = (result.findings.map { $0.changed(places.marked) }, result.facts)
    guard self.result(in: places).findings == result.findings else { return nil }
  }

  func result(in places: Places) -> RuleResult {
    RuleResult(findings.map { $0.changed(places.restored) }, facts: facts)
  }
}

extension Finding {
  fileprivate func changed(_ text: (String) -> String) -> Finding {
    var finding = self
    (finding.where, finding.message) = (text(self.where), text(message))
    return finding
  }
}
