import Foundation
import TestSupport
import Testing

@testable import SQLiteIO

/// Compares the packed tree with SQLite's check and with a search of all boxes.
struct PackedRTreeTests {
  let folder = TemporaryFolder()
  let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection(folder.file("tree.sqlite").path, mode: .create) }

  /// Pseudo-random points all over the earth, the same in each run.
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
    try write(tree)
  }

  private func write(_ tree: PackedRTree) throws {
    var tree = tree
    try connection.transaction {
      try tree.write("places", columns: ["id", "minLat", "maxLat", "minLon", "maxLon"], to: connection)
    }
  }

  private func verdict() throws -> [String] {
    try connection.prepare("SELECT rtreecheck('places')").map { $0.text(0) ?? "" }
  }

  /// Compares searches of windows of all sizes with a scan of all points. The tree may find up to two more just outside, since its
  /// sides are rounded.
  private func compareWindows(_ points: [(latitude: Double, longitude: Double)], count: Int) throws {
    let search = try connection.prepare(
      "SELECT id FROM places WHERE minLat <= ? AND maxLat >= ? AND minLon <= ? AND maxLon >= ? ORDER BY id")
    let corners = [(-90.0, -180.0), (30, -125), (-5, 170), (36.5, -122.5)] + self.points(count)
    for (number, (south, west)) in corners.enumerated() {
      let size = [360.0, 10, 20, 1, 0.1][number % 5]
      let found = try search.map([.real(south + size), .real(south), .real(west + size), .real(west)]) {
        $0.int(0)
      }
      let inside = points.indices.filter {
        points[$0].latitude >= south && points[$0].latitude <= south + size
          && points[$0].longitude >= west && points[$0].longitude <= west + size
      }
      #expect(Set(inside.map { $0 + 1 }).isSubset(of: found))
      #expect(found.count <= inside.count + 2)
    }
  }

  @Test(arguments: [0, 1, 51, 52, 2600, 2601, 2602, 5000])
  func `SQLite accepts the tree and finds everything in it`(count: Int) throws {
    let points = points(count)
    try write(points)
    #expect(try verdict() == ["ok"])
    try compareWindows(points, count: 20)
  }

  /// More than 51 * 51 * 51, so that there are four levels.
  @Test func `the tree can have any height`() throws {
    let points = points(140_000)
    try write(points)
    #expect(try verdict() == ["ok"])
    #expect(
      try connection.prepare("SELECT rtreedepth(data) FROM places_node WHERE nodeno = 1").map { $0.int(0) }
        == [3])
    try compareWindows(points, count: 1)
  }

  @Test func `finds boxes wherever a search touches them`() throws {
    var tree = PackedRTree()
    let boxes = points(3000).map { (south: $0.latitude, west: $0.longitude) }
    for (number, box) in boxes.enumerated() {
      tree.add(number, box.south, box.south + 1.1, box.west, box.west + 2.2)
    }
    try write(tree)
    #expect(try verdict() == ["ok"])
    let search = try connection.prepare(
      "SELECT id FROM places WHERE minLat <= ?1 AND maxLat >= ?1 AND minLon <= ?2 AND maxLon >= ?2")
    for number in stride(from: 0, to: boxes.count, by: 100) {
      let (latitude, longitude) = (boxes[number].south + 1.1, boxes[number].west)
      let found = try search.map([.real(latitude), .real(longitude)]) { $0.int(0) }
      let touched = boxes.indices.filter {
        (boxes[$0].south...(boxes[$0].south + 1.1)).contains(latitude)
          && (boxes[$0].west...(boxes[$0].west + 2.2)).contains(longitude)
      }
      #expect(Set(touched).isSubset(of: found))
      #expect(found.count <= touched.count + 2)
    }
  }

  @Test func `SQLite can insert into the tree`() throws {
    try write(points(3000))
    try connection.execute("DELETE FROM places WHERE id % 3 = 0")
    try connection.execute("INSERT INTO places VALUES (9001, 1, 2, 3, 4), (9002, 5, 6, 7, 8)")
    #expect(try verdict() == ["ok"])
    #expect(try connection.prepare("SELECT COUNT(*) FROM places").map { $0.int(0) } == [2002])
    #expect(
      try connection.prepare(
        "SELECT id FROM places WHERE minLat >= 0.9 AND maxLat <= 6.1 AND minLon >= 2.9 AND maxLon <= 8.1 AND id > 9000"
      ).map { $0.int(0) } == [9001, 9002])
    try connection.execute("DELETE FROM places")
    #expect(try verdict() == ["ok"])
  }

  @Test func `the same boxes give the same nodes`() throws {
    let points = points(3000)
    try write(points)
    let nodes = "SELECT nodeno, data FROM places_node ORDER BY nodeno"
    let first = try connection.prepare(nodes).map { [UInt8]($0.blob(1)) }
    try connection.execute("DROP TABLE places")
    try write(points)
    #expect(try connection.prepare(nodes).map { $0.blob(1) } == first)
  }
}
