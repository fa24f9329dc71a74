internal import Core
internal import Foundation
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// By what one notices, without reading it, that a file was replaced or written to.
struct FileStamp: Equatable, Sendable {
  private let numbers: [Int]

  /// Links are followed. Nil where there is no file.
  private init?(_ file: URL) {
    var facts = stat()
    guard stat(file.path, &facts) == 0 else { return nil }
    #if canImport(Glibc)
      let changed = facts.st_mtim
    #else
      let changed = facts.st_mtimespec
    #endif
    numbers = [
      Int(truncatingIfNeeded: facts.st_dev), Int(truncatingIfNeeded: facts.st_ino), Int(facts.st_size),
      changed.tv_sec, changed.tv_nsec,
    ]
  }

  /// Of a file, or of all files of a folder by their names.
  static func all(of source: URL) throws -> [String: FileStamp?] {
    guard source.kindOnDisk == .folder else { return ["": FileStamp(source)] }
    let members = try SourceContainer(folder: source).members
    return Dictionary(members.map { ($0.name, $0.file.flatMap { FileStamp($0) }) }) { _, last in last }
  }
}
