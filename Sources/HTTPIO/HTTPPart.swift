internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The bytes of a download that is under way, `X.part`, and beside them `X.part.json`: of which file of the server they are.
final class HTTPPart {
  struct Note: Codable, Equatable {
    var url: String
    var known: HTTPValidators
    var total: Int?
  }

  static let ending = "part"
  static let noteEnding = "json"

  private let final: URL
  private let part: URL
  private let noteFile: URL
  private var handle: FileHandle?
  private(set) var note: Note?
  private(set) var size: Int

  init(for final: URL) {
    self.final = final
    part = final.appendingPathExtension(HTTPPart.ending)
    noteFile = part.appendingPathExtension(HTTPPart.noteEnding)
    size = (try? FileManager.default.attributesOfItem(atPath: part.path))?[.size] as? Int ?? 0
    note = (try? Data(contentsOf: noteFile)).flatMap { try? JSONDecoder().decode(Note.self, from: $0) }
  }

  /// How many bytes need not be asked for again. Of a file that is whole already the last one is, so that the server
  /// tells whether it is still the same.
  func start(of url: String) -> Int {
    guard size > 0, let note, note.url == url, note.known.strongest != nil else { return 0 }
    guard let total = note.total, size >= total else { return size }
    return size == total ? size - 1 : 0
  }

  /// Makes ready for all bytes of another file. The note goes last and comes first, so that it never stands by bytes
  /// that are not its own.
  func begin(_ note: Note) throws {
    try cut(to: 0)
    self.note = note
    try JSONEncoder().encode(note).write(to: noteFile, options: .atomic)
  }

  /// Makes ready for the bytes from there on.
  func cut(to start: Int) throws {
    let handle = try handle ?? opened()
    self.handle = handle
    try handle.truncate(atOffset: UInt64(start))
    try handle.seek(toOffset: UInt64(start))
    size = start
  }

  func append(_ piece: UnsafeRawBufferPointer) throws {
    try handle?.write(contentsOf: piece)
    size += piece.count
  }

  /// Leaves nothing of it.
  func forget() {
    for file in [part, noteFile] { try? FileManager.default.removeItem(at: file) }
    (handle, note, size) = (nil, nil, 0)
  }

  /// Gives the file its name once its bytes are on the disk.
  func finish() throws {
    try handle?.synchronize()
    try check(rename(part.path, final.path))
    try? FileManager.default.removeItem(at: noteFile)
    let folder = open(final.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    try check(folder)
    defer { close(folder) }
    try check(fsync(folder))
  }

  private func opened() throws -> FileHandle {
    let number = open(part.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try check(number)
    return FileHandle(fileDescriptor: number, closeOnDealloc: true)
  }

  private func check(_ result: Int32) throws {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
