internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO

/// The copy of a site's catalogue that a reader keeps, so that a web server sends the catalogue only after a change.
///
/// Dates and signature of an unchanged catalogue are verified as those of a new one: it may have expired meanwhile.
struct CatalogueCopy {
  /// The catalogue, byte for byte.
  let file: URL
  /// The version at the server. A copy without it, or with the note of other bytes, is requested again.
  let note: URL

  private struct Note: Codable {
    var source: String
    var sha256: SHA256Hex
    /// Nil in notes of earlier versions.
    var serial: Int?
    var etag: String?
    var lastModified: String?

    var validators: HTTPValidators { HTTPValidators(etag: etag, lastModified: lastModified) }
  }

  /// Returns the copy and its version at the server; nil if the copy is damaged or comes from elsewhere, so that it proves nothing.
  func content(of store: any ObjectStore) -> (bytes: CatalogueBytes, validators: HTTPValidators)? {
    guard file.isRegularFile, let note = content(ofNoteAbout: store), !note.validators.isEmpty,
      let own = try? CatalogueBytes(Data(contentsOf: file)), own.sha256 == note.sha256
    else { return nil }
    return (own, note.validators)
  }

  /// The catalogue that was copied from the site last, also if the copy is damaged now; nil if that is not known.
  func seen(of store: any ObjectStore) -> SeenCatalogue? {
    let note = content(ofNoteAbout: store)
    return note.flatMap { note in note.serial.map { SeenCatalogue(serial: $0, sha256: note.sha256) } }
  }

  private func content(ofNoteAbout store: any ObjectStore) -> Note? {
    guard note.isRegularFile, let found = try? JSONDecoder().decode(Note.self, from: Data(contentsOf: note))
    else { return nil }
    return found.source == store.name ? found : nil
  }

  /// Writes the note of the catalogue in `file`. The note of an unchanged catalogue stays.
  func record(_ read: PublishedCatalogue, of store: any ObjectStore) throws {
    if let validators = read.headers?.validators {
      try write(validators, of: read, store)
    } else if content(ofNoteAbout: store)?.sha256 != read.sha256 {
      try write(HTTPValidators(), of: read, store)
    }
  }

  /// Replaces the copy. The note comes last: an earlier one does not fit the new bytes.
  func replace(by read: PublishedCatalogue, of store: any ObjectStore) throws {
    if (try? Data(contentsOf: file)) != read.data {
      try checkReplaceable()
      try write(read.data, to: file)
    }
    try record(read, of: store)
  }

  /// Refuses to replace a file that is not a catalogue.
  private func checkReplaceable() throws {
    let isDamagedCopy = note.isRegularFile
    guard !isDamagedCopy, let kind = file.kindOnDisk,
      (try? PublishedCatalogue(Data(contentsOf: file))) == nil
    else { return }
    throw UserError(
      .badCall, operation: "writing the copy of the catalogue", path: file.path,
      reason: kind == .folder ? "it is a folder" : "it is not a copy of a catalogue",
      suggestion: "Name another file; nothing was written.")
  }

  private func write(
    _ validators: HTTPValidators, of read: PublishedCatalogue, _ store: any ObjectStore
  ) throws {
    let content = Note(
      source: store.name, sha256: read.sha256, serial: read.catalogue.serial, etag: validators.etag,
      lastModified: validators.lastModified)
    try write(CanonicalJSON.pretty(content), to: note)
  }

  private func write(_ data: Data, to file: URL) throws {
    // Two programs may keep the same copy.
    let scratch = file.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
    try DurableFile.write(data, to: file, scratch: scratch)
  }
}
