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
