internal import Foundation

/// A site in a store, read with the publisher's own keys.
struct StoreFiles: StreamedFiles {
  let store: any ObjectStore
  var name: String { store.name }

  func look(_ path: String) throws -> PublishedFile? {
    try store.list(path).first { $0.key == path }.map { PublishedFile(bytes: $0.bytes) }
  }

  func stream(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    try store.read(path, receive)
  }
}
