import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Validation

/// A copy of the sample cycle as `chartpipe` builds it, in which all is right, to be made wrong.
final class CleanBuild {
  private let copy: TemporaryFolder
  /// Products of an earlier cycle that this one is held against; none in a clean build.
  var against: [PlacedProduct] = []

  /// What stands in `work/build/2304`.
  var folder: URL { copy.file("2304") }

  init() throws {
    copy = try TemporaryFolder()
    try FileManager.default.copyItem(at: try CleanBuild.built.get().file("build/2304"), to: folder)
  }

  /// Built once for all tests.
  private static let built = Result { () throws -> TemporaryFolder in
    let work = try TemporaryFolder()
    let pipelines = [
      "sample-sectional", "sample-terminal", "sample-nasr", "sample-obstacles", "sample-mosaic",
    ]
    let ending = try Program().run(
      ["run"] + pipelines + ["--cycle", "2304", "--from", "samples", "--work", work.url.path])
    try #require(ending.status == 0, "\(ending.errors)")
    // What edge tiles are completed from is no product.
    let folder = work.file("build/2304")
    for pipeline in pipelines {
      try? FileManager.default.removeItem(at: folder.appending(path: "\(pipeline)/cut"))
    }
    return work
  }

  /// Of all products together, and of each file that is not as it was built: the others are known to be clean.
  func findings() throws -> [Finding] {
    let changed = try changedFiles()
    let path = { (subject: SubjectList.Subject) in
      String(subject.url.path.dropFirst(self.folder.path.count + 1))
    }
    let subjects = try SubjectList([folder]).subjects.filter { changed.contains(path($0)) }
    let products = Set(subjects.compactMap(\.product) + changed.map { String($0.prefix { $0 != "." }) })
    return try Validator().validate(
      ValidationRequest([folder], against: against), progress: SilentProgress()
    ) { changed.contains(path($0)) || products.contains($0.product ?? "") }.findings
  }

  /// By their paths within the folder; those that are gone too.
  private func changedFiles() throws -> Set<String> {
    let sound = try contents(of: CleanBuild.built.get().file("build/2304"))
    let copied = try contents(of: folder)
    return Set(Set(sound.keys).union(copied.keys).filter { sound[$0] != copied[$0] })
  }

  /// Every file, by its path within the folder.
  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appending(path: path)
      if file.kindOnDisk == .file { contents[path] = try Data(contentsOf: file, options: .alwaysMapped) }
    }
    return contents
  }

  /// The description of a product, such as `sample-sectional/Sample_West`.
  func description(_ id: String) -> URL { folder.appending(path: "\(id).product.json") }

  func product(_ id: String) throws -> Product {
    try JSONDecoder().decode(Product.self, from: Data(contentsOf: description(id)))
  }

  /// The first file of a role: `tiles`, `pmtiles`, `database` ...
  func file(_ id: String, role: String = "tiles") throws -> URL {
    let file = try #require(try product(id).files.first { $0.role == role })
    return description(id).deletingLastPathComponent().appending(path: file.path)
  }

  /// Changes what is said of a product, and nothing else.
  func describe(_ id: String, _ change: (inout Product) throws -> Void) throws {
    var product = try product(id)
    try change(&product)
    try CanonicalJSON.pretty(product).write(to: description(id))
  }
}

/// A way to make a clean cycle wrong, and the rule that must see it.
struct Corruption: CustomTestStringConvertible, Sendable {
  let name: String
  let caughtBy: String
  /// Whether no other rule may find anything, since the forgery is true to itself in all else.
  let isAlone: Bool
  let corrupt: @Sendable (CleanBuild) throws -> Void

  init(
    _ name: String, caughtBy: String, isAlone: Bool = true,
    _ corrupt: @escaping @Sendable (CleanBuild) throws -> Void
  ) {
    self.name = name
    self.caughtBy = caughtBy
    self.isAlone = isAlone
    self.corrupt = corrupt
  }

  var testDescription: String { name }

  /// Corrupts a copy of the clean build, and expects the rule to say so.
  func expectCaught() throws {
    let build = try CleanBuild()
    try corrupt(build)
    let findings = try build.findings()
    let rules = Set(findings.map(\.rule))
    #expect(rules.contains(caughtBy), "\(findings)")
    if isAlone { #expect(rules.isSubset(of: [caughtBy]), "\(findings)") }
  }
}

struct CleanBuildTests {
  @Test func `nothing is found in a clean build`() throws {
    let build = try CleanBuild()
    #expect(try Validator().validate([build.folder], progress: SilentProgress()).findings == [])
  }
}
