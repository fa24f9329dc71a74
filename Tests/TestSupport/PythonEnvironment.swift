public import Foundation

/// The Python environment of scripts/install-test-dependencies.
public enum PythonEnvironment {
  public static let folder: URL = {
    let cache =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return cache.appending(path: "chartpipe-test/venv")
  }()

  /// The environment's Python, if a module is installed in it.
  public static func python(with module: String) -> URL? {
    let python = folder.appending(path: "bin/python3")
    let libraries = folder.appending(path: "lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    let isInstalled = versions.contains { version in
      FileManager.default.fileExists(
        atPath: libraries.appending(path: "\(version)/site-packages/\(module)").path)
    }
    return isInstalled ? python : nil
  }
}
