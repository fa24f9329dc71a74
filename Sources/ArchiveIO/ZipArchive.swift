internal import CZip

/// A zip archive opened for reading, from a file or from bytes in memory (a zip within a zip).
///
/// Nothing is ever unpacked to disk. The whole directory is checked on opening: a hostile or broken archive
/// is refused before a single byte of it is inflated.
public final class ZipArchive {
  public struct Member: Hashable, Sendable {
    public let name: String
    public let size: UInt64
    let index: UInt64

    /// The last part of the name.
    public var fileName: String { name.split(separator: "/").last.map(String.init) ?? name }
  }

  public struct Limits: Sendable {
    public var members = 20_000
    public var memberBytes: UInt64 = 1 << 31
    /// Of all members together.
    public var allBytes: UInt64 = 1 << 34
    /// Charts compress to a third, tables to a tenth; deflate reaches a thousandfold with noughts alone.
    public var ratio: UInt64 = 250
    public init() {}
  }

  public let members: [Member]
  let handle: OpaquePointer
  /// The bytes that libzip reads from; kept alive as long as the handle.
  private let backing: UnsafeMutableRawPointer?

  public convenience init(path: String, limits: Limits = Limits()) throws(ZipError) {
    // A length of -1 means up to the file's end.
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
    } catch {  // a half-made object has no deinit
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
    var whole = zip_stat_t()
    zip_stat_init(&whole)
    // What cannot be asked how large it is cannot be opened either, which tells more.
    _ = zip_source_stat(source, &whole)
    guard let handle = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) else {
      zip_source_free(source)
      throw ZipError.opening(zip_error_code_zip(&error))
    }
    do {
      return (handle, try ZipDirectory(handle, ofBytes: whole.size, limits: limits).members)
    } catch {
      zip_discard(handle)
      throw error
    }
  }

  deinit {
    zip_discard(handle)
    backing?.deallocate()
  }

  /// The member of exactly this name.
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

  /// Inflates one member into memory of its size, and checks its CRC.
  public func read(_ member: Member, into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) {
    precondition(buffer.count == Int(member.size))
    guard !inflateAtOnce(member, into: buffer) else { return }
    guard let file = zip_fopen_index(handle, member.index, 0) else { throw lastError() }
    defer { zip_fclose(file) }
    var filled = 0
    while filled < buffer.count {
      let count = zip_fread(file, buffer.baseAddress.map { $0 + filled }, UInt64(buffer.count - filled))
      guard count >= 0 else { throw memberError(file, member) }
      guard count > 0 else { throw .shortMember(member.name) }
      filled += Int(count)
    }
    // The CRC is compared when the end is reached, so read past the last byte.
    var extra: UInt8 = 0
    guard zip_fread(file, &extra, 1) == 0 else { throw memberError(file, member) }
  }

  /// Inflates one member piece by piece, for those that are too large to be held; libzip checks its CRC at the end. The bytes are
  /// valid only inside the closure.
  public func read(
    _ member: Member, inPiecesOf size: Int, _ each: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard let file = zip_fopen_index(handle, member.index, 0) else { throw lastError() }
    defer { zip_fclose(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 1)
    defer { buffer.deallocate() }
    var left = member.size
    while true {
      let count = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
      guard count >= 0, UInt64(count) <= left else { throw memberError(file, member) }
      guard count > 0 else { break }
      left -= UInt64(count)
      try each(UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)]))
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
  static func opening(_ code: Int32) -> ZipError {
    // libzip's own words here, "File already exists", mislead.
    if code == ZIP_ER_EXISTS { return .library("a member's name is there twice") }
    var error = zip_error_t()
    zip_error_init_with_code(&error, code)
    defer { zip_error_fini(&error) }
    return .library(String(cString: zip_error_strerror(&error)))
  }
}
