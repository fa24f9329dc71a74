import Foundation
import TestSupport
import Testing

@testable import SQLiteIO

/// The tree that is written as a whole, held against SQLite's own check of it and against looking at every box.
struct PackedRTreeTests {
  let folder: TemporaryFolder
  let connection: SQLiteConnection

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection(folder.file("tree.sqlite").path, mode: .create)
  }

  /// Points all over the earth, from a row of numbers that is the same each time.
  private func points(_ count: Int) -> [(latitude: Double, longitude: Double)] {
    var state: UInt64 = 1
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    return (0..<count).map { _ in (next() * 180 - 90, next() * 360 - 180) }
  }

  private func write(_ points: [(latitude: Double, longitude: Double)]) throws {
    var tree = PackedRTree()
    for (index, point) in points.enumerated() {
      tree.add(index + 1, point.latitude, point.latitude, point.longitude, point.longitude)
    }
    try tree.write("places", columns: ["id", "minLat", "maxLat", "minLon", "maxLon"], to: connection)
  }

  private func verdict() throws -> [String] {
    try connection.prepare("SELECT rtreecheck('places')").map { $0.text(0) ?? "" }
  }

  @Test(arguments: [0, 1, 51, 52, 2601, 2602, 5000])
  func `SQLite finds nothing wrong with it, and finds everything in it`(count: Int) throws {
    let points = points(count)
    try write(points)
    #expect(try verdict() == ["ok"])
    let search = try connection.prepare(
      "SELECT id FROM places WHERE minLat <= ? AND maxLat >= ? AND minLon <= ? AND maxLon >= ? ORDER BY id")
    for (south, west, size) in [(-90.0, -180.0, 360.0), (30, -125, 10), (-5, 170, 20), (36.5, -122.5, 1)] {
      let found = try search.map([.real(south + size), .real(south), .real(west + size), .real(west)]) {
        $0.int(0)
      }
      let inside = points.indices.filter {
        (south...(south + size)).contains(points[$0].latitude)
          && (west...(west + size)).contains(points[$0].longitude)
      }
      #expect(Set(inside.map { $0 + 1 }).isSubset(of: found))
      #expect(found.count <= inside.count + 2)
    }
  }

  @Test func `SQLite can go on with it`() throws {
    try write(points(3000))
    try connection.execute("DELETE FROM places WHERE id % 3 = 0")
    try connection.execute("INSERT INTO places VALUES (9001, 1, 2, 3, 4), (9002, 5, 6, 7, 8)")
    #expect(try verdict() == ["ok"])
    #expect(try connection.prepare("SELECT COUNT(*) FROM places").map { $0.int(0) } == [2002])
  }
}
