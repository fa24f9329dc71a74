internal import Core
internal import CryptoIO
internal import Foundation

/// Stages validated products into a locked site. The order keeps the site consistent: blobs first, then the pages and the
/// manifest, and the catalogue last. Until then the old catalogue is valid.
struct Staging {
  let site: SiteFolder
  let admission: StageAdmission
  let progress: any ProgressReporter
  private static let step = "stage"
  private var done = 0

  init(site: SiteFolder, _ admission: StageAdmission, progress: any ProgressReporter) {
    (self.site, self.admission, self.progress) = (site, admission, progress)
  }

  private var request: StageRequest { admission.request }

  private var journal: Journal { request.journal }
  private var blobs: BlobStore {
    BlobStore(site: site, hashes: journal.hashes, linksFiles: request.linksFiles)
  }
  private var cycle: AiracCycle { admission.cycle }

  mutating func run() throws -> StagedSite {
    progress.report(.started(step: Staging.step))
    let old = try site.readCatalogue()?.catalogue
    var manifests = try site.readManifests()
    let earlier = manifests.latestFirst.products(before: cycle)
    let replaced = manifests[cycle]?.manifest
    // A product that could not be built again is missing. That of the earlier run stays published.
    let decided = admission.admitted.map(\.id) + admission.held.map(\.id) + request.missing
    let retained = try replaced?.retained(
      besides: decided, doing: "staging",
      remedy: "Build and stage all products of the cycle in one call.")
    let compression = SiteCompression(
      site, knownFrom: manifests.sorted { $0.key < $1.key }.map(\.value.manifest), journal, progress)
    let staged = try compression.adding(to: addProducts())
    let new = Manifest(
      cycle: cycle, effective: cycle.effective, expires: cycle.expires, products: staged,
      missing: request.missing, failures: request.failures, held: admission.held, notes: request.notes,
      problems: problems(), validation: .init(findings: admission.findings, facts: admission.facts))
    let editions = (replaced.map { CycleProducts($0).all } ?? []) + earlier
    let manifest = new.merged(
      with: replaced, retaining: retained ?? [], beside: editions.filter(isWhole),
      published: request.published)
    report(on: manifest)
    let stored = StoredManifest(manifest: manifest, data: try CanonicalJSON.pretty(manifest))
    manifests[cycle] = stored
    let catalogue = try makeCatalogue(manifests, after: old, at: request.now)
    if !catalogue.entries.contains(where: { $0.id == cycle }) {
      progress.warn(
        Staging.step, "cycle \(cycle) is not in the catalogue, which lists one earlier and one coming cycle")
    }
    try writeReport(of: manifest, against: earlier.map { PlacedProduct($0, in: site.root) })
    advance()
    try site.write(stored.data, to: site.manifest(of: cycle))
    advance()
    try publish(catalogue, after: old, key: request.key)
    advance()
    return finish(manifest)
  }

  /// The ids of the products that this run holds back; earlier runs may have held back others.
  private var heldNow: Set<String> { Set(admission.held.map(\.id)) }

  private func isWhole(_ product: Product) -> Bool {
    product.allFiles.map { FileReference($0) }.allSatisfy(blobs.has)
  }

  /// Reports the findings, and why products are held back.
  private func report(on manifest: Manifest) {
    for finding in admission.findings {
      let accepted = finding.accepted.map { " (accepted: \($0))" } ?? ""
      let place = [finding.product ?? "", finding.where].filter { !$0.isEmpty }.joined(separator: ": ")
      progress.warn(Staging.step, "\(place): \(finding.message)\(accepted)")
    }
    let now = heldNow
    for held in manifest.held ?? [] where now.contains(held.id) {
      progress.report(.failed(step: held.id, fault: admission.error(for: held)))
    }
  }

  /// Writes the signature named by the catalogue's hash before the catalogue, so that a valid one exists at every instant, and
  /// `catalog.json.minisig`, which minisign reads, after it. Increases the serial only when something else changes, so that staging the
  /// same products again changes no byte.
  private func publish(_ catalogue: Catalog, after old: Catalog?, key: SigningKey?) throws {
    var catalogue = catalogue
    let regions = try RegionList(catalogue, in: site.root.path).data
    catalogue.regions = try blobs.add(regions, extension: "json")
    let copies = try catalogue.copies(regions: regions, site: request.siteURL)
    let list = PageList(
      try copies.map { try FileReference($0.data, at: $0.name) } + cyclePages(of: catalogue))
    catalogue.pages = try blobs.add(list.data, extension: "json")
    if let old, old != catalogue { catalogue.serial = try catalogue.serialAfter(0, in: site.root.path) }
    let data = try catalogue.data
    let signature = try key?.signature(of: catalogue, data)
    if let signature {
      let path = try SigningKey.path(of: data)
      try site.write(signature, to: site.root.appending(path: path))
    }
    try site.write(data, to: site.catalogue)
    if let signature { try site.write(signature, to: site.signature) }
    let latest = try LatestAnswer(catalogue, sha256: SHA256Hex(of: Array(data))).data
    for copy in copies + [(name: LatestAnswer.path, data: latest)] {
      try site.write(copy.data, to: site.root.appending(path: copy.name))
    }
    try removeDescriptions(besides: WebMap(catalogue).paths)
  }

  /// The pages of the catalogue's cycles, as they are in the site.
  private func cyclePages(of catalogue: Catalog) throws -> [FileReference] {
    let listed = Set(catalogue.entries.map(\.id))
    return try FolderStore(root: site.root).list("cycles/").compactMap { object in
      guard let (cycle, _) = SiteFolder.page(at: object.key), listed.contains(cycle) else { return nil }
      let sha256 = try journal.hashes.sha256(of: site.root.appending(path: object.key))
      return FileReference(path: object.key, sha256: sha256, bytes: object.bytes)
    }
  }

  /// Removes each TileJSON of another product: it names an archive that the catalogue does not have.
  private func removeDescriptions(besides current: Set<String>) throws {
    let store = FolderStore(root: site.root)
    for object in try store.list(WebMap.folder) where WebMap.isPath(object.key) {
      if !current.contains(object.key) { try store.removeThroughLinks(object.key) }
    }
  }

  /// All files of the products, and the report, the manifest and the catalogue.
  private var total: Int { admission.admitted.map(\.product.files.count).reduce(3, +) }

  private mutating func advance() {
    done += 1
    progress.report(.advanced(step: Staging.step, done: done, total: total, unit: "files"))
  }

  private mutating func addProducts() throws -> [Product] {
    var staged: [Product] = []
    for built in admission.admitted {
      var product = built.product
      for (index, file) in built.product.files.enumerated() {
        try CancellationToken.current.check()
        let (blob, outcome) = try blobs.add(file, from: built.url(of: file))
        product.files[index] = blob
        if outcome == .repaired {
          progress.warn(Staging.step, "\(blob.path) was damaged and has been repaired")
        }
        advance()
      }
      staged.append(product)
    }
    return staged
  }

  private func problems() -> [String: ProblemDigest] {
    Dictionary(admission.admitted.compactMap { built in built.problems.map { (built.product.id, $0) } }) {
      _, last in
      last
    }
  }

  /// Writes the report of the whole cycle, including products that were staged before.
  private func writeReport(of manifest: Manifest, against earlier: [PlacedProduct]) throws {
    let products = manifest.products.map { PlacedProduct($0, in: site.root) }
    let changes = try DatabaseChange.all(of: products, against: earlier, journal)
    for change in changes {
      guard case .failure(let error) = change.difference else { continue }
      let reason = (error as? UserError)?.reason ?? error.fileErrorReason
      progress.warn(Staging.step, "\(change.product.id): the changes cannot be listed: \(reason)")
    }
    let digests = try site.write(changes, of: cycle)
    let page = ReportPage(
      content: ReportContent(manifest, in: site.root, changes: digests), journal: journal)
    try site.write(page.data(progress: progress), to: site.report(of: cycle))
  }

  private func makeCatalogue(
    _ manifests: [AiracCycle: StoredManifest], after old: Catalog?, at now: Instant
  ) throws -> Catalog {
    let listed = manifests.keys.roles(at: now).compactMap { role in role.flatMap { manifests[$0] } }
    try checkBlobs(of: listed.map(\.manifest))
    let cycles = try listed.map { ListedCycle(entry: try entry($0), products: CycleProducts($0.manifest)) }
    // The old catalogue lists editions of cycles whose folders were pruned.
    let known = manifests.sorted { $0.key < $1.key }.map { CycleProducts($0.value.manifest) }
    let editions = (old?.products ?? []) + known.flatMap(\.kept) + known.flatMap(\.own)
    let catalogue = Catalog(
      serial: old?.serial ?? 1, listing: cycles, beside: editions.filter(isWhole), at: now)
    _ = try RegionList(catalogue, in: site.root.path)  // refused before anything is written
    return catalogue
  }

  /// Stores the manifest as a blob too: a cycle that is staged again gets a new manifest, and readers of the old catalogue find
  /// the old one.
  private func entry(_ stored: StoredManifest) throws -> CycleEntry {
    CycleEntry(stored.manifest, in: try blobs.add(stored.data, extension: "json"))
  }

  /// Throws when the catalogue would name a missing file.
  private func checkBlobs(of manifests: [Manifest]) throws {
    for manifest in manifests {
      for product in CycleProducts(manifest).all {
        guard let lost = product.allFiles.first(where: { !blobs.has(FileReference($0)) }) else { continue }
        throw UserError(
          .badInput, operation: "staging into", path: site.root.path,
          reason: "\(lost.path) is missing from the site, a file of \(product.id) of cycle \(manifest.cycle)",
          suggestion: "Stage that product again. The catalogue is unchanged.")
      }
    }
  }

  private func finish(_ manifest: Manifest) -> StagedSite {
    let now = heldNow
    let bytes = manifest.allFiles.map(\.bytes).reduce(0, +)
    progress.finish(Staging.step, "\(Counts.of(manifest.products.count, "product")), \(Counts.bytes(bytes))")
    return StagedSite(
      site: site.root.path, cycle: cycle, products: manifest.products.count, bytes: bytes,
      held: (manifest.held ?? []).filter { now.contains($0.id) }, catalogue: site.catalogue.path,
      report: site.report(of: cycle).path)
  }
}
