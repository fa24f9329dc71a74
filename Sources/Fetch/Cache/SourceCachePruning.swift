internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SourceCache {
  /// Removes the notes of what was not had since `noted`, and the files that neither a note nor a work folder has.
  ///
  /// - Parameter settled: younger files stay: another run may have just taken them in, and not noted them yet.
  /// - Returns: how many files were removed, and their bytes.
  public func prune(noted oldest: Date, settled: Date) throws -> (files: Int, bytes: Int) {
    var noted: Set<String> = []
    for file in files(below: "addresses") {
      if Facts(file).map({ $0.changed < oldest }) ?? true {
        try remove(file)
      } else if let note = try? JSONDecoder().decode(Note.self, from: Data(contentsOf: file)) {
        noted.insert(note.sha256.text)
      }
    }
    var removed = (files: 0, bytes: 0)
    for file in blobs() where !noted.contains(file.lastPathComponent) {
      guard let facts = Facts(file), facts.isAlone, facts.changed < settled else { continue }
      try remove(file)
      removed = (removed.files + 1, removed.bytes + facts.bytes)
    }
    return removed
  }

  /// Taking a file in, and giving it to a work folder as another name of it, both change it in this sense.
  private struct Facts {
    let changed: Date
    let isAlone: Bool
    let bytes: Int

    init?(_ file: URL) {
      var facts = stat()
      guard lstat(file.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Glibc)
        changed = Date(timeIntervalSince1970: Double(facts.st_ctim.tv_sec))
      #else
        changed = Date(timeIntervalSince1970: Double(facts.st_ctimespec.tv_sec))
      #endif
      isAlone = facts.st_nlink == 1
      bytes = Int(facts.st_size)
    }
  }

  private func blobs() -> [URL] {
    names(in: "").filter { $0.utf8.count == 2 }.flatMap { files(below: $0) }
      .filter { $0.lastPathComponent.utf8.count == 64 }
  }

  private func files(below path: String) -> [URL] {
    names(in: path).flatMap { name in
      let inner = "\(path)/\(name)"
      return root.appending(path: inner).kindOnDisk == .folder
        ? files(below: inner) : [root.appending(path: inner)]
    }
  }

  private func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path)) ?? []).sorted()
  }

  private func remove(_ file: URL) throws {
    do {
      try FileManager.default.removeItem(at: file)
    } catch {
      throw UserError(
        .failed, operation: "removing what is out of date", path: file.path, reason: error.fileErrorReason,
        suggestion: "Check the permissions of the cache.", causes: [error])
    }
  }
}
