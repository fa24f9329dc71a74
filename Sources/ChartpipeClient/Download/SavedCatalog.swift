internal import Core
internal import Foundation

/// The catalogue that a device accepted last, in one file: a reader sees all of it or an earlier one.
struct SavedCatalog: Codable {
  /// A catalogue that this device accepted.
  struct Seen: Codable {
    var serial: Int
    var sha256: String
  }

  /// The highest serial so far.
  var seen: Seen
  var version: CatalogVersion
  /// `catalog.json`, byte for byte.
  var catalog: Data
  /// The text of its signature; nil for an unsigned site.
  var signature: String?

  /// Nil if there is none yet.
  init?(at file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      self = try JSONDecoder().decode(SavedCatalog.self, from: try Data(contentsOf: file))
    } catch {
      throw ChartpipeError(
        .invalid, "reading \(file.path)", "it is not a state file of ChartpipeClient",
        "Name another file, or delete this one to start again")
    }
  }

  init(_ catalog: Catalog, _ data: Data, _ version: CatalogVersion, signature: String?) {
    seen = Seen(serial: catalog.serial, sha256: version.sha256)
    self.version = version
    self.catalog = data
    self.signature = signature
  }

  /// Throws if another catalogue cannot be a later one.
  func checkOrder(of later: Catalog, sha256: String, operation: String) throws {
    if later.freshness(afterSerial: seen.serial) == .replayed {
      throw replayed(
        operation, "the catalogue has the serial \(later.serial), but this device has seen \(seen.serial)")
    }
    if later.serial == seen.serial, sha256 != seen.sha256 {
      throw replayed(
        operation,
        "the catalogue has the serial \(later.serial), and so had another one that this device has seen")
    }
  }

  private func replayed(_ operation: String, _ reason: String) -> ChartpipeError {
    ChartpipeError(.replayed, operation, reason, "Keep the newer catalogue")
  }

  /// Keeps a later catalogue that another task wrote meanwhile.
  func write(to file: URL) throws {
    if let other = try? SavedCatalog(at: file), other.seen.serial > seen.serial { return }
    let scratch = file.deletingLastPathComponent()
      .appendingPathComponent("\(file.lastPathComponent).\(UUID().uuidString)")
    try explaining({ ChartpipeError(fileError: $0, "writing \(file.path)") }) {
      try file.deletingLastPathComponent().createFolder()
      try DurableFile.write(try JSONEncoder().encode(self), to: file, scratch: scratch)
    }
  }
}
