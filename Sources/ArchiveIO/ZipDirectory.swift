internal import CZip

/// The checked directory of an archive: names that stay inside, sizes that make sense, and never a name twice, which libzip sees to.
struct ZipDirectory {
  private(set) var members: [ZipArchive.Member] = []
  /// What each member has at least besides its bytes: a head before them and a line of the directory.
  private static let headBytes: UInt64 = 30 + 46
  private var packed: UInt64 = 0
  private var unpacked: UInt64 = 0

  /// - Parameter size: of the archive.
  init(_ handle: OpaquePointer, ofBytes size: UInt64, limits: ZipArchive.Limits) throws(ZipError) {
    let count = Int(zip_get_num_entries(handle, 0))
    // libzip takes an empty file for an archive without members.
    guard count > 0 else { throw .library("the archive is empty") }
    guard count <= limits.members else { throw .tooManyMembers(count) }
    for index in 0..<UInt64(count) {
      var entry = zip_stat_t()
      zip_stat_init(&entry)
      guard zip_stat_index(handle, index, 0, &entry) == 0, let rawName = entry.name else {
        throw .library(String(cString: zip_strerror(handle)))
      }
      let name = String(cString: rawName)
      try ZipDirectory.checkName(name)
      guard !name.hasSuffix("/") else { continue }
      try checkSize(name, entry, ofBytes: size, limits)
      members.append(ZipArchive.Member(name: name, size: entry.size, index: index))
    }
  }

  private static func checkName(_ name: String) throws(ZipError) {
    let parts = name.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    let drive = name.dropFirst().first == ":"
    guard !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("\\"), !drive,
      !parts.contains(".."), !name.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw .unsafeName(name) }
  }

  private mutating func checkSize(
    _ name: String, _ entry: zip_stat_t, ofBytes size: UInt64, _ limits: ZipArchive.Limits
  ) throws(ZipError) {
    // Members that share their bytes make a small archive as large as one likes.
    guard entry.comp_size <= size - packed, size - packed - entry.comp_size >= ZipDirectory.headBytes else {
      throw .overlapping(name)
    }
    packed += entry.comp_size + ZipDirectory.headBytes
    guard entry.size <= limits.memberBytes else {
      throw .tooLarge(name, declared: entry.size, limit: limits.memberBytes)
    }
    let limit = max(1 << 20, entry.comp_size.saturatedProduct(limits.ratio))
    guard entry.size <= limit else { throw .tooCompressed(name, declared: entry.size, limit: limit) }
    unpacked += entry.size
    guard unpacked <= limits.allBytes else { throw .tooLargeTogether(limit: limits.allBytes) }
  }
}

extension UInt64 {
  fileprivate func saturatedProduct(_ factor: UInt64) -> UInt64 {
    let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
    return isTooLarge ? .max : product
  }
}
