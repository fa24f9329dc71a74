internal import ArchiveIO

/// The entries as they stand in the file: all in the root when they fit there, else in leaves of equal length.
struct PMTilesDirectories {
  private(set) var root: [UInt8] = []
  private(set) var leaves: [UInt8] = []

  /// A root that is larger would cost every reader another request.
  private static let rootLimit = PMTilesHeader.firstRequest - PMTilesHeader.byteCount
  private static let smallestLeaf = 4096

  init(_ entries: [PMTilesEntry]) throws {
    // More than as many never fit, since each takes a byte or so even compressed.
    if entries.count <= PMTilesHeader.firstRequest {
      root = try Gzip.compress(PMTilesDirectory.encode(entries))
    }
    var leafSize = PMTilesDirectories.smallestLeaf
    while root.isEmpty || root.count > PMTilesDirectories.rootLimit {
      (root, leaves) = try PMTilesDirectories.split(entries, leafSize)
      leafSize *= 2
    }
  }

  private static func split(_ entries: [PMTilesEntry], _ size: Int) throws -> (root: [UInt8], leaves: [UInt8])
  {
    var leaves: [UInt8] = []
    var pointers: [PMTilesEntry] = []
    for start in stride(from: 0, to: entries.count, by: size) {
      let packed = try Gzip.compress(
        PMTilesDirectory.encode(entries[start..<min(start + size, entries.count)]))
      pointers.append(
        PMTilesEntry(id: entries[start].id, offset: leaves.count, length: UInt32(packed.count), run: 0))
      leaves += packed
    }
    return (try Gzip.compress(PMTilesDirectory.encode(pointers)), leaves)
  }
}
