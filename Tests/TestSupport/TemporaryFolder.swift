public import Foundation

/// A folder for one test, removed when the last reference goes.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "chartpipe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func file(_ name: String) -> URL { url.appending(path: name) }
}

/// The root of the repository, from where the tests find the samples.
public let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The samples that the repository carries.
public let samplesFolder = repositoryRoot.appending(path: "samples")
