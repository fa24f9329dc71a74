internal import CDeflate
internal import CZip

extension ZipArchive {
  /// More than a table takes, compressed; of what is larger, both forms in memory would be too much.
  private static let mostPacked: UInt64 = 1 << 24

  /// Inflates a member with libdeflate, in less than half of zlib's time, and checks its CRC. False where that cannot be done,
  /// whatever the reason: libzip, which is asked then, knows all methods, and says what is wrong.
  func inflateAtOnce(_ member: Member, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let entry = entry(of: member), let packed = packed(member, entry) else { return false }
    defer { packed.deallocate() }
    guard let decompressor = libdeflate_alloc_decompressor() else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    let result = libdeflate_deflate_decompress(
      decompressor, packed.baseAddress, packed.count, buffer.baseAddress, buffer.count, nil)
    return result == LIBDEFLATE_SUCCESS
      && libdeflate_crc32(0, buffer.baseAddress, buffer.count) == entry.crc
  }

  /// What the directory says of a member that can be inflated so.
  private func entry(of member: Member) -> zip_stat_t? {
    let needed = zip_uint64_t(
      ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC | ZIP_STAT_ENCRYPTION_METHOD)
    var entry = zip_stat_t()
    zip_stat_init(&entry)
    guard member.size > 0, zip_stat_index(handle, member.index, 0, &entry) == 0,
      entry.valid & needed == needed, entry.comp_method == ZIP_CM_DEFLATE,
      entry.encryption_method == ZIP_EM_NONE, entry.comp_size <= ZipArchive.mostPacked
    else { return nil }
    return entry
  }

  /// The member as it lies in the archive.
  private func packed(_ member: Member, _ entry: zip_stat_t) -> UnsafeMutableRawBufferPointer? {
    guard let file = zip_fopen_index(handle, member.index, zip_flags_t(ZIP_FL_COMPRESSED)) else { return nil }
    defer { zip_fclose(file) }
    let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, Int(entry.comp_size)), alignment: 1)
    guard zip_fread(file, packed.baseAddress, entry.comp_size) == Int64(entry.comp_size) else {
      packed.deallocate()
      return nil
    }
    return packed
  }
}
