import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline

/// The sources that a manifest names, found by their hashes and laid out under the names by which a build looks for them.
struct RecordedSources {
  private let folder: SourceFolder
  private var places: [SHA256Hex: RecordedSource] = [:]
  /// By name in small letters.
  private var chosen: [String: (source: Product.Source, url: URL)] = [:]

  init(in folder: SourceFolder) { self.folder = folder }

  /// Takes all of them, or none and tells why.
  mutating func take(_ sources: [Product.Source]) throws -> String? {
    var taken = chosen
    var lacking: [String] = []
    for source in sources {
      let name = source.fileName
      let place = try places[source.sha256] ?? folder.locate(source)
      places[source.sha256] = place
      if case .found(let url) = place, RecordedSources.isPlain(name) {
        let other = taken.updateValue((source, url), forKey: name.lowercased())
        guard let other, other.source.sha256 != source.sha256 else { continue }
        lacking.append("another product needs another \(name): name one of them with --only")
      } else {
        lacking.append(words(place, source))
      }
    }
    guard lacking.isEmpty else { return lacking.joined(separator: "; ") }
    chosen = taken
    return nil
  }

  /// Links, since sources are large and the build only reads them.
  func lay(in farm: URL) throws {
    do {
      if FileManager.default.fileExists(atPath: farm.path) { try FileManager.default.removeItem(at: farm) }
      try FileManager.default.createDirectory(at: farm, withIntermediateDirectories: true)
      for (source, url) in chosen.values {
        try FileManager.default.createSymbolicLink(
          at: farm.appending(path: source.fileName), withDestinationURL: url)
      }
    } catch {
      throw UserError(
        .failed, operation: "laying out the sources in", path: farm.path, reason: error.fileErrorReason,
        suggestion: "Give a folder of your own with --work.", causes: [error])
    }
  }

  /// A manifest is somebody else's, and may name anything.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("\0") && name.utf8.count <= 255
  }

  private func words(_ place: RecordedSource, _ source: Product.Source) -> String {
    let hash = "SHA-256 \(source.sha256.text.prefix(12))…"
    return switch place {
    case .found: "\"\(source.url)\" is no name of a file"
    case .changed(let url): "\(source.fileName) (\(hash)): \(url.path) is another file"
    case .absent: "\(source.fileName) (\(hash)) is not in \(folder.root.path)"
    }
  }
}
