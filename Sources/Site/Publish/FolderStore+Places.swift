internal import Core
internal import Foundation
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension FolderStore {
  /// The file that is an object; a key that would lead out of the folder is refused.
  func place(of key: String) throws -> URL {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false)
    guard !key.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
      throw UserError(
        .badInput, operation: "publishing to", path: root.path, reason: "\"\(key)\" is no path of a site")
    }
    return root.appending(path: key)
  }

  /// Links may lead elsewhere within the folder. One that leads out would have others' files overwritten or removed.
  func placeForWriting(_ key: String) throws -> URL {
    let file = try place(of: key)
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, folder.kindOnDisk == nil { folder.deleteLastPathComponent() }
    let real = folder.resolvingSymlinksInPath().path
    guard real == root.path || real.hasPrefix(root.path + "/") else {
      throw UserError(
        .failed, operation: "publishing to", path: folder.path,
        reason: "it is a link that leads out of the site, to \(real)",
        suggestion: "Put a folder in its place, or publish to where it leads.")
    }
    return file
  }

  func removeEmptyFolders(above file: URL) {
    var folder = file.deletingLastPathComponent()
    while folder.path.count > root.path.count, rmdir(folder.path) == 0 { folder.deleteLastPathComponent() }
  }

  func using<T>(_ doing: String, _ key: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as CocoaError {
      throw UserError(
        .failed, operation: doing, path: key.isEmpty ? root.path : root.appending(path: key).path,
        reason: error.fileErrorReason, suggestion: "Check the folder's permissions and the free space.",
        causes: [error])
    }
  }
}
