public import Core
internal import Foundation

/// Decides which catalogues of a target a publisher with a key builds on: those that the key, or the key before it, has signed.
///
/// Everything else that a publication takes from a target has its hash in such a catalogue.
struct CatalogueTrust {
  /// Empty for a publisher without a key, which verifies no signature.
  private let verifiers: [PublicKey]
  private let adoptsUnsigned: Bool

  init(_ options: PublishOptions) {
    verifiers = options.key.map { [$0.verifier] + [options.oldKey].compactMap(\.self) } ?? []
    adoptsUnsigned = options.adoptsUnsigned
  }

  var verifies: Bool { !verifiers.isEmpty }

  /// The same for the decoded catalogue before the one in force.
  ///
  /// - Returns: what it lists if it is adopted; nil if it is verified, or if nothing is.
  func adopted(
    replaced catalogue: PublishedCatalogue, in store: any ObjectStore, _ operation: String
  ) throws -> [AdoptedCycle]? {
    guard try adopts(catalogue.bytes, isReplaced: true, in: store, operation) else { return nil }
    return try AdoptedCycle.all(of: catalogue.catalogue, in: store, operation)
  }

  /// Throws a `UserError` of the kind `refused` for a catalogue that must not be used.
  ///
  /// - Parameter isReplaced: whether it is the catalogue before the one in force.
  /// - Returns: whether it is unsigned, and is adopted.
  func adopts(
    _ catalogue: CatalogueBytes, isReplaced: Bool = false, in store: any ObjectStore, _ operation: String
  ) throws -> Bool {
    var problem: Unreadable?
    for verifier in verifiers {
      do {
        _ = try CatalogueSignature.find(of: catalogue, isReplaced: isReplaced, in: store, by: verifier)
        return false
      } catch let error as Unreadable {
        problem = error
      }
    }
    guard let problem else { return false }
    if problem.isAbsent, adoptsUnsigned { return true }
    let remedy =
      problem.isAbsent
      ? "To sign it for the first time, run `chartpipe publish` with --adopt-unsigned once. Otherwise its signature was removed"
      : "After a change of the key, run `chartpipe publish` with --new-key OLD.pub once. Otherwise the target was changed without the key"
    throw UserError(
      .refused, operation: operation, path: store.name,
      reason:
        "\(isReplaced ? "the catalogue before this one" : "its catalogue") is not verified: \(problem.problem)",
      suggestion: "\(remedy): see \"Recover a target\" in OPERATIONS.md.")
  }

  /// The serial in the comment of a signature; nil unless one of the keys has signed the comment.
  func serial(signedIn signature: Data?, of channel: SiteChannel = .cycles) -> Int? {
    let parsed = signature.flatMap { Signature(minisign: String(decoding: $0, as: UTF8.self)) }
    return parsed.flatMap { parsed in
      verifiers.lazy.compactMap { parsed.serial(in: channel, signedBy: $0) }.first
    }
  }

  /// The highest serial that the keys have signed and the target still shows; 0 if there is none. The catalogue may be lost.
  ///
  /// - Parameter counts: which keys of signatures count.
  func lastSerial(
    of channel: SiteChannel = .cycles, in store: any WritableObjectStore,
    where counts: (String) -> Bool = { _ in true }
  ) throws -> Int {
    let keys = try ([channel.signature] + store.list(channel.signatures).map(\.key)).filter(counts)
    let found = try keys.map { try store.data($0, limit: CatalogueSignature.limit)?.data }
    return found.compactMap { serial(signedIn: $0, of: channel) }.filter(Catalog.serials.contains).max() ?? 0
  }
}

/// A cycle of an unsigned catalogue that a publisher signs for the first time.
public struct AdoptedCycle: Encodable, Equatable, Sendable {
  public var cycle: AiracCycle
  /// Nil for earlier editions, whose cycle is not listed.
  public var manifest: String?
  public var products: [String]

  /// Throws a `UserError` unless the catalogue's manifests agree with it.
  static func all(of catalogue: Catalog, in store: any ObjectStore, _ operation: String) throws -> [Self] {
    try Unreadable.explained({ problem in
      UserError(
        .refused, operation: operation, path: store.name,
        reason: "its catalogue cannot be adopted: \(problem)",
        suggestion: "Publish a whole site to a new place instead.")
    }) { for entry in catalogue.entries { _ = try entry.manifest(in: store, of: catalogue) } }
    let cycles = Set(catalogue.products.map(\.cycle) + catalogue.entries.map(\.id))
    return cycles.sorted().map { cycle in
      AdoptedCycle(
        cycle: cycle, manifest: catalogue.entries.first { $0.id == cycle }?.manifest.path,
        products: catalogue.products.filter { $0.cycle == cycle }.map(\.id))
    }
  }

  var text: String {
    "adopted without a signature: cycle \(cycle), \(manifest ?? "earlier editions"): "
      + products.joined(separator: ", ")
  }
}

/// The serials that were published from a site, by target. An older catalogue that was put back at a target is recognized by
/// comparison with them, although its signature is valid.
struct PublishedSerials {
  let file: URL
  /// The address of the target.
  let target: String

  /// Nil if nothing was published to the target from this site.
  func last() throws -> Int? { try all()[target] }

  private func all() throws -> [String: Int] {
    guard file.kindOnDisk != nil else { return [:] }
    return try UserError.wrapping(
      "reading", file.path, "it is not a list of published serials",
      kind: .badInput, suggestion: "Delete it. The next publication writes it again."
    ) { try JSONDecoder().decode([String: Int].self, from: Data(contentsOf: file)) }
  }

  /// A site that cannot be written to is published all the same.
  func keep(_ serial: Int, _ progress: any ProgressReporter) {
    do {
      // Another publisher may send the same site to another target.
      let lock = try FolderLock(
        file.deletingLastPathComponent(), operation: "opening", suggestion: "", timeout: 10)
      defer { withExtendedLifetime(lock) {} }
      var serials = try all()
      guard serials[target, default: 0] < serial else { return }
      serials[target] = serial
      try DurableFile.write(
        CanonicalJSON.pretty(serials), to: file, scratch: file.appendingPathExtension("new"))
    } catch {
      let reason = (error as? UserError)?.line ?? error.fileErrorReason
      progress.warn(Uploader.step, "the published serial is not remembered: \(reason)")
    }
  }
}
