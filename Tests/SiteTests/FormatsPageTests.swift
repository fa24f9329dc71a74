import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Compares the examples of `docs/formats` with real output.
@Suite struct FormatsPageTests {
  private let blocks: [String]

  init() throws {
    let folder = repositoryRoot.appending(path: "docs/formats")
    blocks = try folder.names.flatMap { name in
      try folder.appending(path: name).text.components(separatedBy: "```json\n").dropFirst().compactMap {
        $0.components(separatedBy: "\n```").first
      }
    }
  }

  @Test func `every JSON example is valid JSON`() throws {
    #expect(blocks.count == 5)
    for block in blocks { _ = try JSONSerialization.jsonObject(with: Data(block.utf8)) }
  }

  @Test func `the example catalogue has the keys of a staged catalogue`() throws {
    let block = Data(try #require(blocks.first { $0.contains("chartpipe-catalog-1") }).utf8)
    let shown = try block.decoded(Catalog.self)
    let sample = SampleBuild()
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.stage(sample.build("2612"))
    let staged = try sample.catalogue()
    #expect(shown.format == staged.format && shown.serial == staged.serial)
    #expect(shown.current?.id == staged.current?.id && shown.previous == nil && shown.next == nil)
    #expect(shown.products.map(\.id) == staged.products.map(\.id))
    #expect(try keys(block) == keys(sample.catalogueFile.data))
  }

  @Test func `the example of a manifest's facts decodes without loss`() throws {
    struct Shown: Codable, Equatable {
      var failures: [ProductFailure]
      var missing: [String]
      var problems: [String: ProblemDigest]
      var validation: Manifest.Validation
    }
    let block = Data(try #require(blocks.first { $0.contains("\"failures\"") }).utf8)
    let shown = try block.decoded(Shown.self)
    #expect(shown.validation.findings.map(\.accepted) == ["the FAA closed 1,400 private strips"])
    #expect(try keys(CanonicalJSON.pretty(shown)) == keys(block))
  }

  /// The key paths of a JSON document, so that a field that came or went shows.
  private func keys(_ json: Data) throws -> Set<String> {
    func walk(_ value: Any, _ path: String) -> [String] {
      if let object = value as? [String: Any] {
        return object.flatMap { key, value in walk(value, "\(path).\(key)") }
      }
      if let array = value as? [Any] { return array.flatMap { walk($0, "\(path)[]") } }
      return [path]
    }
    return Set(walk(try JSONSerialization.jsonObject(with: json), ""))
  }
}
