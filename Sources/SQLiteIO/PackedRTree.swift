/// An R-tree of boxes that is written with full nodes.
///
/// SQLite inserts boxes one at a time and splits nodes: about 6 µs each, into nodes that are two thirds full. This type puts neighbours into
/// full nodes and writes them to SQLite's node tables, whose format is part of its stable file format. The tests and every validation run
/// SQLite's `rtreecheck`.
public struct PackedRTree {
  private var boxes: [RTreeBox] = []

  public init() {}

  /// Adds a box. The sides are rounded outwards to 32-bit numbers, so a search never misses it.
  public mutating func add(_ id: Int, _ min0: Double, _ max0: Double, _ min1: Double, _ max1: Double) {
    boxes.append(RTreeBox(id, min0, max0, min1, max1))
  }

  /// Creates and fills the virtual table. The tree is empty afterwards, since the boxes can use most of the memory.
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

  /// Writes which node contains which box, in the order of the keys.
  private func writeLinks(_ table: String, _ nodes: [RTreePacking.Node], _ connection: SQLiteConnection)
    throws
  {
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

/// A box of an R-tree with its sides rounded outwards.
struct RTreeBox {
  /// In a leaf the id of a row, else the number of a node.
  var id: Int
  var low: (Float, Float)
  var high: (Float, Float)

  init(_ id: Int, _ min0: Double, _ max0: Double, _ min1: Double, _ max1: Double) {
    self.id = id
    low = (RTreeBox.down(min0), RTreeBox.down(min1))
    high = (RTreeBox.up(max0), RTreeBox.up(max1))
  }

  /// The box around other boxes.
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

/// Groups boxes into full nodes, level by level from the leaves to the root.
struct RTreePacking {
  /// SQLite's limit: at most 51 boxes per node.
  private static let capacity = 51
  static let nodeBytes = 4 + capacity * 24

  struct Node {
    let number: Int
    let boxes: ArraySlice<RTreeBox>
    /// The number of levels below.
    let height: Int

    var isLeaf: Bool { height == 0 }
  }

  /// From the root down. The root has number 1.
  private(set) var nodes: [Node] = []

  /// Consumes the boxes, since they can use most of the memory.
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

  /// Numbers the nodes from the root down. The boxes of a level refer to the groups of the level below.
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

  /// Sorts into strips along the second axis, and each strip along the first, so that 51 consecutive boxes are neighbours.
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
  /// SQLite's format of a node: the height of the tree (in the root), the number of boxes, and the boxes, all big-endian.
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
