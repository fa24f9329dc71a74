internal import Foundation

/// A manifest and its bytes, which are what it is known by: reading and writing again might change them.
struct StoredManifest {
  let manifest: Manifest
  let data: Data
}
