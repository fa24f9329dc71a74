internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// What becomes of the cycles of a target when a site is published there.
///
/// The machine that publishes may hold no more than what it has just made, so what the target has stays: its other cycles, and of
/// the same cycle the products that do not come again.
struct CycleMerge {
  let source: SiteSource
  let target: TargetState
  let store: any ObjectStore
  /// Whether a cycle becomes exactly the site's.
  let isReplacing: Bool
  let now: Instant
  let withdrawals: Withdrawals

  struct Merged {
    var offer: OfferedCycle
    var manifest: Data
    /// Whether the pages of the site are of all that is offered of the cycle.
    var isSites: Bool
    /// What the site brings back of what was withdrawn; nil for nothing.
    var comeback: Comeback?
  }

  /// Of the site's cycles alone; those that only the target has stay as they are.
  func merged() throws -> [Merged] {
    try source.manifests.sorted { $0.key < $1.key }.map { cycle, own in
      let standing = target.offered.first { $0.cycle == cycle }
      let stored = try standing.map { try merge(cycle, own, with: $0) } ?? keeping(own, cycle)
      return Merged(
        offer: try offer(cycle, stored, standing?.entry), manifest: stored.data,
        isSites: stored.data == own.data, comeback: withdrawals.comeback(of: cycle, in: own.manifest))
    }
  }

  private func merge(
    _ cycle: AiracCycle, _ own: StoredManifest, with standing: OfferedCycle
  ) throws -> StoredManifest {
    if isReplacing { return try keeping(own, cycle) }
    guard let earlier = try target.manifest(of: standing, in: store) else {
      throw UserError(
        .badInput, operation: "publishing to", path: target.name,
        reason: "it has lost the manifest of cycle \(cycle.identifier), \(standing.entry.manifest.path)",
        suggestion: "Publish a site that holds all of that cycle with --replace.")
    }
    if earlier.data == own.data { return earlier }
    let new = own.manifest
    let draft = try ManifestDraft(
      cycle, ids: Set(new.products.map(\.id) + (new.held ?? []).map(\.id)), earlier: earlier.manifest,
      editions: editions(before: cycle) + kept(of: new), doing: "publishing",
      remedy: "Publish all products of the cycle at once, with --replace.")
    let merged = draft.manifest(
      .init(
        products: new.products, findings: new.validation.findings, facts: new.validation.facts ?? [:],
        problems: new.problems ?? [:], held: new.held ?? [], missing: new.missing,
        failures: new.failures ?? [],
        notes: new.notes ?? []))
    if merged == new { return own }
    if merged == earlier.manifest { return earlier }
    return StoredManifest(manifest: merged, data: try CanonicalJSON.pretty(merged))
  }

  /// The same, with what the target has published of the products that it lacks.
  private func keeping(_ own: StoredManifest, _ cycle: AiracCycle) throws -> StoredManifest {
    var manifest = own.manifest
    manifest.keep(latestOf: editions(before: cycle) + kept(of: manifest))
    if manifest == own.manifest { return own }
    return StoredManifest(manifest: manifest, data: try CanonicalJSON.pretty(manifest))
  }

  /// The earlier editions that the site has in place of what is held back.
  private func kept(of manifest: Manifest) -> [Product] {
    (manifest.kept ?? []).filter { !withdrawals.has($0) }
  }

  /// What the target offers of earlier cycles.
  private func editions(before cycle: AiracCycle) -> [Product] {
    target.offered.filter { $0.cycle < cycle }.sorted { $0.cycle > $1.cycle }.flatMap(\.products.all)
  }

  private func offer(
    _ cycle: AiracCycle, _ stored: StoredManifest, _ standing: CycleEntry?
  ) throws -> OfferedCycle {
    let sha256 = try SHA256Hex(of: Array(stored.data))
    let manifest = FileReference(
      path: BlobStore.path(sha256, extension: "json"), sha256: sha256, bytes: stored.data.count)
    let isStanding = standing?.manifest == manifest
    return OfferedCycle(
      cycle: cycle,
      entry: CycleEntry(
        stored.manifest, in: manifest, published: isStanding ? standing?.published : now.description),
      products: CycleProducts(stored.manifest))
  }
}

/// The staged site that is to be published.
struct SiteSource {
  let site: SiteFolder
  let serial: Int
  let manifests: [AiracCycle: StoredManifest]

  init(_ root: URL) throws {
    site = SiteFolder(root: root)
    guard root.kindOnDisk == .folder, let catalogue = try site.readCatalogue() else {
      throw UserError(
        .badCall, operation: "publishing", path: root.path, reason: "no site is staged there",
        suggestion: "Name the folder that `chartpipe stage` wrote.")
    }
    serial = catalogue.serial
    manifests = try site.readManifests()
    for (cycle, stored) in manifests where stored.manifest.cycle != cycle.identifier {
      throw SiteSource.refusal(
        site.manifest(of: cycle.identifier), "it is of cycle \(stored.manifest.cycle)")
    }
  }

  /// A cycle can only be published again from a site that holds it.
  func check(_ reinstated: Set<AiracCycle>) throws {
    guard let absent = reinstated.subtracting(manifests.keys).min() else { return }
    let held = manifests.keys.sorted().map(\.identifier).joined(separator: ", ")
    throw UserError(
      .badCall, operation: "publishing", path: site.root.path,
      reason: "cycle \(absent.identifier) is to be reinstated and is not in the site",
      suggestion: "Name one of its cycles: \(held.isEmpty ? "it has none" : held).")
  }

  /// Nothing goes out that was not found good, by this version.
  func check(_ stored: StoredManifest) throws {
    let (manifest, validation) = (stored.manifest, stored.manifest.validation)
    let file = site.manifest(of: manifest.cycle)
    guard validation.ok else { throw SiteSource.refusal(file, "validation did not pass") }
    guard validation.tool == ToolVersion.tool, validation.version == ToolVersion.version else {
      throw SiteSource.refusal(
        file,
        "it was validated by \(validation.tool) \(validation.version), and this is \(ToolVersion.version)")
    }
  }

  /// The products of all cycles that this version found good.
  var checkedProducts: [Product] {
    manifests.sorted { $0.key < $1.key }.map(\.value)
      .filter { (try? check($0)) != nil }.flatMap { CycleProducts($0.manifest).all }
  }

  /// The file itself, where the site has it at its full size; its hash is proved while it is sent.
  func file(_ reference: FileReference) -> URL? {
    let file = site.root.appending(path: reference.path)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      attributes?[.size] as? Int == reference.bytes
    else { return nil }
    return file
  }

  /// What was made of a cycle for people, by name.
  func pages(of cycle: String) throws -> [(name: String, data: Data)] {
    let folder = site.cycles.appending(path: cycle)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0 == "report.html" || SiteSource.isOfChanges($0) }
      .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
  }

  /// `changes.html`, `changes-nasr-aviation.json`
  private static func isOfChanges(_ name: String) -> Bool {
    let (stem, ending) = (name.dropLast(5), name.suffix(5))
    return name.hasPrefix("changes") && [".html", ".json"].contains(ending)
      && stem.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  private static func refusal(_ file: URL, _ problem: String) -> UserError {
    UserError(
      .refused, operation: "publishing", path: file.path, reason: problem,
      suggestion: "Stage that cycle again. Nothing was published.")
  }
}
