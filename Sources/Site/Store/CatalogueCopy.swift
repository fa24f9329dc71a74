internal import Core
internal import CryptoIO
internal import Foundation
internal import HTTPIO
internal import Pipeline

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
  func content(of store: any ObjectStore) -> (catalogue: PublishedCatalogue, validators: HTTPValidators)? {
    guard file.isRegularFile, let note = content(ofNoteAbout: store), !note.validators.isEmpty,
      let own = try? PublishedCatalogue(Data(contentsOf: file)), own.sha256 == note.sha256
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
    guard let validators = read.headers?.validators else { return }
    let content = Note(
      source: store.name, sha256: read.sha256, serial: read.catalogue.serial, etag: validators.etag,
      lastModified: validators.lastModified)
    try write(CanonicalJSON.pretty(content), to: note)
  }

  /// Replaces the copy. The note comes last: an earlier one does not fit the new bytes.
  func replace(by read: PublishedCatalogue, of store: any ObjectStore) throws {
    if (try? Data(contentsOf: file)) != read.data { try write(read.data, to: file) }
    try record(read, of: store)
  }

  private func write(_ data: Data, to file: URL) throws {
    try DurableFile.write(data, to: file, scratch: file.appendingPathExtension("new"))
  }
}
