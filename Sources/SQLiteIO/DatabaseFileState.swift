internal import CSQLite
internal import Foundation

/// What a database's file says before SQLite opens it.
struct DatabaseFileState {
  let bytes: Int
  /// Whether it is a pipe or a device, which could block forever, or a folder.
  private let isIrregular: Bool
  /// Whether SQLite would create a `-wal` and a `-shm` file beside the file, and leave them there.
  private let usesLog: Bool
  private let path: String

  init(_ path: String) {
    self.path = path
    let status = DatabaseFileState.status(path)
    bytes = status.map { Int($0.st_size) } ?? 0
    isIrregular = status.map { $0.st_mode & S_IFMT != S_IFREG } ?? false
    usesLog =
      !isIrregular
      && (DatabaseFileState.isInLogMode(path) || DatabaseFileState.status(path + "-wal") != nil)
  }

  /// The name under which SQLite opens the file for reading without a trace.
  ///
  /// - Throws: an error if it is no regular file, or if a file beside it has changes that SQLite would have to write into it: those
  ///   of a log, or those that a journal takes back.
  func readOnlyName() throws(SQLiteError) -> String {
    guard !isIrregular else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN, message: "it is not a regular file", sql: nil, suggestion: "Name a file.")
    }
    guard !usesLog else { return try nameWithoutLog() }
    guard !hasJournal else {
      throw SQLiteError(
        code: SQLITE_BUSY,
        message:
          "its writer was interrupted or is still at work: the -journal file beside it has unfinished changes",
        sql: nil,
        suggestion:
          "Wait for the writer. If there is none, undo its changes: sqlite3 FILE 'SELECT count(*) FROM sqlite_schema'."
      )
    }
    return path
  }

  private func nameWithoutLog() throws(SQLiteError) -> String {
    guard DatabaseFileState.status(path + "-wal").map({ $0.st_size == 0 }) ?? true else {
      throw SQLiteError(
        code: SQLITE_BUSY, message: "its latest changes are still in the -wal file beside it", sql: nil,
        suggestion:
          "Close the program that writes it, or run: sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'.")
    }
    return "file:" + DatabaseFileState.escaped(path) + "?immutable=1"
  }

  /// Whether the journal's first byte is not zero. A program that keeps its journals clears the byte when it is done.
  private var hasJournal: Bool {
    let journal = path + "-journal"
    guard let status = DatabaseFileState.status(journal), status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0, let file = fopen(journal, "rb")
    else { return false }
    defer { fclose(file) }
    return fgetc(file) > 0
  }

  /// The file format's write and read versions are 2 in WAL mode.
  static func isInLogMode(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var start = [UInt8](repeating: 0, count: 20)
    return fread(&start, 1, start.count, file) == start.count && start[19] == 2
  }

  /// Nil if there is no such file.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
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
