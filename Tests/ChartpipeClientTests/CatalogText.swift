import ChartpipeClient
import Foundation

/// A catalogue as JSON, in which a test can change what it likes.
struct CatalogText {
  /// A text of 64 hex digits for each letter.
  static func hash(_ letter: Character) -> String { String(repeating: letter, count: 64) }

  static func file(_ letter: Character, role: String, bytes: Int, ending: String) -> String {
    """
    { "path": "blobs/\(letter)\(letter)/\(hash(letter)).\(ending)", "sha256": "\(hash(letter))", "bytes": \(bytes),
      "mediaType": "application/octet-stream", "role": "\(role)" }
    """
  }

  static func product(
    cycle: String, from: String, until: String, files: [String], id: String = "vfr-sectional/San_Francisco",
    patches: String = "[]", region: String? = nil
  ) -> String {
    """
    { "id": "\(id)", "kind": "chart", "name": "San Francisco", "cycle": "\(cycle)", "edition": "\(from.prefix(10))",\(region.map { " \"region\": \"\($0)\"," } ?? "")
      "effectiveDate": "\(from)", "expirationDate": "\(until)", "format": "png", "minZoom": 6, "maxZoom": 12,
      "boundingBox": { "west": -125, "south": 36, "east": -118, "north": 40.5 }, "somethingNew": { "a": [1] },
      "files": [\(files.joined(separator: ","))], "patches": \(patches), "sources": [], "build": {} }
    """
  }

  static func cycle(_ id: String, from: String, until: String) -> String {
    """
    { "id": "\(id)", "effective": "\(from)", "expires": "\(until)", "published": "2026-10-20T12:00:00Z",
      "manifest": { "path": "blobs/ee/\(hash("e")).json", "sha256": "\(hash("e"))", "bytes": 99 } }
    """
  }

  static let october = "2026-10-29T09:01:00Z"
  static let november = "2026-11-26T09:01:00Z"
  static let december = "2026-12-24T09:01:00Z"
  static let february = "2027-02-18T09:01:00Z"

  /// The edition of October with a small patch from an earlier file, and the one of December ahead of its time.
  static let usual: String = {
    let patch =
      "[{ \"fromSha256\": \"\(hash("0"))\", \"fromCycle\": \"2609\", \"path\": \"blobs/33/\(hash("3")).patch\","
      + " \"sha256\": \"\(hash("3"))\", \"bytes\": 300 }]"
    let both = [
      file("1", role: "tiles", bytes: 52_428_800, ending: "mbtiles"),
      file("2", role: "pmtiles", bytes: 50_000_000, ending: "pmtiles"),
      file("4", role: "control", bytes: 9, ending: "png"),
      file("6", role: "columns", bytes: 8, ending: "json"),
    ]
    let entries = [
      product(cycle: "2611", from: october, until: december, files: both, patches: patch),
      product(cycle: "2612", from: october, until: december, files: both, patches: patch),
      product(
        cycle: "2613", from: december, until: february,
        files: [file("5", role: "tiles", bytes: 1000, ending: "mbtiles")]),
    ]
    return """
      { "format": "chartpipe-catalog-1", "serial": 7, "aFieldOfTomorrow": true,
        "previous": \(cycle("2611", from: october, until: november)),
        "current": \(cycle("2612", from: november, until: december)),
        "next": \(cycle("2613", from: december, until: "2027-01-21T09:01:00Z")),
        "replaces": { "path": "blobs/dd/\(hash("d")).json", "sha256": "\(hash("d"))", "bytes": 1234 },
        "products": [\(entries.joined(separator: ","))] }
      """
  }()

  static func catalog(_ text: String = usual) throws(CatalogError) -> Catalog {
    try Catalog(json: Data(text.utf8))
  }
}

/// A moment of 2026 or later, such as `2026-12-24T09:00:59Z`.
func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
