import ChartpipeClient
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// An edition that several cycles have unchanged is one entry of `catalog.json`.
@Suite struct CatalogueEntryTests {
  /// Only the fields of an entry that choose a file.
  private struct Shown: Decodable, Equatable {
    struct Entry: Decodable, Equatable {
      var cycle: String
      var cycles: [String]?
      var edition: String
    }
    var products: [Entry]
  }

  private let sample = SampleBuild()

  init() throws {
    try sample.chart("Seattle", cycle: "2609", shade: 90)
    try sample.stage(sample.build("2609"))
    try sample.chart("Seattle", cycle: "2611")
    try sample.stage(sample.build("2611"))
    // 2612 has the files of 2611, as a run links them.
    try FileManager.default.copyItem(at: sample.build("2611"), to: sample.build("2612"))
    let description = sample.build("2612", "vfr-sectional").appending(path: "Seattle.product.json")
    try edit(description) { $0.cycle = "2612" }
    try sample.stage(sample.build("2612"))
  }

  @Test func `the catalogue has one entry an edition, and readers get a product for each cycle`() throws {
    let data = try sample.catalogueFile.data
    #expect(
      try data.decoded(Shown.self).products == [
        .init(cycle: "2609", cycles: nil, edition: "2026-09-03"),
        .init(cycle: "2612", cycles: ["2611", "2612"], edition: "2026-10-29"),
      ])
    let catalogue = try sample.catalogue()
    #expect(catalogue.products.map(\.cycle) == ["2609", "2611", "2612"])
    #expect(try catalogue.data == data)
    for entry in catalogue.entries {
      let manifest = try sample.manifest(entry.id)
      #expect(catalogue.products(of: entry).own == manifest.products.map(\.inCatalogue))
    }
    let read = try ChartpipeClient.Catalog(json: data)
    #expect(read.products.map(\.cycle) == ["2609", "2611", "2612"])
    #expect(read.products[1].files == read.products[2].files)
  }

  @Test func `the folded site is complete and stays the same when it is staged again`() throws {
    let before = try sample.hashes()
    try sample.stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
    let report = try checkHealth(sample.published, now: "2026-12-01T12:00:00Z")
    #expect(report.ok, "\(report.findings)")
  }

  @Test func `editions that differ in anything besides the cycle stay apart`() throws {
    var catalogue = try sample.catalogue()
    catalogue.products[2].build.version = "9.9.9"
    let shown = try catalogue.data.decoded(Shown.self).products
    #expect(shown.map(\.cycle) == ["2609", "2611", "2612"] && shown.allSatisfy { $0.cycles == nil })
  }

  @Test(arguments: ["[]", "[" + Array(repeating: "\"2611\"", count: 14).joined(separator: ",") + "]"])
  func `an implausible list of cycles is rejected`(list: String) throws {
    let text = String(decoding: try sample.catalogueFile.data, as: UTF8.self)
    let data = Data(text.replacing("[\"2611\",\"2612\"]", with: list).utf8)
    #expect(throws: Unreadable.self) { try PublishedCatalogue(data) }
    #expect(throws: ChartpipeError.self) { try ChartpipeClient.Catalog(json: data) }
  }
}
