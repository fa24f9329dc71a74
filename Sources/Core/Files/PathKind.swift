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

  /// Whether a plain file lies here, links followed: who opens a pipe waits for ever.
  public var isRegularFile: Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
