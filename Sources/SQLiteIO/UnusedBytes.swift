internal import CSQLite
internal import Foundation

/// Overwrites the bytes of a database file that have no meaning but depend on the version of SQLite.
///
/// These are the version of the library in the header, and what moved and deleted entries leave behind on the pages of a B-tree and on
/// free pages.
/// Without this the same rows would give another SHA-256 on every system.
struct UnusedBytes {
  private static let versionOffset = 96
  /// The same in all files. Readers ignore the field.
  private static let version = [0x00, 0x2E, 0x63, 0x01] as [UInt8]
  private static let headerBytes = 100

  private let descriptor: Int32
  private let pageSize: Int
  private let pageCount: Int

  /// - Parameters:
  ///   - path: a closed file without a journal.
  ///   - roots: the page numbers of the roots of all B-trees.
  static func clear(_ path: String, roots: [Int]) throws(SQLiteError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open") }
    defer { close(descriptor) }
    guard let cleaner = try UnusedBytes(descriptor) else { return }
    try cleaner.write(version, at: versionOffset)
    var left = [1] + roots
    while let number = left.popLast() { left += try cleaner.clearPage(number) }
    try cleaner.clearFreePages()
  }

  /// Nil for an empty database, which has no header.
  private init?(_ descriptor: Int32) throws(SQLiteError) {
    self.descriptor = descriptor
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= UnusedBytes.headerBytes else { return nil }
    let header = try UnusedBytes.read(descriptor, UnusedBytes.headerBytes, at: 0)
    let field = UnusedBytes.number(header, at: 16, bytes: 2)
    pageSize = field == 1 ? 65_536 : field
    guard pageSize >= 512 else { throw UnusedBytes.damage(page: 1) }
    pageCount = size / pageSize
  }

  /// Clears one page of a B-tree and returns the numbers of its children.
  private func clearPage(_ number: Int) throws(SQLiteError) -> [Int] {
    let bytes = try page(number)
    guard let page = BTreePage(bytes, headerAt: number == 1 ? UnusedBytes.headerBytes : 0) else {
      throw UnusedBytes.damage(page: number)
    }
    try clear(page.unused, of: bytes, page: number)
    return page.children
  }

  /// Clears the free pages: a chain of lists of their numbers, each on a free page itself.
  private func clearFreePages() throws(SQLiteError) {
    var list = UnusedBytes.number(try page(1), at: 32, bytes: 4)
    var listsLeft = pageCount
    while list > 0 {
      let bytes = try page(list)
      let count = UnusedBytes.number(bytes, at: 4, bytes: 4)
      listsLeft -= 1
      guard listsLeft > 0, 8 + 4 * count <= pageSize else { throw UnusedBytes.damage(page: list) }
      for index in 0..<count {
        let number = UnusedBytes.number(bytes, at: 8 + 4 * index, bytes: 4)
        try clear([0..<pageSize], of: page(number), page: number)
      }
      try clear([8 + 4 * count..<pageSize], of: bytes, page: list)
      list = UnusedBytes.number(bytes, at: 0, bytes: 4)
    }
  }

  private func page(_ number: Int) throws(SQLiteError) -> [UInt8] {
    guard (1...pageCount).contains(number) else { throw UnusedBytes.damage(page: number) }
    return try UnusedBytes.read(descriptor, pageSize, at: (number - 1) * pageSize)
  }

  private func clear(_ ranges: [Range<Int>], of old: [UInt8], page number: Int) throws(SQLiteError) {
    var new = old
    for range in ranges {
      new.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if new != old { try write(new, at: (number - 1) * pageSize) }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(SQLiteError) {
    guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
      throw UnusedBytes.failure("pwrite")
    }
  }

  private static func read(_ descriptor: Int32, _ count: Int, at offset: Int) throws(SQLiteError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard pread(descriptor, &bytes, count, off_t(offset)) == count else { throw failure("pread") }
    return bytes
  }

  fileprivate static func number(_ bytes: [UInt8], at offset: Int, bytes count: Int) -> Int {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func failure(_ call: String) -> SQLiteError {
    SQLiteError(code: SQLITE_IOERR, message: "\(call): \(String(cString: strerror(errno)))", sql: nil)
  }

  private static func damage(page: Int) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: "page \(page) does not have the form of its kind", sql: nil)
  }
}

/// A page of a B-tree: a header, pointers to the cells, free space, and the cells, with free blocks among them.
private struct BTreePage {
  let children: [Int]
  /// The free space, and the free blocks without their links.
  let unused: [Range<Int>]

  /// Nil if the page has another form.
  init?(_ bytes: [UInt8], headerAt start: Int) {
    func number(_ offset: Int, _ count: Int = 2) -> Int {
      UnusedBytes.number(bytes, at: offset, bytes: count)
    }
    guard [2, 5, 10, 13].contains(bytes[start]) else { return nil }
    let isInterior = bytes[start] < 8
    let pointers = start + (isInterior ? 12 : 8)
    let cells = number(start + 3)
    let free = pointers + 2 * cells
    let content = number(start + 5) == 0 ? 65_536 : number(start + 5)
    guard free <= content, content <= bytes.count else { return nil }
    var unused = [free..<content]
    var block = number(start + 1)
    while block > 0 {
      guard block >= content, block + 4 <= bytes.count else { return nil }
      let (next, size) = (number(block), number(block + 2))
      guard size >= 4, block + size <= bytes.count, next == 0 || next > block else { return nil }
      unused.append(block + 4..<block + size)
      block = next
    }
    var children: [Int] = []
    if isInterior {
      children.append(number(start + 8, 4))
      for cell in 0..<cells {
        let place = number(pointers + 2 * cell)
        guard place >= content, place + 4 <= bytes.count else { return nil }
        children.append(number(place, 4))
      }
    }
    (self.children, self.unused) = (children, unused)
  }
}
