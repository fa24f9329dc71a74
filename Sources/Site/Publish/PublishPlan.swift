internal import Core
internal import CryptoIO
internal import Foundation

/// An object that the target needs, and whether it has to be sent.
struct Upload: Sendable {
  enum State: String, Codable, Sendable {
    case new, changed
    /// The target has it already.
    case present
  }

  var key: String
  var bytes: Int
  var sha256: SHA256Hex
  /// Nil if the target has the object and the site does not.
  var body: ObjectBody?
  var headers: ObjectHeaders
  var state: State
  /// Whether the catalogue in force names it, so its hash was compared before.
  var isPublished = false
  /// Whether the target has an object in its place that no catalogue names, so another publisher may be about to remove it.
  var replacesUnused = false

  init(_ data: Data, at key: String, _ headers: ObjectHeaders, state: State) throws {
    (self.key, self.headers, self.state) = (key, headers, state)
    (bytes, sha256, body) = (data.count, try SHA256Hex(of: Array(data)), .data(data))
  }

  init(_ file: NamedFile, _ body: ObjectBody?, state: State, isPublished: Bool) {
    (key, bytes, sha256) = (file.reference.path, file.reference.bytes, file.reference.sha256)
    (self.body, self.state, headers) = (body, state, .blob(file.mediaType, savedAs: file.downloadName))
    self.isPublished = isPublished
  }
}

/// Everything that a publication or a rollback will do. Making it changes nothing.
struct PublishPlan {
  let target: TargetState
  /// The catalogue after the flip; the present one if nothing changes.
  let catalogue: Catalog
  let data: Data
  let isChanged: Bool
  /// All files that the catalogue names.
  var blobs: [Upload]
  /// The pages that this machine has, and `latest.json`. They are written after the catalogue, which names their hashes.
  let pages: [Upload]
  /// Nil if the catalogue is not to be signed.
  let signature: Data?
  var removals: [ListedObject]
  /// Why nothing is removed; nil if objects may be removed.
  let doubt: String?
  /// The cycles of the site that the catalogue does not list.
  var unsent: [UnsentCycle] = []
  /// The withdrawn cycles that are published again.
  var returning: [ReturningCycle] = []
  /// What an unsigned catalogue lists that is signed for the first time.
  var adopted: [AdoptedCycle]

  var signatureUpload: Upload? {
    get throws {
      guard let signature else { return nil }
      let key = try SigningKey.path(of: data)
      let isPresent = !isChanged && target.ownSignature == signature
      let state: Upload.State = isPresent ? .present : target.objects[key] == nil ? .new : .changed
      return try Upload(signature, at: key, .signature, state: state)
    }
  }

  var needsAlias: Bool { signature != nil && signature != target.signature }

  var uploads: [Upload] {
    get throws {
      (blobs + [try signatureUpload].compactMap(\.self)).filter { $0.state != .present }
    }
  }

  /// Whether there is nothing to do.
  var isIdle: Bool {
    get throws {
      try !isChanged && uploads.isEmpty && removals.isEmpty && !needsAlias
        && pages.allSatisfy { $0.state == .present }
    }
  }
}

/// Makes a plan: compares the cycles that are to be listed with the state of the target.
struct PublishPlanner {
  let target: TargetState
  let store: any WritableObjectStore
  let now: Instant
  let options: PublishOptions
  /// What the catalogue records as withdrawn.
  let withdrawn: [WithdrawnCycle]

  /// What the cycles need besides the files that the target has.
  struct Content {
    /// Small files by their keys.
    var data: [String: Data] = [:]
    /// Finds the file of a product on this machine.
    var file: (FileReference) -> URL? = { _ in nil }
    /// By cycle, and whether all other pages of the cycle are out of date; a cycle that is not here keeps its pages.
    var pages: [AiracCycle: (files: [(name: String, data: Data)], areAll: Bool)] = [:]

    /// Adds a JSON document as a blob.
    mutating func add(_ data: Data) throws -> FileReference {
      let file = try FileReference(blob: data)
      self.data[file.path] = data
      return file
    }
  }

  /// - Parameters:
  ///   - editions: of other cycles; the previous edition of each product stays.
  ///   - serial: of another known catalogue, which the new serial has to exceed.
  func plan(
    _ cycles: [ListedCycle], beside editions: [Product], above serial: Int, _ content: Content
  ) throws -> PublishPlan {
    var content = content
    var catalogue = Catalog(
      serial: 0, listing: cycles, beside: editions.filter { isAvailable($0, content) }, at: now)
    catalogue.withdrawn = withdrawn.isEmpty ? nil : withdrawn
    let (pages, list) = try addLists(to: &catalogue, &content)
    let hasNewOffer = target.catalogue.map { !catalogue.listsTheSame(as: $0) } ?? true
    // An adopted catalogue is written anew: its unsigned bytes are not signed.
    let isChanged =
      target.adopted != nil || hasNewOffer || options.renews || catalogue.pages != target.catalogue?.pages
      || target.catalogue?.term?.isDueForRenewal(at: now) ?? true
    (catalogue.serial, catalogue.term) = (target.serial, target.catalogue?.term)
    // A rollback from a renewed catalogue leads to the offer before, too.
    catalogue.replaces =
      try hasNewOffer ? target.published.map { try content.add($0.data) } : target.catalogue?.replaces
    if isChanged {
      catalogue.serial = try catalogue.serialAfter(serial, in: target.name)
      catalogue.term = CatalogueTerm(
        from: now, listing: catalogue.entries.map(\.id).max(), lasting: options.validSeconds)
    }
    let data = try isChanged ? catalogue.data : target.published?.data ?? Data()
    if isChanged {
      // No reader may refuse what is published, such as a catalogue of more than 4 MB.
      _ = try PublishedCatalogue(
        data, in: target.name,
        suggestion: "Publish fewer products at one address. The published site is unchanged.")
    }
    let sha256 = try SHA256Hex(of: Array(data))
    let latest = (name: LatestAnswer.path, data: try LatestAnswer(catalogue, sha256: sha256).data)
    let (removals, doubt) =
      options.keepsOld ? ([], nil) : try self.removals(catalogue, sha256, list, hasNewOffer)
    return PublishPlan(
      target: target, catalogue: catalogue, data: data, isChanged: isChanged,
      blobs: try blobs(of: catalogue, content), pages: try (pages + [latest]).map(upload),
      signature: try options.key?.signature(of: catalogue, data), removals: removals, doubt: doubt,
      adopted: target.adopted ?? [])
  }

  /// Whether all files of an edition are at the target or on this machine.
  private func isAvailable(_ product: Product, _ content: Content) -> Bool {
    product.allFiles.allSatisfy { file in
      target.objects[file.path]?.bytes == file.bytes || content.file(FileReference(file)) != nil
    }
  }

  /// Names the list of regions and the list of pages in the catalogue. Returns the pages that this machine has, and the list of all.
  private func addLists(
    to catalogue: inout Catalog, _ content: inout Content
  ) throws -> (pages: [(name: String, data: Data)], list: PageList) {
    let regions = try RegionList(catalogue, in: target.name).data
    catalogue.regions = try content.add(regions)
    var pages = try catalogue.copies(regions: regions, site: options.siteURL)
    for entry in catalogue.entries {
      pages += (content.pages[entry.id]?.files ?? []).map { ("cycles/\(entry.id)/\($0.name)", $0.data) }
    }
    let own = try pages.map { try FileReference($0.data, at: $0.name) }
    // Unsigned pages are not adopted.
    let signed = target.adopted == nil ? target.catalogue?.pages : nil
    let published = signed.flatMap { try? PageList.read($0, in: store) }
    var list = PageList(try own + kept(of: published, beside: own, catalogue, content))
    list.replaces = list.files == published?.files ? published?.replaces : target.catalogue?.pages
    catalogue.pages = try content.add(list.data)
    return (pages, list)
  }

  /// Returns the pages at the target of cycles of which this machine does not have all pages. They are known from the published list, or
  /// are copies of manifests that the catalogue names: nobody else can have a page signed.
  private func kept(
    of published: PageList?, beside own: [FileReference], _ catalogue: Catalog, _ content: Content
  ) throws -> [FileReference] {
    let present = Set(own.map(\.path))
    let manifests = catalogue.entries.map { entry in
      FileReference(
        path: "cycles/\(entry.id)/manifest.json", sha256: entry.manifest.sha256, bytes: entry.manifest.bytes)
    }
    let known = manifests + (published?.files ?? []).filter { !manifests.map(\.path).contains($0.path) }
    return try known.filter { page in
      guard let (cycle, _) = SiteFolder.page(at: page.path), !present.contains(page.path),
        options.keepsOld || catalogue.entries.contains(where: { $0.id == cycle }),
        content.pages[cycle]?.areAll != true, target.objects[page.path]?.bytes == page.bytes
      else { return false }
      return try !options.checks || store.fingerprint(page.path)?.sha256 == page.sha256
    }
  }

  /// An object of the full size counts as present, unless another publisher may remove it. The publisher reads it back unless the
  /// catalogue in force names it.
  private func blobs(of catalogue: Catalog, _ content: Content) throws -> [Upload] {
    var files = try catalogue.namedFiles(in: target.name)
    if let replaced = catalogue.replaces, content.data[replaced.path] != nil {
      files.append(NamedFile(reference: replaced, mediaType: "application/json", owner: "the catalogue"))
    }
    let published = target.namedFiles
    var seen: Set<String> = []
    return try files.filter { seen.insert($0.reference.path).inserted }.map { file in
      let reference = file.reference
      let present = target.objects[reference.path]
      let body: ObjectBody? =
        content.data[reference.path].map { .data($0) }
        ?? content.file(reference).map { .file($0, bytes: reference.bytes, sha256: reference.sha256) }
      let isKept = present.map(target.keeps) ?? false
      let state: Upload.State =
        present == nil ? .new : isKept && present?.bytes == reference.bytes ? .present : .changed
      guard body != nil || state == .present else { throw missing(file) }
      var upload = Upload(file, body, state: state, isPublished: published.contains(reference.path))
      upload.replacesUnused = present != nil && !isKept
      return upload
    }.sorted { $0.key < $1.key }
  }

  private func upload(_ page: (name: String, data: Data)) throws -> Upload {
    let present = try store.read(page.name)?.data
    return try Upload(
      page.data, at: page.name, .page(page.name),
      state: present == nil ? .new : present == page.data ? .present : .changed)
  }

  /// Applies the retention rule. Removes nothing, and says why, if the catalogue before is lost.
  private func removals(
    _ catalogue: Catalog, _ sha256: SHA256Hex, _ list: PageList, _ hasNewOffer: Bool
  ) throws -> (removals: [ListedObject], doubt: String?) {
    var replaced = target.published
    if !hasNewOffer {
      do {
        replaced = try target.published?.replaced(in: store)
        if let replaced {
          _ = try target.trust.adopted(replaced: replaced, in: store, "publishing to")
        }
      } catch let error as UserError where error.kind == .refused {
        return ([], "\(error.reason), so nothing is removed")
      } catch let error as Unreadable {
        let reason =
          "the catalogue before this one, \(catalogue.replaces?.path ?? ""), cannot be used (\(error.problem))"
        return ([], "\(reason), so nothing is removed")
      }
    }
    let retention = Retention(
      catalogue, sha256: hasNewOffer ? sha256 : nil, replaced: replaced, pages: list,
      before: list.replaced(in: store))
    let unused = target.objects.values.filter { !retention.keeps($0.key) }
    if target.published == nil, !unused.isEmpty {
      let others = Counts.of(unused.count, "other file")
      return ([], "there was no catalogue that names the \(others) there, so nothing is removed")
    }
    return (unused.filter { PublishTimes.isOld($0, at: target.time) }.sorted { $0.key < $1.key }, nil)
  }

  private func missing(_ file: NamedFile) -> UserError {
    UserError(
      .badInput, operation: "publishing to", path: target.name,
      reason: "\(file.reference.path), a file of \(file.owner), is not there",
      suggestion: "Publish a site that contains it. The published site is unchanged.")
  }
}

/// Makes the plan of a rollback.
struct RollbackPlanner {
  let target: TargetState
  let store: any WritableObjectStore

  /// - Parameter cycle: the last cycle to list; nil to list what the catalogue before the present one listed, or with `renews` the
  ///   present one.
  func plan(to cycle: AiracCycle?, _ options: PublishOptions) throws -> PublishPlan {
    guard let present = target.catalogue else { throw error("nothing is published there") }
    let now = options.clock.now()
    // A site remembers what was published from it, and here is none.
    let last = try lastReplacedSerial()
    guard last <= present.serial else { throw TargetState.oldCatalogue(present.serial, last, in: store) }
    if options.renews, present.term?.isExpired(at: now) ?? true {
      let problem = present.term.map {
        "its catalogue expired on \($0.expires), so it may be an old one that was put back"
      }
      throw UserError(
        .refused, operation: "renewing", path: target.name,
        reason: problem ?? "its catalogue has no term: it was staged, or published by an earlier version",
        suggestion: "Publish the site again: `chartpipe publish SITE TARGET`.")
    }
    let leadsBack = cycle == nil && !options.renews
    let (before, adopted) = leadsBack ? try replaced(by: present) : (present, [])
    let wanted = try cycle.map { try cycles(upTo: $0) } ?? before.listedCycles
    var catalogue = Catalog(serial: 0, listing: wanted, beside: before.products, at: now)
    // The regions follow from the products, and the withdrawals from the rollback.
    (catalogue.regions, catalogue.withdrawn) = (present.regions, present.withdrawn)
    if leadsBack, catalogue.listsTheSame(as: present) {
      throw error("the catalogue before this one listed the same, so there is nothing to roll back")
    }
    // Where no cycle is withdrawn, nothing changes, not even records that are old by now.
    let isSame = !leadsBack && wanted.count == target.cycles.count
    let withdrawn =
      isSame
      ? present.withdrawn ?? []
      : Withdrawals(target, at: now).after(rollingBackTo: wanted, from: target.cycles, at: now)
    let planner = PublishPlanner(
      target: target, store: store, now: now, options: options, withdrawn: withdrawn)
    var plan = try planner.plan(
      wanted, beside: before.products, above: present.serial, content(catalogue, present))
    plan.adopted += adopted
    return plan
  }

  /// The highest signed serial of a replaced catalogue, which the target keeps; 0 if there is none. A publisher that was killed leaves a
  /// signature without its catalogue, which was never in force.
  private func lastReplacedSerial() throws -> Int {
    guard target.trust.verifies else { return 0 }
    return try target.trust.lastSerial(in: store) { key in
      SiteChannel.cycles.signed(at: key).map { target.objects[BlobPath.of($0, extension: "json")] != nil }
        ?? false
    }
  }

  private func cycles(upTo last: AiracCycle) throws -> [ListedCycle] {
    guard target.cycles.contains(where: { $0.cycle == last }) else {
      let listed = target.cycles.map(\.cycle.identifier).joined(separator: ", ")
      throw error(
        "cycle \(last.dated) is not published there; \(listed.isEmpty ? "no cycle is" : "\(listed) are")")
    }
    return target.cycles.filter { $0.cycle <= last }
  }

  private func replaced(by present: Catalog) throws -> (Catalog, [AdoptedCycle]) {
    guard let reference = present.replaces else { throw error("its catalogue is the first one") }
    return try Unreadable.explained({
      error("the catalogue before this one, \(reference.path), cannot be used: \($0)", .refused)
    }) {
      let replaced = try PublishedCatalogue(store.data(of: reference))
      let adopted = try target.trust.adopted(replaced: replaced, in: store, "rolling back")
      return (replaced.catalogue, adopted ?? [])
    }
  }

  /// The pages of a cycle whose manifest changes belong to the other manifest.
  private func content(_ catalogue: Catalog, _ present: Catalog) throws -> PublishPlanner.Content {
    var content = PublishPlanner.Content()
    for entry in catalogue.entries
    where !present.entries.contains(where: { $0.manifest == entry.manifest }) {
      do {
        let data = try store.data(of: entry.manifest)
        content.pages[entry.id] = ([("manifest.json", data)], true)
      } catch is Unreadable {}  // the plan reports a missing manifest
    }
    return content
  }

  private func error(_ problem: String, _ kind: UserError.Kind = .badInput) -> UserError {
    UserError(
      kind, operation: "rolling back", path: target.name, reason: problem,
      suggestion: "Nothing was changed. Publish a site that contains what you want.")
  }
}
