internal import CDeflate
internal import CZip

/// A zip archive that is open for reading, from a file or from bytes in memory (a zip within a zip).
///
/// It never unpacks to disk. Opening checks the directory, so a malicious or damaged archive is rejected before a byte is inflated.
public final class ZipArchive {
  public struct Member: Hashable, Sendable {
    public let name: String
    public let size: UInt64
    /// The day on which the file was last changed, as the archive states it: 20261029; 0 if it states none.
    public let day: Int
    let index: UInt64

    /// The last part of the name.
    public var fileName: String { name.split(separator: "/").last.map(String.init) ?? name }
  }

  public struct Limits: Sendable {
    public var members = 20_000
    public var memberBytes: UInt64 = 1 << 31
    /// The total of all members.
    public var allBytes: UInt64 = 1 << 34
    /// Charts compress to a third, tables to a tenth. Deflate compresses zeros to a thousandth.
    public var ratio: UInt64 = 250
    public init() {}
  }

  public let members: [Member]
  let handle: OpaquePointer
  /// The bytes that libzip reads from. They live as long as the handle.
  private let backing: UnsafeMutableRawPointer?

  public convenience init(path: String, limits: Limits = Limits()) throws(ZipError) {
    // A length of -1 means to the end of the file.
    try self.init(backing: nil, limits) { zip_source_file_create(path, 0, -1, $0) }
  }

  public convenience init(bytes: [UInt8], limits: Limits = Limits()) throws(ZipError) {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    bytes.withUnsafeBytes {
      copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count)
    }
    try self.init(backing: copy, limits) { zip_source_buffer_create(copy, UInt64(bytes.count), 0, $0) }
  }

  private typealias SourceMaker = (UnsafeMutablePointer<zip_error_t>) -> OpaquePointer?

  private init(
    backing: UnsafeMutableRawPointer?, _ limits: Limits, _ source: SourceMaker
  ) throws(ZipError) {
    do {
      (handle, members) = try ZipArchive.open(source, limits)
    } catch {  // a partly initialised object has no deinit
      backing?.deallocate()
      throw error
    }
    self.backing = backing
  }

  private static func open(
    _ makeSource: SourceMaker, _ limits: Limits
  ) throws(ZipError) -> (OpaquePointer, [Member]) {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let source = makeSource(&error) else { throw .library(String(cString: zip_error_strerror(&error))) }
    var file = zip_stat_t()
    zip_stat_init(&file)
    // Where this fails, opening fails too, with a better message.
    _ = zip_source_stat(source, &file)
    guard let handle = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) else {
      zip_source_free(source)
      throw ZipError.opening(&error)
    }
    do {
      return (handle, try members(of: handle, ofBytes: file.size, limits))
    } catch {
      zip_discard(handle)
      throw error
    }
  }

  deinit {
    zip_discard(handle)
    backing?.deallocate()
  }

  /// The member with exactly this name.
  public func member(named name: String) -> Member? { members.first { $0.name == name } }

  /// Inflates one member.
  public func read(_ member: Member) throws(ZipError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(member.size))
    let outcome: Result<Void, ZipError> = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(ZipError) in try read(member, into: buffer) }
    }
    try outcome.get()
    return bytes
  }

  /// Inflates one member into a buffer of its size and checks its CRC.
  public func read(_ member: Member, into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) {
    precondition(buffer.count == Int(member.size))
    guard !inflateFast(member, into: buffer) else { return }
    guard let file = zip_fopen_index(handle, member.index, 0) else { throw lastError() }
    defer { zip_fclose(file) }
    var filled = 0
    while filled < buffer.count, let start = buffer.baseAddress {  // libzip requires an address
      let count = zip_fread(file, start + filled, UInt64(buffer.count - filled))
      guard count >= 0 else { throw memberError(file, member) }
      guard count > 0 else { throw .shortMember(member.name) }
      filled += Int(count)
    }
    // libzip compares the CRC at the end, so read past the last byte.
    var extra: UInt8 = 0
    guard zip_fread(file, &extra, 1) == 0 else { throw memberError(file, member) }
  }

  /// Inflates a large member piece by piece. libzip checks its CRC at the end. The bytes are valid only inside the closure.
  public func read(
    _ member: Member, inPiecesOf size: Int, _ each: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let file = zip_fopen_index(handle, member.index, 0) else { throw lastError() }
    defer { zip_fclose(file) }
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: max(1, size), alignment: 1)
    defer { buffer.deallocate() }
    var left = member.size
    while true {
      let count = zip_fread(file, buffer, UInt64(max(1, size)))
      guard count >= 0, UInt64(count) <= left else { throw memberError(file, member) }
      guard count > 0 else { break }
      left -= UInt64(count)
      try each(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    }
    guard left == 0 else { throw ZipError.shortMember(member.name) }
  }

  private func memberError(_ file: OpaquePointer, _ member: Member) -> ZipError {
    .library("member \"\(member.name)\": " + String(cString: zip_file_strerror(file)))
  }

  private func lastError() -> ZipError { .library(String(cString: zip_strerror(handle))) }
}

@available(*, unavailable)
extension ZipArchive: Sendable {}

extension ZipError {
  static func opening(_ error: inout zip_error_t) -> ZipError {
    // libzip's message, "File already exists", misleads.
    if zip_error_code_zip(&error) == ZIP_ER_EXISTS { return .library("two members have the same name") }
    return .library(String(cString: zip_error_strerror(&error)))
  }
}

extension ZipArchive {
  /// The version of the linked libzip.
  public static var libraryVersion: String { String(cString: zip_libzip_version()) }

  /// More than the compressed size of a table or a sheet. A larger member would need too much memory for both forms.
  private static let mostPacked: UInt64 = 1 << 27

  /// Inflates a member with libdeflate, which takes less than half of zlib's time, and checks its CRC. Returns false when it cannot:
  /// libzip then supports all methods and has the error message.
  private func inflateFast(_ member: Member, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let entry = entry(of: member), let packed = packed(member, entry) else { return false }
    defer { packed.deallocate() }
    guard let decompressor = libdeflate_alloc_decompressor() else { return false }
    defer { libdeflate_free_decompressor(decompressor) }
    let result = libdeflate_deflate_decompress(
      decompressor, packed.baseAddress, packed.count, buffer.baseAddress, buffer.count, nil)
    return result == LIBDEFLATE_SUCCESS
      && libdeflate_crc32(0, buffer.baseAddress, buffer.count) == entry.crc
  }

  /// The directory entry of a member that libdeflate can inflate, else nil.
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

  /// The compressed bytes of a member.
  private func packed(_ member: Member, _ entry: zip_stat_t) -> UnsafeMutableRawBufferPointer? {
    guard let file = zip_fopen_index(handle, member.index, zip_flags_t(ZIP_FL_COMPRESSED)) else { return nil }
    defer { zip_fclose(file) }
    let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, Int(entry.comp_size)), alignment: 1)
    guard let base = packed.baseAddress, zip_fread(file, base, entry.comp_size) == entry.comp_size else {
      packed.deallocate()
      return nil
    }
    return packed
  }
}

extension ZipArchive {
  /// The minimum overhead of a member: a local header and a directory entry.
  private static let headBytes: UInt64 = 30 + 46

  /// Checks the directory of an archive: names must stay inside the folder, and sizes must be plausible. libzip rejects repeated
  /// names.
  ///
  /// - Parameter size: The size of the archive.
  private static func members(
    of handle: OpaquePointer, ofBytes size: UInt64, _ limits: Limits
  ) throws(ZipError) -> [Member] {
    let count = Int(zip_get_num_entries(handle, 0))
    // libzip takes an empty file for an archive without members.
    guard count > 0 else { throw .library("the archive is empty") }
    guard count <= limits.members else { throw .tooManyMembers(count) }
    var members: [Member] = []
    var (packed, unpacked): (UInt64, UInt64) = (0, 0)
    for index in 0..<UInt64(count) {
      var entry = zip_stat_t()
      zip_stat_init(&entry)
      guard zip_stat_index(handle, index, 0, &entry) == 0, let rawName = entry.name else {
        throw .library(String(cString: zip_strerror(handle)))
      }
      let name = String(cString: rawName)
      try checkName(name)
      guard !name.hasSuffix("/") else { continue }
      // Members that share bytes can make a small archive unpack to any size.
      guard entry.comp_size <= size - packed, size - packed - entry.comp_size >= headBytes else {
        throw .overlapping(name)
      }
      packed += entry.comp_size + headBytes
      try checkSize(name, entry, limits)
      unpacked += entry.size
      guard unpacked <= limits.allBytes else { throw .tooLargeTogether(limit: limits.allBytes) }
      members.append(Member(name: name, size: entry.size, day: Int(chartpipe_zip_day(&entry)), index: index))
    }
    return members
  }

  private static func checkName(_ name: String) throws(ZipError) {
    let parts = name.split(whereSeparator: { $0 == "/" || $0 == "\\" })
    let drive = name.dropFirst().first == ":"
    guard !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("\\"), !drive,
      !parts.contains(".."), !name.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw .unsafeName(name) }
  }

  private static func checkSize(_ name: String, _ entry: zip_stat_t, _ limits: Limits) throws(ZipError) {
    guard entry.size <= limits.memberBytes else {
      throw .tooLarge(name, declared: entry.size, limit: limits.memberBytes)
    }
    let (product, isTooLarge) = entry.comp_size.multipliedReportingOverflow(by: limits.ratio)
    let limit = isTooLarge ? .max : max(1 << 20, product)
    guard entry.size <= limit else { throw .tooCompressed(name, declared: entry.size, limit: limit) }
  }
}

/// Why a zip archive or one of its members cannot be used.
public enum ZipError: Error, Equatable, CustomStringConvertible {
  /// The message of libzip.
  case library(String)
  /// A member whose name leads out of the folder.
  case unsafeName(String)
  case tooManyMembers(Int)
  /// A member that declares more bytes than any FAA source has.
  case tooLarge(String, declared: UInt64, limit: UInt64)
  /// A member that declares implausibly many bytes for its packed size.
  case tooCompressed(String, declared: UInt64, limit: UInt64)
  /// Members that together declare more bytes than any FAA source has.
  case tooLargeTogether(limit: UInt64)
  /// A member that starts inside another.
  case overlapping(String)
  /// A member that ended before its declared size.
  case shortMember(String)

  public var description: String {
    switch self {
    case .library(let message): message
    case .unsafeName(let name): "member \"\(name)\" would escape its folder"
    case .tooManyMembers(let count): "\(count) members are more than a source has"
    case .tooLarge(let name, let declared, let limit):
      "member \"\(name)\" unpacks to \(declared) bytes, more than the \(limit) bytes of the largest source"
    case .tooCompressed(let name, let declared, let limit):
      "member \"\(name)\" unpacks to \(declared) bytes, more than the \(limit) bytes that are allowed for its packed size: "
        + "it is not cut short, but its contents look wrong"
    case .tooLargeTogether(let limit): "its members together declare more than \(limit) bytes"
    case .overlapping(let name): "member \"\(name)\" shares its bytes with others"
    case .shortMember(let name): "member \"\(name)\" ends before its declared size"
    }
  }
}
