import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Site

struct LatestAnswerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A catalogue with one real product, repeated under other ids.
  private func catalogue(_ products: (Product) throws -> [Product]) throws -> Catalog {
    let (site, target) = (folder.file("site"), folder.file("target"))
    try PaperSite(at: site, ["2612": ["chart": "1"]])
    _ = try Publisher.publish(
      site, to: PublishTarget(folder: target), publishTerms("2026-12-01"), progress: SilentProgress())
    var catalogue = try JSONDecoder().decode(
      Catalog.self, from: Data(contentsOf: target.appending(path: "catalog.json")))
    catalogue.products = try products(try #require(catalogue.products.first))
    return catalogue
  }

  private func copy(_ product: Product, _ id: String, edition: String? = nil, role: String = "tiles") throws
    -> Product
  {
    var copy = product
    copy.id = id
    copy.edition = edition ?? product.edition
    copy.files[0].sha256 = try SHA256Hex(of: Array(id.utf8))
    copy.files[0].role = role
    return copy
  }

  private let hash = String(repeating: "a", count: 64)

  private func answer(_ catalogue: Catalog) throws -> LatestAnswer {
    LatestAnswer(catalogue, sha256: try SHA256Hex(of: Array(hash.utf8)))
  }

  @Test func `each chart has its digits, and one of another edition its date`() throws {
    let answer = try answer(
      catalogue { chart in
        [
          try copy(chart, "vfr-sectional/Seattle", edition: "2026-09-03"),
          try copy(chart, "vfr-sectional/Denver"), try copy(chart, "vfr-terminal/Denver"),
        ]
      })
    #expect(answer.charts.keys.sorted() == ["vfr-sectional", "vfr-terminal"])
    let sectionals = try #require(answer.charts["vfr-sectional"])
    #expect(sectionals.edition == "2026-10-29" && sectionals.older == ["Seattle": "2026-09-03"])
    #expect(
      try sectionals.tiles["Seattle"]
        == String(SHA256Hex(of: Array("vfr-sectional/Seattle".utf8)).text.prefix(12)))
    #expect(sectionals.tiles["Denver"] != answer.charts["vfr-terminal"]?.tiles["Denver"])
    #expect(answer.charts["vfr-terminal"]?.older == nil && answer.products.isEmpty)
  }

  @Test func `of a country it has a few kilobytes`() throws {
    let families = ["vfr-sectional": 57, "vfr-terminal": 35, "vfr-flyway": 28, "vfr-helicopter": 15]
    let answer = try answer(
      catalogue { chart in
        try families.flatMap { name, count in
          try (0..<count).map { try copy(chart, "\(name)/Dallas_Fort_Worth_\($0)") }
        }
      })
    #expect(answer.charts.values.map(\.tiles.count).reduce(0, +) == 135)
    let size = try answer.data.count
    #expect(size < 6000, "\(size) bytes")
  }

  @Test(.enabled(if: SchemaCheck.isThere))
  func `it is as the schema has it, and a false one is not`() throws {
    let good = try answer(
      catalogue { [try copy($0, "a/Seattle", edition: "2026-09-03"), try copy($0, "a/Denver")] }
    ).data
    let text = String(decoding: good, as: UTF8.self)
    let faults = [
      ("chartpipe-latest-1", "chartpipe-latest-2"), ("\"edition\":", "\"day\":"), ("2026-09-03", "2026-9-3"),
      ("\"charts\":", "\"chart\":"), ("\"tiles\":{\"Denver\":\"", "\"tiles\":{\"Denver\":\"A"),
      ("\"cycle\":", "\"month\":"),
    ]
    for (index, text) in ([text] + faults.map { text.replacing($0.0, with: $0.1) }).enumerated() {
      let file = folder.file("latest-\(index).json")
      try Data(text.utf8).write(to: file)
      let verdict = try #require(SchemaCheck("latest").verdicts([file]).first)
      #expect(verdict.hasSuffix(" ok") == (index == 0), "\(verdict)")
    }
  }

  @Test func `a catalogue without charts has none`() throws {
    let answer = try answer(
      catalogue { chart in
        var database = try copy(chart, "nasr/aviation", role: "database")
        database.kind = .database
        return [database]
      })
    #expect(answer.charts.isEmpty && answer.products.keys.sorted() == ["nasr/aviation"])
    #expect(try String(decoding: answer.data, as: UTF8.self).contains("\"charts\":{}"))
  }
}
