internal import SQLiteIO

/// An R-tree as it lies in the file, read node by node: SQLite's own check of it asks for each entry by itself, which takes
/// minutes where there are obstacles.
struct RTreeUnderTest {
  struct Entry {
    let row: Int
    let box: Box
  }

  /// Degrees; 32-bit numbers, rounded outwards.
  struct Box {
    let south, north, west, east: Float

    func contains(_ other: Box) -> Bool {
      south <= other.south && north >= other.north && west <= other.west && east >= other.east
    }
  }

  struct Damage: Error { let reason: String }

  private(set) var entries: [Entry] = []
  private var nodes: [Int: [UInt8]] = [:]
  /// In which node each row's entry stands, as the tree tells beside its nodes.
  private var homes: [Int: Int] = [:]

  private static let cellBytes = 24

  init(_ name: String, in connection: SQLiteConnection) throws {
    try connection.prepare("SELECT nodeno, data FROM \"\(name)_node\"").rows { nodes[$0.int(0)] = $0.blob(1) }
    try connection.prepare("SELECT rowid, nodeno FROM \"\(name)_rowid\"").rows {
      homes[$0.int(0)] = $0.int(1)
    }
    guard let root = nodes[1], root.count >= 4 else { throw Damage(reason: "it has no root") }
    let depth = Int(root[0]) << 8 | Int(root[1])
    guard depth <= 40 else { throw Damage(reason: "its depth is \(depth)") }
    try visit(1, above: depth, within: nil)
    guard nodes.isEmpty else { throw Damage(reason: "\(nodes.count) of its nodes belong to no other") }
    guard homes.isEmpty else { throw Damage(reason: "\(homes.count) of its rows are in no node") }
  }

  /// Each node is taken away where it is met, so that a circle has an end.
  private mutating func visit(_ number: Int, above level: Int, within outer: Box?) throws {
    guard let node = nodes.removeValue(forKey: number), node.count >= 4 else {
      throw Damage(reason: "its node \(number) is missing, or is there twice")
    }
    let count = Int(node[2]) << 8 | Int(node[3])
    guard 4 + count * RTreeUnderTest.cellBytes <= node.count else {
      throw Damage(reason: "its node \(number) is cut short")
    }
    for cell in 0..<count {
      let (id, box) = RTreeUnderTest.cell(node, 4 + cell * RTreeUnderTest.cellBytes)
      guard outer?.contains(box) != false else {
        throw Damage(reason: "its node \(number) lies outside its parent's box")
      }
      if level > 0 {
        try visit(id, above: level - 1, within: box)
      } else {
        guard homes.removeValue(forKey: id) == number else {
          throw Damage(reason: "its row \(id) is not in the node that its parent names")
        }
        entries.append(Entry(row: id, box: box))
      }
    }
  }

  /// A number of 64 bits and four of 32, the highest byte first. The caller knows that they are there.
  private static func cell(_ node: [UInt8], _ start: Int) -> (id: Int, box: Box) {
    node.withUnsafeBytes { bytes in
      func side(_ number: Int) -> Float {
        let bits = bytes.loadUnaligned(fromByteOffset: start + 8 + number * 4, as: UInt32.self)
        return Float(bitPattern: UInt32(bigEndian: bits))
      }
      let id = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
      return (Int(id), Box(south: side(0), north: side(1), west: side(2), east: side(3)))
    }
  }
}
