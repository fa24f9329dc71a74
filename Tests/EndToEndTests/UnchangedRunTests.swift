import Core
import Foundation
import TestSupport
import Testing

/// A run that finds everything up to date, and one after a change of any file of the work folder.
@Suite(.slow, .blocking) struct UnchangedRunTests {
  private let sources: TemporaryFolder
  private let work: TemporaryFolder
  /// The products and the site of a fresh run.
  private let expected: [String]

  init() async throws {
    let fresh = try await Samples.small()
    sources = try fresh.sources.copy()
    work = try fresh.work.copy()
    expected = try Self.products(fresh.work)
  }

  private static func run(
    _ sources: TemporaryFolder, _ work: TemporaryFolder, _ more: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      ["run", Samples.tiny, "sample-nasr", "--cycle", "2304", "--from", sources.url.path]
        + ["--work", work.url.path, "--jobs", "2"] + more)
  }

  private static func products(_ work: TemporaryFolder) throws -> [String] {
    try ["build", "site"].flatMap { name in try fingerprint(work.file(name)).map { "\(name)/\($0)" } }
  }

  /// Runs until a staging is skipped: a copied folder has other inodes, so the first run reads all of its files.
  private func settle() throws {
    try Self.run(sources, work).expect(0)
    let ending = try Self.run(sources, work)
    try #require(ending.errors.contains("stage: up to date"), "\(ending.errors)")
  }

  private func warnings(_ ending: Program.Ending) -> [String] {
    ending.errors.split(separator: "\n").filter { $0.contains("warning: ") }.map(String.init)
  }

  /// Removes the results of the steps that build no product.
  private func removeValues() throws {
    let folder = work.file("journal/2304")
    for name in folder.names where name != "products" { try folder.appending(path: name).remove() }
  }

  @Test func `a second run validates and stages nothing and prints the same warnings`() throws {
    let first = try Self.run(sources, work, ["--rehash"])
    try removeValues()
    let whole = try Self.run(sources, work)
    let again = try Self.run(sources, work)
    #expect(whole.errors.contains("\nvalidate"), "\(whole.errors)")
    #expect(!again.errors.contains("\nvalidate") && again.errors.contains("stage: up to date"))
    #expect(again.errors.contains("tiny/Tiny: up to date"), "\(again.errors)")
    #expect(
      !warnings(whole).isEmpty && warnings(again) == warnings(whole) && warnings(first) == warnings(whole))
    #expect(again.output == whole.output)
    #expect(try Self.products(work) == expected)
  }

  @Test func `a copy of the work folder uses the stored results`() throws {
    let kinds = ["rules", "database-rules", "chart-rules", "cycle-rules"].map {
      work.file("journal/2304/\($0)")
    }
    let before = try kinds.map { try files(below: $0) }
    let ending = try Self.run(sources, work)
    #expect(try kinds.map { try files(below: $0) } == before)
    #expect(!ending.errors.contains("\nvalidate"), "\(ending.errors)")
    #expect(try Self.products(work) == expected)
  }

  @Test func `another acceptance stages again without validating`() throws {
    try settle()
    let options = ["--accept", "charts-cover:none is needed"]
    let accepted = try Self.run(sources, work, options)
    #expect(!accepted.errors.contains("\nvalidate") && !accepted.errors.contains("stage: up to date"))
    #expect(try Self.run(sources, work, options).errors.contains("stage: up to date"))
    #expect(try Self.run(sources, work).errors.contains("stage: up to date"))
    #expect(try Self.products(work) == expected)
  }

  /// One file of each kind, by the end of its path.
  private static let kinds = [
    "/Tiny.mbtiles", "/Tiny.product.json", "/aviation.sqlite", ".gz", "/report.html", "site/feed.xml",
  ]

  @Test func `a change of one byte is noticed and corrected`() throws {
    try settle()
    let paths = try files(below: work.url)
    for kind in Self.kinds + ["site/blobs/"] {
      let path = try #require(
        paths.first { $0.hasSuffix(kind) || (kind.hasSuffix("/") && $0.hasPrefix(kind)) })
      try flip(work.file(path))
      try Self.run(sources, work).expect(0)
      #expect(try Self.products(work) == expected, "\(path)")
    }
  }

  @Test func `a missing file is made again`() throws {
    try settle()
    let paths = try files(below: work.url)
    for kind in Self.kinds {
      let path = try #require(paths.first { $0.hasSuffix(kind) })
      try work.file(path).remove()
      try Self.run(sources, work).expect(0)
      #expect(try Self.products(work) == expected, "\(path)")
    }
  }

  @Test func `damaged stored results are made again`() throws {
    try settle()
    for path in try files(below: work.url) where path.hasPrefix("journal/") && !path.contains("/products/") {
      try flip(work.file(path))
    }
    let ending = try Self.run(sources, work)
    #expect(ending.errors.contains("\nvalidate: "), "\(ending.errors)")
    #expect(try Self.products(work) == expected)
    #expect(try Self.run(sources, work).errors.contains("stage: up to date"))
  }

  @Test func `a changed source builds its product again and nothing else`() throws {
    try settle()
    let subscription = sources.file("28DaySubscription_Effective_2023-04-20.zip")
    let before = try FileManager.default.attributesOfItem(atPath: subscription.path)
    try subscription.data.write(to: subscription)
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: subscription.path)
    #expect(try Self.run(sources, work).errors.contains("stage: up to date"))
    try flip(subscription)
    #expect(try Self.run(sources, work).errors.contains("sample-nasr/aviation: FAILED"))
  }

  @Test func `a source under another name builds its product again, which states the name`() throws {
    try settle()
    try FileManager.default.moveItem(at: sources.file("Tiny.zip"), to: sources.file("TINY.zip"))
    let renamed = try Self.run(sources, work).expect(0)
    #expect(!renamed.errors.contains("tiny/Tiny: up to date"))
    #expect(try work.file("build/2304/tiny/Tiny.product.json").text.contains("\"TINY.zip\""))
  }

  /// Flips a bit in the middle of a file, and sets its old modification time again.
  private func flip(_ file: URL) throws {
    let before = try FileManager.default.attributesOfItem(atPath: file.path)
    var data = try file.data
    guard !data.isEmpty else { return }
    data[data.count / 2] ^= 1
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: data)
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: file.path)
  }
}
