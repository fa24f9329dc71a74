public import Foundation

/// A folder for one test, removed when the last reference goes.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// Stops the tests where there is no room for temporary files, so that a suite needs no initialiser for its folder.
  public init() {
    url = FileManager.default.temporaryDirectory.appending(path: "chartpipe-\(UUID().uuidString)")
    do { try url.makeFolder() } catch { preconditionFailure("cannot create a temporary folder: \(error)") }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func file(_ name: String) -> URL { url.appending(path: name) }
}

extension Data {
  /// The value that these bytes are as JSON.
  public func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: self)
  }
}

extension URL {
  /// The text of this file.
  public var text: String { get throws { try String(contentsOf: self, encoding: .utf8) } }

  public var data: Data { get throws { try Data(contentsOf: self) } }

  public func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value { try data.decoded(type) }

  public var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Writes a text into this file, and creates its folder.
  public func put(_ text: String) throws {
    try deletingLastPathComponent().makeFolder()
    try Data(text.utf8).write(to: self)
  }

  public func remove() throws { try FileManager.default.removeItem(at: self) }

  public func makeFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }
}

/// The root of the repository, from where the tests find the samples.
public let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The samples that the repository contains.
public let samplesFolder = repositoryRoot.appending(path: "samples")

/// The relative paths of all files below a folder, hidden ones too, sorted; none where there is no folder.
public func files(below folder: URL) throws -> [String] {
  guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
  let root = folder.resolvingSymlinksInPath().path
  return try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
    var status = stat()
    guard lstat("\(root)/\(path)", &status) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return status.st_mode & S_IFMT == S_IFREG
  }.sorted()
}
