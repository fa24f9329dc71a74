import Foundation
import Testing

@testable import ChartpipeKit

/// The style of the vector tiles.
struct VectorTileStyleTests {
  private func layers(
    aviation: String? = "nasr", obstacles: String? = "dof", procedures: String? = "cifp",
    hasGlyphs: Bool = true
  ) throws -> [[String: Any]] {
    let json = try VectorTileStyle.layers(
      aviation: aviation, obstacles: obstacles, procedures: procedures, hasGlyphs: hasGlyphs)
    return try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
  }

  @Test func `uses layers and properties that the tiles have`() throws {
    let known = Dictionary(uniqueKeysWithValues: MapLayer.all.map { ($0.name, $0.properties.map(\.name)) })
    for layer in try layers() {
      let name = try #require(layer["source-layer"] as? String)
      let properties = try #require(known[name], "\(name)")
      for used in VectorTileStyleTests.properties(layer) {
        #expect(properties.contains(used), "\(name): \(used)")
      }
    }
    let drawn = Set(try layers().compactMap { $0["source-layer"] as? String })
    #expect(drawn == Set(known.keys).subtracting(["airportNotes"]), "cards show notes, a map does not")
  }

  /// The names in `["get", name]` and `["has", name]` anywhere in a value.
  private static func properties(_ value: Any) -> [String] {
    if let members = value as? [String: Any] { return members.values.flatMap(properties) }
    guard let list = value as? [Any] else { return [] }
    if list.count == 2, let word = list[0] as? String, ["get", "has"].contains(word),
      let name = list[1] as? String
    {
      return [name]
    }
    return list.flatMap(properties)
  }

  @Test func `has the names of the site's sources, and each layer once`() throws {
    let all = try layers()
    #expect(Set(all.compactMap { $0["source"] as? String }) == ["nasr", "dof", "cifp"])
    #expect(Set(all.compactMap { $0["id"] as? String }).count == all.count)
    #expect(try layers(obstacles: nil, procedures: nil).allSatisfy { $0["source"] as? String == "nasr" })
    #expect(try layers(aviation: nil, obstacles: nil, procedures: nil).isEmpty)
  }

  @Test func `has no text without glyphs`() throws {
    #expect(try layers().contains { $0["type"] as? String == "symbol" })
    #expect(try layers(hasGlyphs: false).allSatisfy { $0["type"] as? String != "symbol" })
  }

  @Test func `has the same bytes each time`() throws {
    let once = try VectorTileStyle.layers(aviation: "a", obstacles: "b", procedures: "c", hasGlyphs: true)
    #expect(
      try VectorTileStyle.layers(aviation: "a", obstacles: "b", procedures: "c", hasGlyphs: true) == once)
  }
}
