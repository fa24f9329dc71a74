import Core
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct SourceAddressTests {
  @Test func `fills in the day and the name`() throws {
    let day = try #require(CalendarDay("2026-02-19"))
    let address = SourceAddress("https://a.example/{mm-dd-yyyy}/{date}/{day_Mon_year}/{yymmdd}/{name}")
    #expect(
      address.filled(name: "New York.zip", day: day)
        == "https://a.example/02-19-2026/2026-02-19/19_Feb_2026/260219/New%20York.zip")
  }

  @Test(arguments: [
    ("ftp://a.example/{name}", "begins neither with https:// nor with http://"),
    ("file:///etc/passwd", "begins neither with https:// nor with http://"),
    ("https://a.example/{YYYY}/{name}", "there is no {YYYY} to fill in"),
    ("https://a.example/{name", "there is no {name to fill in"),
    ("https:///{name}", "is not an address"),
    ("https://me:secret@a.example/{name}", "is not an address"),
    ("https://a.example/a b", "is not an address"),
  ])
  func `an error names the key of an invalid address`(pattern: String, words: String) throws {
    let folder = TemporaryFolder()
    let text = """
      { kind: "charts", name: "c", title: "T", cadence: "56-day", attribution: "A", url: "\(pattern)",
        tiles: { minZoom: 6, maxZoom: 12 }, charts: [] }
      """
    try folder.file("c.json5").put(text)
    try expectFault("`url`", words) { try PipelineLibrary.read(folder.file("c.json5")) }
  }

  @Test func `rejects an address without a source`() throws {
    let folder = TemporaryFolder()
    let text = """
      { kind: "nasr", name: "n", title: "T", cadence: "28-day", id: "a", sources: ["sub_{date}.zip"],
        urls: { "sub_{date}.ZIP": "https://a.example/{name}" },
        gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try folder.file("n.json5").put(text)
    let fault = #expect(throws: UserError.self) { try PipelineLibrary.read(folder.file("n.json5")) }
    #expect(fault?.reason == "urls has \"sub_{date}.ZIP\", which is not the name of a source")
  }

  /// The address of a file does not affect the product.
  @Test func `a changed address does not change the hash`() throws {
    let folder = TemporaryFolder()
    let hashes = try ["https://a.example/{name}", "https://b.example/{name}"].map { url in
      let text = """
        { kind: "charts", name: "c", title: "T", cadence: "56-day", attribution: "A", url: "\(url)",
          tiles: { minZoom: 6, maxZoom: 12 }, mosaics: [{ id: "M", name: "M" }],
          charts: [{ id: "A", name: "A", zip: "A.zip", tif: "A.tif" }] }
        """
      try folder.file("c.json5").put(text)
      return try PipelineLibrary.read(folder.file("c.json5")).items.map { try $0.definitionSha256() }
    }
    #expect(hashes[0] == hashes[1])
  }
}
