/// An R-tree over boxes, written as a whole.
///
/// SQLite would insert box by box, splitting nodes on the way: some 6 µs each, into nodes two thirds full. Here neighbours are
/// put into full nodes, and the nodes written to the tables in which SQLite keeps them. Their form is part of SQLite's file
/// format, which does not change; its own `rtreecheck` is asked in the tests and on every validation.
public struct PackedRTree {
  private var boxes: [RTreeBox] = []

  public init() {}

  /// Adds a box; the sides are rounded outwards to 32-bit numbers, so that the tree never misses what touches it.
  public mutating func add(_ id: Int, _ min0: Double, _ max0: Double, _ min1: Double, _ max1: Double) {
    boxes.append(RTreeBox(id, min0, max0, min1, max1))
  }

  /// Makes the virtual table and fills it, and is empty then: there may be more boxes than anything else in memory.
  public mutating func write(_ name: String, columns: [String], to connection: SQLiteConnection) throws {
    try connection.execute("CREATE VIRTUAL TABLE \(name) USING rtree(\(columns.joined(separator: ", ")))")
    guard !boxes.isEmpty else { return }
    let taken = boxes
    boxes = []
    let nodes = RTreePacking(consume taken).nodes
    let insertNode = try connection.prepare("REPLACE INTO \(name)_node (nodeno, data) VALUES (?, ?)")
    for node in nodes {
      try insertNode.run([.integer(node.number), .blob(node.bytes(isRoot: node.number == 1))])
    }
    try writeLinks("\(name)_parent (nodeno, parentnode)", nodes.filter { !$0.isLeaf }, connection)
    try writeLinks("\(name)_rowid (rowid, nodeno)", nodes.filter(\.isLeaf), connection)
  }

  /// Which node holds what, in the order of the keys.
  private func writeLinks(
    _ table: String, _ nodes: [RTreePacking.Node], _ connection: SQLiteConnection
  ) throws {
    let insert = try connection.prepare("INSERT INTO \(table) VALUES (?, ?)")
    var links: [(id: Int, node: Int)] = []
    links.reserveCapacity(nodes.reduce(0) { $0 + $1.boxes.count })
    for node in nodes { for box in node.boxes { links.append((box.id, node.number)) } }
    links.sort { $0.id < $1.id }
    for link in links {
      try insert.bind(link.id, at: 1)
      try insert.bind(link.node, at: 2)
      try insert.runBound()
    }
  }
}

/// A box of an R-tree: what it encloses, and its sides rounded outwards.
struct RTreeBox {
  /// A row's id in a leaf, a node's number above.
  var id: Int
  var low: (Float, Float)
  var high: (Float, Float)

  init(_ id: Int, _ min0: Double, _ max0: Double, _ min1: Double, _ max1: Double) {
    self.id = id
    low = (RTreeBox.down(min0), RTreeBox.down(min1))
    high = (RTreeBox.up(max0), RTreeBox.up(max1))
  }

  /// The box around others.
  init(_ id: Int, around boxes: ArraySlice<RTreeBox>) {
    self.id = id
    low = (boxes.map(\.low.0).min() ?? 0, boxes.map(\.low.1).min() ?? 0)
    high = (boxes.map(\.high.0).max() ?? 0, boxes.map(\.high.1).max() ?? 0)
  }

  var middle: (Float, Float) { (low.0 / 2 + high.0 / 2, low.1 / 2 + high.1 / 2) }

  private static func down(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) > value ? near.nextDown : near
  }

  private static func up(_ value: Double) -> Float {
    let near = Float(value)
    return Double(near) < value ? near.nextUp : near
  }
}

/// Boxes put into full nodes, level by level from the leaves to the root.
struct RTreePacking {
  /// SQLite's own: at most 51 boxes a node, and the bytes that these take.
  private static let capacity = 51
  static let nodeBytes = 4 + capacity * 24

  struct Node {
    let number: Int
    let boxes: ArraySlice<RTreeBox>
    /// Levels below it.
    let height: Int

    var isLeaf: Bool { height == 0 }
  }

  /// From the root down; the root has number 1.
  private(set) var nodes: [Node] = []

  /// Takes the boxes over, which may be most of what is in memory.
  init(_ boxes: consuming [RTreeBox]) {
    RTreePacking.order(&boxes)
    var levels = [boxes]
    while levels[levels.count - 1].count > RTreePacking.capacity {
      let groups = RTreePacking.groups(levels[levels.count - 1])
      var around = groups.indices.map { RTreeBox($0, around: groups[$0]) }
      RTreePacking.order(&around)
      levels.append(around)
    }
    number(levels)
  }

  /// Gives the nodes their numbers, from the root down; the boxes of a level name the groups of the level below.
  private mutating func number(_ levels: [[RTreeBox]]) {
    var numbers = [0: 1]
    var next = 2
    for height in levels.indices.reversed() {
      var below: [Int: Int] = [:]
      for (index, group) in RTreePacking.groups(levels[height]).enumerated() {
        var boxes = group
        if height > 0 {
          for place in boxes.indices {
            below[boxes[place].id] = next
            boxes[place].id = next
            next += 1
          }
        }
        nodes.append(Node(number: numbers[index] ?? 0, boxes: boxes, height: height))
      }
      numbers = below
    }
    nodes.sort { $0.number < $1.number }
  }

  private static func groups(_ boxes: [RTreeBox]) -> [ArraySlice<RTreeBox>] {
    stride(from: 0, to: boxes.count, by: capacity).map { boxes[$0..<min($0 + capacity, boxes.count)] }
  }

  /// Strips along the second axis, each sorted along the first, so that 51 in a row are neighbours.
  private static func order(_ boxes: inout [RTreeBox]) {
    boxes.sort { ($0.middle.1, $0.id) < ($1.middle.1, $1.id) }
    let nodes = (boxes.count + capacity - 1) / capacity
    let strips = max(1, Int(Double(nodes).squareRoot().rounded(.up)))
    let strip = (nodes + strips - 1) / strips * capacity
    for start in stride(from: 0, to: boxes.count, by: max(1, strip)) {
      boxes[start..<min(start + strip, boxes.count)].sort { ($0.middle.0, $0.id) < ($1.middle.0, $1.id) }
    }
  }
}

extension RTreePacking.Node {
  /// As SQLite keeps a node: the tree's height (in the root), the number of boxes, and each box, all big-endian.
  func bytes(isRoot: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(RTreePacking.nodeBytes)
    func put(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    put(UInt16(isRoot ? height : 0))
    put(UInt16(boxes.count))
    for box in boxes {
      put(Int64(box.id))
      for side in [box.low.0, box.high.0, box.low.1, box.high.1] { put(side.bitPattern) }
    }
    return bytes + [UInt8](repeating: 0, count: RTreePacking.nodeBytes - bytes.count)
  }
}
