/// A line of a directory: some tiles that follow one another and share their bytes, or, with a run of none, another
/// directory that holds the tiles from here on.
struct PMTilesEntry: Equatable {
  var id: Int
  /// Within the tiles, or within the leaf directories.
  var offset: Int
  var length: UInt32
  var run: UInt32

  /// Past the last tile of the run.
  var end: Int { id + Int(run) }
}

/// A directory as its bytes before compression: the columns of the table one after the other.
enum PMTilesDirectory {
  /// Half of what fits, so that a length or a run may be added to a stranger's number.
  private static let sensible = Int.max >> 1

  static func encode(_ entries: some Collection<PMTilesEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: entries.count)
    var last = 0
    for entry in entries {
      bytes.append(varint: entry.id - last)
      last = entry.id
    }
    for entry in entries { bytes.append(varint: Int(entry.run)) }
    for entry in entries { bytes.append(varint: Int(entry.length)) }
    // Zero says that it follows what came before, so that a clustered archive has few other numbers.
    var follows = -1
    for entry in entries {
      bytes.append(varint: entry.offset == follows ? 0 : entry.offset + 1)
      follows = entry.offset + Int(entry.length)
    }
    return bytes
  }

  static func decode(_ bytes: [UInt8]) throws(ArchiveFlaw) -> [PMTilesEntry] {
    var columns = ByteReader(bytes[...])
    let count = try columns.varint()
    // Four numbers an entry, each of a byte at least: asked before any room is made for them.
    guard count <= columns.remaining / 4 else { throw ArchiveFlaw("a directory ends too early") }
    var entries: [PMTilesEntry] = []
    entries.reserveCapacity(count)
    var id = 0
    for index in 0..<count {
      let (next, overflows) = id.addingReportingOverflow(try columns.varint())
      guard !overflows, next <= sensible else { throw ArchiveFlaw("a number in it is too large") }
      guard index == 0 || next > id else { throw ArchiveFlaw("its directories are not ascending") }
      entries.append(PMTilesEntry(id: next, offset: 0, length: 0, run: 0))
      id = next
    }
    for index in entries.indices { entries[index].run = try columns.short() }
    for index in entries.indices { entries[index].length = try columns.short() }
    for index in entries.indices {
      let told = try columns.varint()
      guard told > 0 || index > 0 else { throw ArchiveFlaw("a directory begins with no offset") }
      let before = entries[max(0, index - 1)]
      entries[index].offset = told > 0 ? told - 1 : before.offset + Int(before.length)
      guard entries[index].offset <= sensible else { throw ArchiveFlaw("a number in it is too large") }
    }
    // What is told beyond them could be gigabytes of nothing, unpacked for each of thousands of directories.
    guard columns.remaining == 0 else { throw ArchiveFlaw("a directory holds more than its entries") }
    return entries
  }
}

extension ByteReader {
  fileprivate mutating func short() throws(ArchiveFlaw) -> UInt32 {
    guard let number = UInt32(exactly: try varint()) else {
      throw ArchiveFlaw("a directory holds a number that is too large")
    }
    return number
  }
}
