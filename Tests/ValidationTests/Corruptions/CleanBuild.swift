import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A copy of the correct sample cycle, as `chartpipe` builds it, for corruptions.
final class CleanBuild {
  static let west = "sample-sectional/Sample_West"
  static let east = "sample-sectional/Sample_East"
  static let bay = "sample-terminal/Sample_Bay"

  private let copy = TemporaryFolder()
  /// Products of an earlier cycle to compare this one with; none in a clean build.
  var against: [PlacedProduct] = []

  /// The copy of `work/build/2304`.
  var folder: URL { copy.file("2304") }

  /// - Parameter pipeline: the only one whose products are copied; all if it is empty.
  init(_ pipeline: String = "") throws {
    try copy.file("2304").makeFolder()
    let build = try CleanBuild.built.get().file("build/2304")
    for name in try FileManager.default.contentsOfDirectory(atPath: build.path)
    where pipeline.isEmpty || name == pipeline {
      try FileManager.default.copyItem(at: build.appending(path: name), to: folder.appending(path: name))
    }
  }

  /// The results of rules whose inputs no corruption changed, such as those of another chart.
  private static let journal = Journal()

  /// Built once for all tests.
  private static let built = Result { () throws -> TemporaryFolder in
    let work = TemporaryFolder()
    try Samples.copyBuilds(to: work.file("build/2304"))
    return work
  }

  private static let sound = Result { try contents(of: built.get().file("build/2304")) }

  /// Returns the findings of the cycle, and of each changed file. The other files are known to be clean.
  ///
  /// - Parameter sources: the sources of the databases, to audit them.
  func findings(from sources: URL? = nil) throws -> [Finding] {
    let changed = try changedFiles()
    let path = { (file: ProductScan.File) in String(file.url.path.dropFirst(self.folder.path.count + 1)) }
    let files = try ProductScan([folder]).files.filter { changed.contains(path($0)) }
    let products = Set(files.compactMap(\.owner?.id) + changed.map { String($0.prefix { $0 != "." }) })
    return try Validator(journal: against.isEmpty ? CleanBuild.journal : Journal()).validate(
      ValidationRequest([folder], against: against, from: try sources.map { try SourceFolder($0) }),
      progress: SilentProgress()
    ) { changed.contains(path($0)) || products.contains($0.owner?.id ?? "") }.findings
  }

  /// Returns the paths of changed files in the folder, including missing files.
  private func changedFiles() throws -> Set<String> {
    let sound = try CleanBuild.sound.get()
    let copied = try CleanBuild.contents(of: folder)
    return Set(Set(sound.keys).union(copied.keys).filter { sound[$0] != copied[$0] })
  }

  /// Every file, by its path within the folder.
  private static func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appending(path: path)
      if file.kindOnDisk == .file { contents[path] = try Data(contentsOf: file, options: .alwaysMapped) }
    }
    return contents
  }

  /// The description of a product, such as `sample-sectional/Sample_West`.
  func description(_ id: String) -> URL { folder.appending(path: "\(id).product.json") }

  /// The last read descriptions, since forgeries ask for them before each change of a tile.
  private var products: [String: (text: Data, product: Product)] = [:]

  func product(_ id: String) throws -> Product {
    let text = try description(id).data
    if let known = products[id], known.text == text { return known.product }
    let product = try text.decoded(Product.self)
    products[id] = (text, product)
    return product
  }

  /// The first file of a role: `tiles`, `pmtiles`, `database` ...
  func file(_ id: String, role: Product.Role = .tiles) throws -> URL {
    let file = try #require(try product(id).files.first { $0.role == role })
    return description(id).deletingLastPathComponent().appending(path: file.path)
  }

  /// Changes only the description of a product.
  func describe(_ id: String, _ change: (inout Product) throws -> Void) throws {
    var product = try product(id)
    try change(&product)
    try CanonicalJSON.pretty(product).write(to: description(id))
  }
}

/// SQL that corrupts a database, by its description, by the rule that must catch it.
typealias RuleChanges = KeyValuePairs<String, KeyValuePairs<String, String>>

/// A corruption of a clean cycle, and the rule that must catch it.
struct Corruption: CustomTestStringConvertible, Sendable {
  let name: String
  let caughtBy: String
  /// Whether no other rule may have findings, since the forgery is consistent otherwise.
  let isAlone: Bool
  let corrupt: @Sendable (CleanBuild) throws -> Void

  init(
    _ name: String, caughtBy: String, isAlone: Bool = true,
    _ corrupt: @escaping @Sendable (CleanBuild) throws -> Void
  ) { (self.name, self.caughtBy, self.isAlone, self.corrupt) = (name, caughtBy, isAlone, corrupt) }

  static func all(
    _ changes: RuleChanges, isAlone: Bool = true, suffix: String = "",
    _ corrupt: @escaping @Sendable (CleanBuild, _ sql: String) throws -> Void
  ) -> [Corruption] {
    changes.flatMap { rule, changes in
      changes.map { name, sql in
        Corruption(name + suffix, caughtBy: rule, isAlone: isAlone) { try corrupt($0, sql) }
      }
    }
  }

  /// Changes a product's files, and corrects all metadata.
  static func forged(
    _ name: String, caughtBy rule: String, isAlone: Bool = true, of id: String = CleanBuild.west,
    _ change: @escaping @Sendable (Forger) throws -> Void
  ) -> Corruption {
    Corruption(name, caughtBy: rule, isAlone: isAlone) { build in
      let forger = Forger(build, id)
      try change(forger)
      try forger.sign()
    }
  }

  var testDescription: String { name }

  /// Corrupts a copy of the clean build, or of a pipeline of it, and expects a finding of the rule.
  func expectCaught(in pipeline: String = "") throws {
    let build = try CleanBuild(pipeline)
    try corrupt(build)
    let findings = try build.findings(from: caughtBy == "audit" ? samplesFolder : nil)
    let rules = Set(findings.map(\.rule))
    #expect(rules.contains(caughtBy), "\(findings)")
    if isAlone { #expect(rules.isSubset(of: [caughtBy]), "\(findings)") }
  }
}

@Suite(.slow) struct CleanBuildTests {
  @Test func `has no findings in a clean build`() throws {
    let build = try CleanBuild()
    #expect(try found(in: build.folder) == [])
  }
}
