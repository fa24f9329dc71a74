internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What a database's file says before SQLite opens it.
struct DatabaseFileState {
  let bytes: Int
  /// Whether SQLite would create a `-wal` and a `-shm` file beside the file, and leave them there.
  private let usesLog: Bool
  private let path: String

  init(_ path: String) {
    self.path = path
    bytes = DatabaseFileState.size(path) ?? 0
    usesLog = DatabaseFileState.isInLogMode(path) || DatabaseFileState.size(path + "-wal") != nil
  }

  /// The name under which SQLite opens the file for reading without a trace.
  ///
  /// - Throws: an error if a log has changes that are not in the file. SQLite can read them only together with files that it
  ///   creates beside it.
  func readOnlyName() throws(SQLiteError) -> String {
    guard usesLog else { return path }
    guard DatabaseFileState.size(path + "-wal") ?? 0 == 0 else {
      throw SQLiteError(
        code: SQLITE_BUSY, message: "its latest changes are still in the -wal file beside it", sql: nil,
        hasPendingLog: true)
    }
    return "file:" + DatabaseFileState.escaped(path) + "?immutable=1"
  }

  /// The file format's write and read versions are 2 in WAL mode.
  static func isInLogMode(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 20)
    return fread(&start, 1, start.count, file) == start.count && start[19] == 2
  }

  /// Nil if there is no such file.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Two slashes at the start would begin the name of a host.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for (place, byte) in path.utf8.enumerated() {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (byte == UInt8(ascii: "/") && place != 1)
      let digits = String(byte, radix: 16, uppercase: true)
      text += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
    return text
  }
}
