public import Foundation
internal import Pipeline

/// Where a site is published to.
public struct PublishTarget: Sendable {
  let store: any ObjectStore
  /// Of a target on this machine.
  let folder: URL?

  public var name: String { store.name }

  public init(folder: URL) {
    self.folder = folder
    store = FolderStore(root: folder)
  }

  init(store: any ObjectStore) {
    self.store = store
    folder = nil
  }

  /// Nil for what is no address of a store.
  ///
  /// - Parameters:
  ///   - address: `s3://bucket/prefix`.
  ///   - endpoint: of a store that is not Amazon's; nil for the one of the environment.
  ///   - environment: where the keys are.
  public init?(
    address: String, endpoint: String?, environment: [String: String]
  ) throws {
    guard address.hasPrefix(S3Target.scheme) else { return nil }
    let target = try S3Target(address, endpoint: endpoint, environment: environment)
    let keys = try S3Keys(environment: environment)
    self.init(store: S3Store(target, keys: keys))
  }
}
