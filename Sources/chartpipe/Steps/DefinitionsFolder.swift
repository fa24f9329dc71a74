import Core
import Foundation
import Pipeline

/// Where definitions are looked for when nobody names a folder: here, else where `make install` put the program's own.
enum DefinitionsFolder {
  static func url(_ named: String?) -> URL {
    if let named { return RunSettings.folder(named) }
    let here = RunSettings.folder("pipelines")
    guard here.kindOnDisk != .folder, let installed, installed.kindOnDisk == .folder else { return here }
    return installed
  }

  /// `/usr/local/share/chartpipe/pipelines` for `/usr/local/bin/chartpipe`.
  private static var installed: URL? {
    Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "share/chartpipe/pipelines")
  }
}
