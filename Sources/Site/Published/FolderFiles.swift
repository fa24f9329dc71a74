internal import Core
internal import Foundation
internal import Pipeline

/// A site in a folder.
struct FolderFiles: StreamedFiles {
  let root: URL
  var name: String { root.path }

  func look(_ path: String) throws -> PublishedFile? {
    let file = root.appending(path: path).resolvingSymlinksInPath()
    guard file.isRegularFile else { return nil }
    return try readable {
      PublishedFile(bytes: try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
    }
  }

  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    let file = root.appending(path: path)
    guard file.isRegularFile else { return false }
    let handle = try readable { try FileHandle(forReadingFrom: file) }
    defer { try? handle.close() }
    while let piece = try readable({ try handle.read(upToCount: 1 << 20) }), !piece.isEmpty {
      try piece.withUnsafeBytes { try receive($0) }
    }
    return true
  }

  private func readable<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw Unreadable("it cannot be read: \(error.fileErrorReason)")
    }
  }
}
