internal import Core
internal import CryptoIO
public import Foundation
public import Pipeline

/// What came of rebuilding one product.
public struct ReproducedProduct: Encodable, Equatable, Sendable {
  public enum Outcome: String, Encodable, Sendable {
    case identical
    case different
    case notBuilt
  }

  public let id: String
  public let outcome: Outcome
  /// Why it could not be built; nil when it was.
  public let problem: String?
  public let files: [File]
  /// What made it then and is another version here, whether that changed a byte or not.
  public let versions: [OtherVersion]
  /// Keys of its description that are not what they were.
  public let description: [String]

  public struct File: Encodable, Equatable, Sendable {
    /// As it is called where it was built.
    public let name: String
    public let role: String
    public let bytes: Int
    public let sha256: String
    /// Nil when the rebuild made no such file.
    public let rebuilt: String?
    public let identical: Bool
    /// Where the two part; nil when they do not, or when the staged one is not there to be compared.
    public let difference: String?
  }

  public struct OtherVersion: Encodable, Equatable, Sendable {
    public let name: String
    /// Nil for what the manifest does not name.
    public let recorded: String?
    /// Nil for what had no part in it here.
    public let here: String?
  }

  public init(notBuilt id: String, because problem: String) {
    self.id = id
    self.problem = problem
    outcome = .notBuilt
    (files, versions, description) = ([], [], [])
  }

  /// - Parameter folder: where the rebuilt files lie.
  public init(_ recorded: Product, rebuilt: Product, in folder: URL, of target: ReproductionTarget) throws {
    id = recorded.id
    problem = nil
    files = try recorded.files.map {
      try File($0, of: rebuilt, in: folder, original: target.original(of: $0))
    }
    versions = recorded.build.versions(unlike: rebuilt.build)
    description = try recorded.keys(unlike: rebuilt)
    outcome = files.allSatisfy(\.identical) && description.isEmpty ? .identical : .different
  }
}

extension ReproducedProduct.File {
  fileprivate init(_ recorded: Product.File, of product: Product, in folder: URL, original: URL?) throws {
    let suffix = URL(filePath: recorded.path).pathExtension
    let rebuilt = product.files.first {
      $0.role == recorded.role && URL(filePath: $0.path).pathExtension == suffix
    }
    name = rebuilt?.path ?? URL(filePath: recorded.path).lastPathComponent
    role = recorded.role
    bytes = recorded.bytes
    sha256 = recorded.sha256.text
    let file = rebuilt.map { folder.appending(path: $0.path) }
    let hash = try file.map { try SHA256Hex(ofFile: $0).text }
    self.rebuilt = hash
    identical = hash == sha256
    let isComparable = !identical && original != nil && file != nil
    difference = isComparable ? FileDifference.words(from: original, to: file) : nil
  }
}

extension Product.Build {
  fileprivate func versions(unlike other: Product.Build) -> [ReproducedProduct.OtherVersion] {
    let names = Set(libraries.keys).union(other.libraries.keys).sorted()
    let pairs =
      [(tool, version as String?, other.version as String?)]
      + [("definition", definitionSha256.text, other.definitionSha256.text)]
      + names.map { ($0, libraries[$0], other.libraries[$0]) }
    return pairs.filter { $0.1 != $0.2 }.map { .init(name: $0.0, recorded: $0.1, here: $0.2) }
  }
}

extension Product {
  /// What is said of it, apart from what stands by itself: its files, its sources, and what made it.
  fileprivate func keys(unlike other: Product) throws -> [String] {
    let (own, others) = (try said(), try other.said())
    return Set(own.keys).union(others.keys).subtracting(["files", "sources", "build"])
      .filter { own[$0] != others[$0] }.sorted()
  }

  private func said() throws -> [String: NSObject] {
    try JSONSerialization.jsonObject(with: CanonicalJSON.line(self)) as? [String: NSObject] ?? [:]
  }
}
