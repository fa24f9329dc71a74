public import Foundation

/// The Python environment of `scripts/install-test-dependencies`.
public enum TestEnvironment {
  private static let folder: URL = {
    let cache =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return cache.appending(path: "chartpipe-test/venv")
  }()

  public static func program(_ name: String) -> URL { folder.appending(path: "bin/\(name)") }

  public static func has(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program(name).path)
  }
}
