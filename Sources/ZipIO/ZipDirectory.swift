internal import CZip

/// The checked directory of an archive: names that stay inside, sizes that make sense, and never a name twice, which libzip sees to.
struct ZipDirectory {
  private(set) var members: [ZipArchive.Member] = []

  init(_ handle: OpaquePointer, limits: ZipArchive.Limits) throws(ZipError) {
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
      try ZipDirectory.checkSize(name, entry, limits)
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

  private static func checkSize(
    _ name: String, _ entry: zip_stat_t, _ limits: ZipArchive.Limits
  ) throws(ZipError) {
    let byRatio = max(1 << 20, entry.comp_size.multipliedReportingOverflow(by: limits.ratio).partialValue)
    let limit = min(limits.memberBytes, byRatio)
    guard entry.size <= limit else {
      throw .tooLarge(name, declared: entry.size, limit: limit)
    }
  }
}
