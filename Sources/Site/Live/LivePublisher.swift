public import Core
internal import CryptoIO
public import Foundation

/// Publishes snapshots: writes `live.json` and its files. A snapshot stays listed until it expires or a newer one replaces it, so that
/// a failed fetch never replaces it by an empty one.
///
/// No lease is necessary: files are named by their hashes, and the catalogue is written only if it is still the one that was read.
public struct LivePublisher {
  let store: any WritableObjectStore
  let options: PublishOptions
  /// What was published from this work folder.
  let serials: PublishedSerials
  let progress: any ProgressReporter

  static let channel = SiteChannel.live
  private static let rounds = 5
  private static let operation = "publishing the snapshots to"
  /// The longest difference between two clocks, in seconds. What a publisher fetched later than that has a wrong time.
  static let clockTolerance = 300
  /// How long the catalogue is valid if it lists no snapshot, in seconds.
  private static let emptyTerm = 900

  /// - Parameter site: the staged site, which remembers what was published.
  public init(
    _ target: PublishTarget, _ options: PublishOptions, from site: URL, progress: any ProgressReporter
  ) {
    (store, self.options, self.progress) = (target.store(for: LivePublisher.channel), options, progress)
    serials = PublishedSerials(
      file: site.appending(path: "live/.published.json"), target: store.address)
  }

  /// - Parameters:
  ///   - snapshots: those that the sources give now, with their files.
  ///   - ids: of all snapshots that this run makes if it can.
  public func publish(_ snapshots: [PlacedProduct], of ids: [String]) throws -> LiveReport {
    for _ in 0..<LivePublisher.rounds {
      try CancellationToken.current.check()
      let report = try Unreadable.explained({ problem in
        UserError(
          .failed, operation: LivePublisher.operation, path: store.name, reason: problem,
          suggestion: "The next turn tries again.")
      }) { try attempt(snapshots, ids) }
      if let report { return report }
    }
    throw UserError(
      .failed, operation: LivePublisher.operation, path: store.name,
      reason:
        "other publishers changed \(LivePublisher.channel.path) \(LivePublisher.rounds) times meanwhile",
      suggestion: "Find out who publishes there. The next turn tries again.")
  }

  /// Returns nil if another publisher changed the catalogue meanwhile.
  private func attempt(_ snapshots: [PlacedProduct], _ ids: [String]) throws -> LiveReport? {
    let now = options.clock.now()
    let stored = try store.read(LivePublisher.channel.path)
    let (before, last) = try verified(stored)
    let objects = try store.list("live/")
    let merge = LiveMerge(before: before?.catalogue, now: now)
    var (catalogue, chosen) = merge.catalogue(snapshots, of: ids)
    var report = LiveReport(catalogue, in: store.name)
    if let before, merge.isSame(catalogue) {
      report.serial = before.catalogue.serial
      try LiveRetention(store: store, now: now).retire(objects, keeping: before)
      return report
    }
    catalogue = try sent(catalogue, chosen, beside: before?.catalogue, objects, &report)
    catalogue.serial = try catalogue.serialAfter(last, in: store.name)
    catalogue.term = CatalogueTerm(
      issued: now,
      expires: catalogue.products.map(\.expirationDate).max() ?? now.adding(LivePublisher.emptyTerm))
    let published = try PublishedCatalogue(CatalogueBytes(catalogue.data, of: LivePublisher.channel))
    guard try flip(published, stored?.tag) else { return nil }
    (report.serial, report.changed) = (catalogue.serial, true)
    try? serials.file.deletingLastPathComponent().createFolder()
    serials.keep(catalogue.serial, progress)
    report.removed = try LiveRetention(store: store, now: now).retire(objects, keeping: published)
    return report
  }

  /// Returns what is published if this publisher may extend it, and the highest serial that is known. What cannot be verified is
  /// replaced: snapshots are made anew anyway.
  private func verified(_ stored: TaggedObject?) throws -> (PublishedCatalogue?, last: Int) {
    let trust = CatalogueTrust(options)
    let alias = try store.read(LivePublisher.channel.signature)?.data
    guard options.key != nil || alias == nil else {
      throw UserError(
        .badCall, operation: LivePublisher.operation, path: store.name,
        reason: "its snapshots are signed, and there is no key to sign the new ones with",
        suggestion: "Give --key FILE.")
    }
    let remembered = remembered
    guard let stored else { return (nil, max(remembered, try lastSigned(trust))) }
    do {
      let bytes = try CatalogueBytes(stored.data, of: LivePublisher.channel)
      _ = try trust.adopts(bytes, in: store, LivePublisher.operation)
      let read = try PublishedCatalogue(bytes)
      let serial = read.catalogue.serial
      try Catalog.check(serial, Catalog.serials.contains(serial), in: store.name)
      guard serial >= remembered else {
        throw Unreadable("its serial is \(serial), and \(remembered) was published before")
      }
      return (read, serial)
    } catch {
      let reason = (error as? Unreadable)?.problem ?? (error as? UserError)?.reason ?? error.fileErrorReason
      progress.warn(
        Uploader.step, "\(store.name): \(LivePublisher.channel.path) is replaced, not extended: \(reason)")
      return (nil, max(remembered, try lastSigned(trust)))
    }
  }

  /// What cannot be read is forgotten: a list that stays away for good would be worse than an older one for a turn.
  private var remembered: Int {
    do { return try serials.last() ?? 0 } catch {
      progress.warn(Uploader.step, (error as? UserError)?.line ?? error.fileErrorReason)
      try? FileManager.default.removeItem(at: serials.file)
      return 0
    }
  }

  private func lastSigned(_ trust: CatalogueTrust) throws -> Int {
    trust.verifies ? try trust.lastSerial(of: LivePublisher.channel, in: store) : 0
  }

  // MARK: - Writing

  /// Sends the files of the snapshots that are not there, and returns the catalogue with their places and compressed forms.
  private func sent(
    _ catalogue: Catalog, _ chosen: [PlacedProduct], beside before: Catalog?, _ objects: [ListedObject],
    _ report: inout LiveReport
  ) throws -> Catalog {
    let present = Dictionary(first: objects.map { ($0.key, $0.bytes) })
    let known = Dictionary(
      first: (before?.products ?? []).flatMap(\.files).compactMap { file in
        file.gzip.map { (file.sha256, $0) }
      })
    var catalogue = catalogue
    for place in catalogue.products.indices {
      let id = catalogue.products[place].id
      guard let source = chosen.first(where: { $0.product.id == id }) else { continue }
      for number in catalogue.products[place].files.indices {
        let own = source.product.files[number]
        var file = own
        file.path = BlobPath.of(own.sha256, extension: source.url(of: own).pathExtension, in: "live")
        let body = ObjectBody.file(source.url(of: own), bytes: own.bytes, sha256: own.sha256)
        try send(
          body, FileReference(file), own.mediaType, named: "\(id.itemOfID).\(own.path)", present, &report)
        file.gzip = try gzip(source.url(of: own), own, known[own.sha256], present, &report)
        catalogue.products[place].files[number] = file
      }
    }
    return catalogue
  }

  private func gzip(
    _ url: URL, _ file: Product.File, _ known: FileReference?, _ present: [String: Int],
    _ report: inout LiveReport
  ) throws -> FileReference? {
    if let known, present[known.path] == known.bytes { return known }
    guard let packed = try SiteCompression.packed(url, file) else { return nil }
    let sha256 = try SHA256Hex(of: Array(packed))
    let reference = FileReference(
      path: BlobPath.of(sha256, extension: "gz", in: "live"), sha256: sha256, bytes: packed.count)
    try send(.data(packed), reference, "application/gzip", named: nil, present, &report)
    return reference
  }

  /// Reads the object back: what the catalogue names must be there.
  private func send(
    _ body: ObjectBody, _ file: FileReference, _ mediaType: String, named name: String?,
    _ present: [String: Int], _ report: inout LiveReport
  ) throws {
    if present[file.path] == file.bytes { return }
    try store.put(body, at: file.path, .blob(mediaType, savedAs: name), if: .always)
    guard try store.fingerprint(file.path)?.sha256 == file.sha256 else {
      try? store.remove(file.path)
      throw UserError(
        .failed, operation: LivePublisher.operation, path: store.name,
        reason: "\(file.path): the store returned other bytes than were sent",
        suggestion: "Check the store. The published snapshots are unchanged.")
    }
    report.sent += 1
  }

  /// First the signature under the hash, then the catalogue in one write, then the signature beside it.
  ///
  /// - Returns: whether the catalogue was still the one with the tag.
  private func flip(_ published: PublishedCatalogue, _ tag: ObjectTag?) throws -> Bool {
    let channel = LivePublisher.channel
    let signature = try options.key?.signature(of: published.catalogue, published.data, in: channel)
    if let signature {
      try store.put(.data(signature), at: channel.signature(of: published.sha256), .signature, if: .always)
    }
    let condition = tag.map(PutCondition.isStill) ?? .isAbsent
    let isWritten = try store.put(.data(published.data), at: channel.path, .live, if: condition) != nil
    // A refusal may be the answer to a retry after a success whose answer was lost.
    guard try isWritten || store.read(channel.path)?.data == published.data else { return false }
    if let signature { try store.put(.data(signature), at: channel.signature, .signatureAlias, if: .always) }
    return true
  }
}

/// What one publication of snapshots lists.
struct LiveMerge {
  /// Nil if nothing is published that may be extended.
  let before: Catalog?
  let now: Instant

  /// Of each snapshot the newer one, of this run or listed before, as long as it may be used.
  ///
  /// - Returns: the catalogue, and the chosen snapshots of this run.
  func catalogue(_ snapshots: [PlacedProduct], of ids: [String]) -> (Catalog, chosen: [PlacedProduct]) {
    let listed = (before?.products ?? []).filter(isUsable)
    let chosen = snapshots.filter { own in
      isUsable(own.product)
        && !listed.contains { $0.id == own.product.id && $0.age(own.product) > 0 && $0 != own.product }
    }
    let replaced = Set(chosen.map(\.product.id))
    let products = chosen.map(\.product.inCatalogue) + listed.filter { !replaced.contains($0.id) }
    var catalogue = Catalog(serial: 0, products: products.sorted { $0.id < $1.id })
    let present = Set(products.map(\.id))
    let known = Set((before?.products ?? []).map(\.id) + snapshots.map(\.product.id))
    let earlier = before?.held ?? []
    let missing = Set(ids).union(known).union(earlier.map(\.id)).subtracting(present).sorted()
    catalogue.held =
      missing.isEmpty
      ? nil
      : missing.map { id in
        let wasExpired = known.contains(id) || earlier.contains { $0.id == id && $0.reason == .expired }
        return CycleEntry.Held(id: id, reason: wasExpired ? .expired : .failed)
      }
    return (catalogue, chosen)
  }

  private func isUsable(_ product: Product) -> Bool {
    product.expirationDate > now
      && max(product.fetched ?? product.effectiveDate, product.effectiveDate)
        <= now.adding(LivePublisher.clockTolerance)
  }

  /// Whether the catalogue lists what the one before does, and that one is valid.
  func isSame(_ catalogue: Catalog) -> Bool {
    guard let before, let term = before.term, !term.isExpired(at: now) else { return false }
    return before.held == catalogue.held && before.products.count == catalogue.products.count
      && zip(before.products, catalogue.products).allSatisfy { $0.isSameSnapshot(as: $1) }
  }
}

extension Product {
  /// Positive if this snapshot is newer than another one, negative if it is older.
  fileprivate func age(_ other: Product) -> Int {
    let own = [effectiveDate.secondsSince1970, (fetched ?? effectiveDate).secondsSince1970]
    let others = [
      other.effectiveDate.secondsSince1970, (other.fetched ?? other.effectiveDate).secondsSince1970,
    ]
    return own == others ? 0 : others.lexicographicallyPrecedes(own) ? 1 : -1
  }

  /// Whether both have the same files and times.
  fileprivate func isSameSnapshot(as other: Product) -> Bool {
    id == other.id && age(other) == 0 && expirationDate == other.expirationDate
      && files.map(\.sha256) == other.files.map(\.sha256)
  }
}

/// Removes the files that no listed snapshot names, one hour after they were replaced. Until then, readers of an earlier catalogue find them.
struct LiveRetention {
  let store: any WritableObjectStore
  let now: Instant

  private static let path = "live/replaced.json"
  private static let seconds = 3600

  /// - Parameter objects: those that were there before anything was sent.
  /// - Returns: the number of removed objects.
  @discardableResult
  func retire(_ objects: [ListedObject], keeping published: PublishedCatalogue) throws -> Int {
    let named = Set(
      published.catalogue.productFiles.map(\.reference.path)
        + [LivePublisher.channel.signature(of: published.sha256)])
    let before = replaced()
    var waiting: [String: Instant] = [:]
    var removed = 0
    for object in objects where isOurs(object.key) && !named.contains(object.key) {
      // A time of the future is from a clock that was wrong.
      let since = before[object.key].flatMap { $0 <= now ? $0 : nil } ?? now
      if since.adding(LiveRetention.seconds) > now {
        waiting[object.key] = since
      } else {
        try store.remove(object.key)
        removed += 1
      }
    }
    if waiting != before {
      try store.put(.data(CanonicalJSON.line(waiting)), at: LiveRetention.path, .live, if: .always)
    }
    return removed
  }

  private func isOurs(_ key: String) -> Bool {
    BlobPath.isValid(key) || LivePublisher.channel.signed(at: key) != nil
  }

  private func replaced() -> [String: Instant] {
    let data = try? store.data(LiveRetention.path, limit: largestDocument)?.data
    return data.flatMap { try? JSONDecoder().decode([String: Instant].self, from: $0) } ?? [:]
  }
}

/// What a publication of snapshots did.
public struct LiveReport: Encodable, Equatable, Sendable {
  public struct Snapshot: Encodable, Equatable, Sendable {
    public var id: String
    public var observed: Instant
    public var fetched: Instant?
    public var expires: Instant
  }

  public var target: String
  public var serial = 0
  public var changed = false
  public var snapshots: [Snapshot]
  /// The ids of those that are not published, since they expired or could not be made.
  public var held: [String]
  public var sent = 0
  public var removed = 0

  init(_ catalogue: Catalog, in target: String) {
    self.target = target
    snapshots = catalogue.products.map {
      Snapshot(id: $0.id, observed: $0.effectiveDate, fetched: $0.fetched, expires: $0.expirationDate)
    }
    held = (catalogue.held ?? []).map(\.id)
  }

  public var text: String {
    let lines = snapshots.map { "  \($0.id)  observed \($0.observed), to be used until \($0.expires)\n" }
    let missing = held.map { "  \($0)  unconfirmed: it expired or could not be made\n" }
    return "\(target): serial \(serial)\(changed ? "" : ", unchanged"), \(Counts.of(sent, "file")) sent\n"
      + (lines + missing).joined()
  }
}
