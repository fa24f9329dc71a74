internal import Core
public import Foundation
public import Pipeline

/// How a source that a manifest names was looked for.
public enum RecordedSource: Equatable, Sendable {
  case found(URL)
  /// A file of its name lies there and has other bytes; nor are they in any other file of the folder.
  case changed(URL)
  case absent
}

extension SourceFolder {
  /// The file or the folder that has the bytes of a source: by its name first, then among all files of its size.
  public func locate(_ source: Product.Source) throws -> RecordedSource {
    let namesakes = (paths[PublishedName.key(source.fileName)] ?? []).sorted { $0.path < $1.path }
    let usable = namesakes.filter { $0.kindOnDisk == .folder || $0.isRegularFile }
    if let own = try usable.first(where: { try SourceFolder.file($0).sha256 == source.sha256 }) {
      return .found(own)
    }
    let others = paths.values.joined().filter { $0.isRegularFile && $0.byteCount == source.bytes }
      .sorted { $0.path < $1.path }
    let same = try others.first { try SourceFolder.file($0).sha256 == source.sha256 }
    return same.map { .found($0) } ?? namesakes.first.map { .changed($0) } ?? .absent
  }
}

extension Product.Source {
  /// The name under which it lies in a folder, wherever it was downloaded from.
  public var fileName: String {
    guard url.contains("://") else { return url.split(separator: "/").last.map(String.init) ?? url }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return (last.removingPercentEncoding ?? last).split(separator: "/").last.map(String.init) ?? ""
  }
}

extension URL {
  /// Of the file itself, where this is a link.
  fileprivate var byteCount: Int? {
    (try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path))?[.size] as? Int
  }
}
