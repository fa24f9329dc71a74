import Foundation
import SQLiteIO
import TestSupport
import Testing

/// The published app's own declarations. `DocumentedRegion` has the edges of the box as its requirements name them, and the keys that
/// the published app does not know.
private struct ChartRegion: Codable, Identifiable {
  struct BoundingBox: Codable {
    var minLatitude: Double
    var maxLatitude: Double
    var minLongitude: Double
    var maxLongitude: Double
  }

  var id: String
  var name: String
  var effectiveDate: Date
  var expirationDate: Date
  var boundingBox: BoundingBox
  var fileSizeMB: Double
  var isDownloaded: Bool
  var localPath: URL?
}

private struct DocumentedRegion: Codable {
  struct Box: Codable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double
  }

  var boundingBox: Box
  var fileSizeMB: Double
  var minZoom: Int
  var maxZoom: Int
  var url: String
}

/// Reads `regions.json` of a staged site with a plain decoder and the types of the app.
@Suite(.slow) struct RegionTests {
  private let folder = TemporaryFolder()
  private let site: URL

  init() async throws { site = try await Samples.cycle().file("site") }

  private func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: site.appending(path: "regions.json")))
  }

  @Test func `the list of a sample decodes as the app's regions`() throws {
    let regions = try decode([ChartRegion].self)
    #expect(regions.map(\.id) == ["Sample_Bay_TAC", "Sample_East", "Sample_West"])
    let west = try #require(regions.last)
    #expect(west.name == "Sample West" && !west.isDownloaded && west.localPath == nil)
    #expect(west.effectiveDate == (try Date("2023-04-20T09:01:00Z", strategy: .iso8601)))
    #expect(west.expirationDate == (try Date("2023-06-15T09:01:00Z", strategy: .iso8601)))
    let box = west.boundingBox
    #expect(box.minLongitude == -123 && box.minLatitude == 37 && (-122..<(-121)).contains(box.maxLongitude))
    #expect((37.5..<38).contains(box.maxLatitude))
    // The requirements name the edges in the other way.
    let other = try decode([DocumentedRegion].self).map(\.boundingBox)
    #expect(other.map(\.west) == regions.map(\.boundingBox.minLongitude))
    #expect(other.map(\.south) == regions.map(\.boundingBox.minLatitude))
    #expect(other.map(\.east) == regions.map(\.boundingBox.maxLongitude))
    #expect(other.map(\.north) == regions.map(\.boundingBox.maxLatitude))
  }

  @Test func `the archive of each region is an SQLite file of PNG tiles with the zooms of the list`() throws {
    for region in try decode([DocumentedRegion].self) {
      let file = site.appending(path: region.url)
      let archive = try Data(contentsOf: file)
      #expect(archive.prefix(16) == Data("SQLite format 3\0".utf8), "\(region.url)")
      #expect(region.fileSizeMB == Double(archive.count) / 1_000_000)
      let copy = folder.file(file.lastPathComponent)
      let metadata = try AppDatabase(file, copiedTo: copy).connection.prepare(
        "SELECT value FROM metadata WHERE name IN ('format', 'minzoom', 'maxzoom') ORDER BY name"
      ).map { $0.text(0) }
      #expect(metadata == ["png", "\(region.maxZoom)", "\(region.minZoom)"])
    }
  }
}
