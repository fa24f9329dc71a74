public import Core
internal import CryptoIO
public import Foundation

/// The result of rebuilding one product.
public struct ReproducedProduct: Encodable, Equatable, Sendable {
  public enum Outcome: String, Encodable, Sendable {
    case identical
    /// Files have other bytes, but the same pixels and rows.
    case equivalent
    case different
    case notBuilt
  }

  public let id: String
  public let outcome: Outcome
  /// Why it could not be built; nil when it was.
  public let problem: String?
  public let files: [File]
  /// The tool and the libraries whose versions differ, whether that changed the files or not.
  public let versions: [OtherVersion]
  /// The keys of its description whose values differ.
  public let description: [String]

  public struct File: Encodable, Equatable, Sendable {
    /// The file name in the build folder.
    public let name: String
    public let role: Product.Role
    public let bytes: Int
    public let sha256: String
    /// The SHA-256 of the rebuilt file; nil when there is none.
    public let rebuilt: String?
    public let identical: Bool
    /// Whether it has the same pixels or rows, in the same or in other bytes. False when they could not be compared.
    public let equivalent: Bool
    /// Describes the difference; nil when there is none, or when the staged file is not available.
    public let difference: String?
  }

  public struct OtherVersion: Encodable, Equatable, Sendable {
    public let name: String
    /// Nil when the manifest does not name it.
    public let recorded: String?
    /// Nil when the rebuild did not use it.
    public let here: String?
  }

  public init(notBuilt id: String, because problem: String) {
    self.id = id
    self.problem = problem
    outcome = .notBuilt
    (files, versions, description) = ([], [], [])
  }

  /// - Parameter folder: the folder of the rebuilt files.
  public init(_ recorded: Product, rebuilt: Product, in folder: URL, of target: ReproductionTarget) throws {
    id = recorded.id
    problem = nil
    files = try recorded.files.map {
      try File($0, of: rebuilt, in: folder, original: target.original(of: $0))
    }
    versions = recorded.build.versions(differingFrom: rebuilt.build)
    description = try recorded.keys(differingFrom: rebuilt)
    outcome =
      switch files {
      case _ where !description.isEmpty: .different
      case _ where files.allSatisfy(\.identical): .identical
      case _ where files.allSatisfy(\.equivalent): .equivalent
      default: .different
      }
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
    let compared =
      identical ? nil : original.flatMap { old in file.map { FileDifference(from: old, to: $0) } }
    difference = compared?.words
    equivalent = identical || compared?.isSameContent == true
  }
}

extension Product.Build {
  fileprivate func versions(differingFrom other: Product.Build) -> [ReproducedProduct.OtherVersion] {
    let names = Set(libraries.keys).union(other.libraries.keys).sorted()
    let pairs =
      [(tool, version as String?, other.version as String?)]
      + [("definition", definitionSha256?.text, other.definitionSha256?.text)]
      + names.map { ($0, libraries[$0], other.libraries[$0]) }
    return pairs.filter { $0.1 != $0.2 }.map { .init(name: $0.0, recorded: $0.1, here: $0.2) }
  }
}

extension Product {
  /// Compares the description except files, sources and versions, which are compared on their own.
  fileprivate func keys(differingFrom other: Product) throws -> [String] {
    var other = other
    // The audit names the file.
    if let audit { other.audit?.sha256 = audit.sha256 }
    let (own, others) = (try encoded(), try other.encoded())
    return Set(own.keys).union(others.keys).subtracting(["files", "sources", "build"])
      .filter { own[$0] != others[$0] }.sorted()
  }

  private func encoded() throws -> [String: NSObject] {
    try JSONSerialization.jsonObject(with: CanonicalJSON.line(self)) as? [String: NSObject] ?? [:]
  }
}

/// The result of rebuilding a cycle, product by product.
public struct ReproductionReport: Encodable, Equatable, Sendable {
  public let cycle: AiracCycle
  public let ok: Bool
  /// By id.
  public let products: [ReproducedProduct]
  /// The folder of the rebuilt files.
  public let folder: String

  public init(cycle: AiracCycle, products: [ReproducedProduct], folder: String) {
    self.cycle = cycle
    self.products = products.sorted { $0.id < $1.id }
    self.folder = folder
    ok = products.allSatisfy { $0.outcome == .identical }
  }

  /// Different contents are more serious than a product that was not built.
  public var verdict: UserError.Kind? {
    if ok { return nil }
    return products.contains { $0.outcome == .different } ? .failed : .partlyDone
  }

  /// The report as text, the summary last.
  public var text: String {
    (products.flatMap(\.lines) + ["", summary]).joined(separator: "\n") + "\n"
  }

  private var summary: String {
    func count(_ outcome: ReproducedProduct.Outcome) -> Int { products.count { $0.outcome == outcome } }
    let head =
      "Cycle \(cycle): \(count(.identical)) of \(Counts.of(products.count, "product")) identical"
    let same = count(.equivalent) > 0 ? ", \(count(.equivalent)) equivalent" : ""
    let different = count(.different) > 0 ? ", \(count(.different)) different" : ""
    let others = count(.notBuilt) > 0 ? ", \(count(.notBuilt)) not built" : ""
    return head + same + different + others + ". The rebuilt files are in \(folder)."
  }
}

extension ReproducedProduct {
  fileprivate var lines: [String] {
    let heads: [Outcome: String] = [
      .identical: "identical  ", .equivalent: "equivalent ", .different: "DIFFERENT  ",
      .notBuilt: "NOT BUILT  ",
    ]
    let causes = versions.map { version in
      let then = version.recorded ?? "not recorded"
      return "           \(version.name) was \(then), here it is \(version.here ?? "not used")"
    }
    return [(heads[outcome] ?? "") + id] + (problem.map { ["           \($0)"] } ?? [])
      + files.filter { !$0.identical }.map { "           \($0.words)" }
      + (description.isEmpty
        ? [] : ["           description differs: \(description.joined(separator: ", "))"])
      + causes
  }
}

extension ReproducedProduct.File {
  fileprivate var words: String {
    guard let rebuilt else { return "\(name) was not built" }
    return "\(name): "
      + (difference ?? "its SHA-256 should be \(sha256.prefix(12))… and is \(rebuilt.prefix(12))…")
  }
}

/// A cycle to rebuild, read from its manifest.
public struct ReproductionTarget: Sendable {
  public let cycle: AiracCycle
  /// All products of the manifest.
  public let products: [Product]
  /// The products to rebuild.
  public let selected: [Product]
  /// A unique name for this manifest.
  public let name: String
  /// Whether the given copy is not the manifest that the catalogue of its site names. Then that one is compared.
  public let isOtherThanCopy: Bool
  /// The site that contains the manifest, if any.
  private let site: SiteFolder

  /// - Parameter only: ids, or the parts after the pipeline; nil for all products.
  public init(manifest file: URL, only: [String]? = nil) throws {
    // `cycles/2612/manifest.json` and `blobs/36/366a….json` are equally deep.
    site = SiteFolder(
      root: file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent())
    let named = try ReproductionTarget.named(for: file, in: site)
    let (manifest, data) = try ReproductionTarget.read(file, named)
    isOtherThanCopy = try named != nil && named != Data(contentsOf: file)
    cycle = manifest.cycle
    products = manifest.products
    selected = try ReproductionTarget.select(only, of: manifest.products, in: file)
    name = "\(cycle)-\(try SHA256Hex(of: Array(data)).text.prefix(12))"
  }

  /// Returns the staged file; nil when the manifest is not in a site, or the site no longer has the file.
  func original(of file: Product.File) -> URL? {
    let path = BlobPath.of(file.sha256, extension: URL(filePath: file.path).pathExtension)
    let blob = site.root.appending(path: path)
    return blob.isRegularFile ? blob : nil
  }

  /// The manifest that the catalogue of a site names for the cycle of a copy in `cycles/`; nil for any other file.
  private static func named(for file: URL, in site: SiteFolder) throws -> Data? {
    guard let cycle = AiracCycle(file.deletingLastPathComponent().lastPathComponent),
      file.path == site.manifest(of: cycle).path, file.isRegularFile,
      let entry = try site.readCatalogue()?.catalogue.entries.first(where: { $0.id == cycle })
    else { return nil }
    return try Unreadable.explained({
      unreadable(file, "the catalogue names \(entry.manifest.path): \($0)")
    }) { try FolderStore(root: site.root).data(of: entry.manifest, "the manifest of cycle \(cycle)") }
  }

  private static func read(_ file: URL, _ named: Data?) throws -> (Manifest, Data) {
    guard file.isRegularFile else { throw unreadable(file, "there is no such file") }
    var data = Data()
    return try explaining(
      { unreadable(file, ($0 as? DecodingError)?.whereAndWhy(in: data) ?? $0.fileErrorReason, causes: [$0]) }
    ) {
      data = try named ?? Data(contentsOf: file)
      return (try JSONDecoder().decode(Manifest.self, from: data), data)
    }
  }

  private static func unreadable(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the manifest", path: file.path, reason: problem,
      suggestion: "Name cycles/2612/manifest.json of a site, or the blob that its catalogue names.",
      causes: causes)
  }

  private static func select(_ only: [String]?, of products: [Product], in file: URL) throws -> [Product] {
    guard let only else { return products }
    if let unknown = only.first(where: { name in !products.contains { $0.isNamed(name) } }) {
      throw UserError(
        .badCall, operation: "looking for products in", path: file.path,
        reason: "it has no product \"\(unknown)\"",
        suggestion: "It has: \(products.map(\.id).joined(separator: ", ")).")
    }
    return products.filter { product in only.contains { product.isNamed($0) } }
  }
}

extension Product {
  fileprivate func isNamed(_ name: String) -> Bool { id == name || id.hasSuffix("/" + name) }
}
