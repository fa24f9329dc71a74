public import Foundation

/// What lies at a path, links followed.
public enum PathKind: Sendable {
  case file, folder
}

extension URL {
  /// Nil where nothing is.
  public var kindOnDisk: PathKind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue ? .folder : .file
  }
}
