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

  /// The environment's Python, if a module is installed in it.
  public static func python(with module: String) -> URL? {
    let libraries = folder.appending(path: "lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    let isInstalled = versions.contains { version in
      libraries.appending(path: "\(version)/site-packages/\(module)").exists
    }
    return isInstalled ? program("python3") : nil
  }
}
