internal import Core
public import Foundation

/// The retention rule: what a site keeps. It has two parts.
///
/// - **Editions.** A catalogue lists the current and the previous edition of each product until the next one takes effect:
///   `editions(of:beside:at:)`.
/// - **Files.** A site keeps all files that its catalogue or the catalogue before it names: `keeps(_:)`. The earlier ones serve
///   rollbacks and the readers of the earlier catalogue, and stay until the next flip.
///
/// All other files that chartpipe wrote below `blobs/`, `signatures/`, `cycles/` and `charts/` are deleted after a flip, by the publisher
/// at a target, and by `prune` in a staged site or a mirror. Files with names that chartpipe never gives stay.
public struct Retention {
  /// Nothing else in a site is ever deleted.
  static let prefixes = ["blobs/", "cycles/", "signatures/", WebMap.folder]

  private let named: Set<String>
  private let keepsSignatures: Bool
  private let pages: Set<String>

  /// - Parameters:
  ///   - catalogue: the one that the site will have.
  ///   - sha256: of that catalogue; nil if all signatures stay, for the readers of catalogues that it has renewed.
  ///   - replaced: the catalogue before it; nil if there is none or if it is lost.
  ///   - pages: the list that the catalogue names; nil for catalogues of earlier versions, of which the pages stay that follow from the
  ///     catalogue.
  ///   - before: the list before it. Its pages of cycles that the catalogue does not have stay.
  init(
    _ catalogue: Catalog, sha256: SHA256Hex?, replaced: PublishedCatalogue?, pages list: PageList?,
    before: PageList?
  ) {
    let catalogues = [catalogue, replaced?.catalogue].compactMap(\.self)
    let files = catalogues.flatMap { $0.productFiles + $0.ownFiles }.map(\.reference.path)
    let signed = [sha256, replaced?.sha256].compactMap(\.self).map(PublishedCatalogue.signature)
    keepsSignatures = sha256 == nil
    named = Set(files + signed + [catalogue.replaces?.path, list?.replaces?.path].compactMap(\.self))
    let listed = Set(catalogue.entries.map(\.id))
    let dropped = (before?.files ?? []).filter { page in
      SiteFolder.page(at: page.path).map { !listed.contains($0.cycle) } ?? false
    }
    let derived = WebMap(catalogue).paths.union(listed.map { "cycles/\($0)/manifest.json" })
    pages = Set(dropped.map(\.path)).union(list?.files.map(\.path) ?? Array(derived))
  }

  /// Whether an object below one of the `prefixes` stays.
  func keeps(_ key: String) -> Bool {
    if PageList.isPage(key) { return pages.contains(key) }
    if SiteChannel.cycles.signed(at: key) != nil { return keepsSignatures || named.contains(key) }
    return named.contains(key) || !BlobPath.isValid(key)
  }

  // MARK: - Pruning a folder

  /// Prunes the site of a work folder.
  ///
  /// - Returns: the number of deleted files.
  public static func prune(staged root: URL) throws -> Int {
    let site = SiteFolder(root: root)
    guard site.catalogue.kindOnDisk == .file else { return 0 }
    return try site.withLock {
      guard let catalogue = try site.readCatalogue() else { return 0 }
      return try prune(FolderStore(root: root), after: catalogue)
    }
  }

  /// - Returns: the number of deleted files.
  static func prune(_ store: FolderStore, after read: PublishedCatalogue) throws -> Int {
    let list = read.catalogue.pages.flatMap { try? PageList.read($0, in: store) }
    let retention = Retention(
      read.catalogue, sha256: read.sha256, replaced: try? read.replaced(in: store), pages: list,
      before: list?.replaced(in: store))
    let unused = try prefixes.flatMap(store.list).filter { !retention.keeps($0.key) }
    for object in unused { try store.removeThroughLinks(object.key) }
    return unused.count
  }

  // MARK: - Editions

  /// Returns the earlier editions that a catalogue lists besides the editions of its cycles.
  ///
  /// A candidate is of an earlier cycle than all of the catalogue's: what a listed cycle no longer has was withdrawn.
  static func editions(
    of candidates: [Product], beside cycles: [ListedCycle], at now: Instant
  ) -> [Product] {
    guard let first = cycles.map(\.cycle).min() else { return [] }
    let listed = cycles.flatMap(\.products.all)
    let earlier = candidates.filter { $0.cycle < first }
    return Set(earlier.map(\.id)).sorted().flatMap { id in
      kept(of: earlier.filter { $0.id == id }, beside: listed.filter { $0.id == id }, before: first, at: now)
    }
  }

  /// The cycles of a catalogue cover neighbouring periods of 28 days. A chart changes every 56 days, so in the second half of its
  /// edition no listed cycle has the previous edition.
  ///
  /// - Parameters:
  ///   - earlier: the candidates of one product.
  ///   - listed: the editions of the same product in the catalogue's cycles.
  ///   - first: the earliest of these cycles.
  private static func kept(
    of earlier: [Product], beside listed: [Product], before first: AiracCycle, at now: Instant
  ) -> [Product] {
    let started = (earlier + listed).filter { $0.effectiveDate <= now }
      .sorted { ($0.effectiveDate, $0.cycle) < ($1.effectiveDate, $1.cycle) }
    guard let current = started.last else { return [] }
    let previous = started.last { $0.effectiveDate < current.effectiveDate }
    var kept = [previous]
    if !listed.contains(where: { $0.cycle == current.cycle }) {
      // The product ended, or was not published lately.
      let end = current.expirationDate
      let successorEnd = end.adding(end.secondsSince1970 - current.effectiveDate.secondsSince1970)
      kept = now < end ? [previous, current] : now < successorEnd ? [current] : []
    }
    return kept.compactMap(\.self).filter { $0.cycle < first }
  }
}
