internal import Core
internal import Foundation

/// Merges the cycles of a site into those of a target.
///
/// The publishing machine may have only the products that it just built. So the target keeps its other cycles, and in the same cycle
/// the products that the site does not have.
struct CycleMerge {
  let source: SiteSource
  let target: TargetState
  let store: any WritableObjectStore
  /// Whether a cycle becomes exactly the site's.
  let isReplacing: Bool
  let now: Instant
  let withdrawals: Withdrawals

  struct Merged {
    var listed: ListedCycle
    var manifest: Data
    /// Whether the site has all products of the merged cycle, so its pages describe all of them.
    var isWhole: Bool
    /// Nil unless the site contains withdrawn products of the cycle.
    var returning: ReturningCycle?
  }

  /// Returns the site's cycles. Those that only the target has stay as they are.
  func merged() throws -> [Merged] {
    try source.manifests.sorted { $0.key < $1.key }.map { cycle, own in
      let present = target.cycles.first { $0.cycle == cycle }
      let stored = try present.map { try merge(cycle, own, with: $0) } ?? keeping(own, cycle)
      return Merged(
        listed: try listed(cycle, stored, present?.entry), manifest: stored.data,
        isWhole: stored.data == own.data, returning: withdrawals.returning(cycle, in: own.manifest))
    }
  }

  private func merge(
    _ cycle: AiracCycle, _ own: StoredManifest, with present: ListedCycle
  ) throws -> StoredManifest {
    if isReplacing { return try keeping(own, cycle) }
    let earlier = try published(present.entry)
    if earlier.data == own.data { return earlier }
    let new = own.manifest
    let retained = try earlier.manifest.retained(
      besides: new.products.map(\.id) + (new.held ?? []).map(\.id), doing: "publishing",
      remedy: "Publish all products of the cycle at once, with --replace.")
    let merged = new.merged(
      with: earlier.manifest, retaining: retained,
      beside: CycleProducts(earlier.manifest).all + kept(of: new) + editions(before: cycle))
    if merged == new { return own }
    if merged == earlier.manifest { return earlier }
    return StoredManifest(manifest: merged, data: try CanonicalJSON.pretty(merged))
  }

  private func published(_ entry: CycleEntry) throws -> StoredManifest {
    do {
      let data = try store.data(of: entry.manifest)
      let manifest = try JSONDecoder().decode(Manifest.self, from: data)
      guard manifest.cycle == entry.id else { throw Unreadable("it is of cycle \(manifest.cycle)") }
      return StoredManifest(manifest: manifest, data: data)
    } catch let error where error is Unreadable || error is DecodingError {
      let reason = (error as? Unreadable)?.problem ?? "it is not a manifest"
      throw UserError(
        .badInput, operation: "publishing to", path: target.name,
        reason: "the manifest of cycle \(entry.id), \(entry.manifest.path): \(reason)",
        suggestion: "Publish a site that contains all of that cycle with --replace.")
    }
  }

  /// Adds the earlier editions that the target has of products that are held back or missing.
  private func keeping(_ own: StoredManifest, _ cycle: AiracCycle) throws -> StoredManifest {
    var manifest = own.manifest
    // The site's own description comes first: that of the target's catalogue is shorter.
    manifest.keep(latestOf: kept(of: manifest) + editions(before: cycle))
    if manifest == own.manifest { return own }
    return StoredManifest(manifest: manifest, data: try CanonicalJSON.pretty(manifest))
  }

  /// The earlier editions that the site has in place of held products.
  private func kept(of manifest: Manifest) -> [Product] {
    (manifest.kept ?? []).filter { !withdrawals.has($0) }
  }

  /// What the target lists of earlier cycles, the latest first. Of a damaged manifest, the descriptions of the catalogue remain.
  private func editions(before cycle: AiracCycle) -> [Product] {
    target.cycles.filter { $0.cycle < cycle }.sorted { $0.cycle > $1.cycle }.flatMap { listed in
      ((try? published(listed.entry)).map { CycleProducts($0.manifest) } ?? listed.products).all
    }
  }

  private func listed(
    _ cycle: AiracCycle, _ stored: StoredManifest, _ present: CycleEntry?
  ) throws -> ListedCycle {
    let manifest = try FileReference(blob: stored.data)
    let published = present?.manifest == manifest ? present?.published : now
    return ListedCycle(
      entry: CycleEntry(stored.manifest, in: manifest, published: published),
      products: CycleProducts(stored.manifest))
  }
}

/// The staged site to publish.
struct SiteSource {
  let site: SiteFolder
  let serial: Int
  let manifests: [AiracCycle: StoredManifest]

  init(_ root: URL) throws {
    site = SiteFolder(root: root)
    let isFolder = root.kindOnDisk == .folder
    guard isFolder, let catalogue = try site.readCatalogue()?.catalogue else {
      throw UserError(
        .badCall, operation: "publishing", path: root.path,
        reason: isFolder ? "no site is staged there" : root.missingFolderReason,
        suggestion: SiteSource.siteBelow(root).map { "It is a work folder: its site is \($0)." }
          ?? "Name the folder that `chartpipe stage` wrote.")
    }
    serial = catalogue.serial
    manifests = try site.readManifests()
    for (cycle, stored) in manifests where stored.manifest.cycle != cycle {
      throw SiteSource.refusal(site.manifest(of: cycle), "it is of cycle \(stored.manifest.cycle)")
    }
  }

  /// The site in a work folder of `chartpipe run`; nil if there is none.
  private static func siteBelow(_ work: URL) -> String? {
    let site = SiteFolder(root: work.appending(path: "site"))
    return site.catalogue.kindOnDisk == .file ? site.root.path : nil
  }

  /// A site that was staged with a key is not published without one, such as by a job whose secret is missing.
  ///
  /// A staged site is trusted. One that was published or mirrored is somebody else's as long as the key does not verify it.
  func checkKey(_ options: PublishOptions) throws {
    let isSigned = site.signature.kindOnDisk == .file
    let isMirror = site.root.appending(path: SiteFolder.mirrorParts).kindOnDisk != nil
    if options.key != nil, isSigned || isMirror || site.isPublished {
      _ = try CatalogueTrust(options).adopts(
        CatalogueBytes(Data(contentsOf: site.catalogue)), in: FolderStore(root: site.root), "publishing")
    }
    guard options.key == nil, !options.isDryRun, isSigned else { return }
    throw UserError(
      .badCall, operation: "publishing", path: site.root.path,
      reason: "it is signed, and there is no key to sign the published catalogue with",
      suggestion: "Give --key FILE, or remove \(PublishedCatalogue.signature) there to publish it unsigned.")
  }

  /// A withdrawn cycle can only be published again from a site that contains it.
  func check(_ reinstated: Set<AiracCycle>) throws {
    guard let absent = reinstated.subtracting(manifests.keys).min() else { return }
    let held = manifests.keys.sorted().map(\.identifier).joined(separator: ", ")
    throw UserError(
      .badCall, operation: "publishing", path: site.root.path,
      reason: "cycle \(absent), given with --reinstate, is not in the site",
      suggestion: "Name one of its cycles: \(held.isEmpty ? "it has none" : held).")
  }

  /// Only cycles that passed the validation of this version are published.
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

  /// The products of all cycles that passed the validation of this version.
  var checkedProducts: [Product] {
    manifests.sorted { $0.key < $1.key }.map(\.value)
      .filter { (try? check($0)) != nil }.flatMap { CycleProducts($0.manifest).all }
  }

  /// Returns the file if the site has it at its full size. Its hash is verified when it is sent.
  func file(_ reference: FileReference) -> URL? {
    let file = site.root.appending(path: reference.path)
    return file.isRegularFile && file.byteCount == reference.bytes ? file : nil
  }

  /// Returns the report and the change pages of a cycle.
  func pages(of cycle: AiracCycle) throws -> [(name: String, data: Data)] {
    let folder = site.folder(of: cycle)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0 != "manifest.json" && SiteFolder.isPage($0) }
      .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
  }

  private static func refusal(_ file: URL, _ problem: String) -> UserError {
    UserError(
      .refused, operation: "publishing", path: file.path, reason: problem,
      suggestion: "Stage that cycle again. Nothing was published.")
  }
}
