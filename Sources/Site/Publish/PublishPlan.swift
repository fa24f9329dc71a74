internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

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
  let pages: [Upload]
  /// Nil if the catalogue is not to be signed.
  let signature: Data?
  /// `regions.json`, `latest.json`, `feed.xml`, `index.html` and the descriptions of maps. They describe the catalogue, so they are written after it.
  let rootPages: [Upload]
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
      (blobs + pages + [try signatureUpload].compactMap(\.self)).filter { $0.state != .present }
    }
  }

  /// Whether there is nothing to do.
  var isIdle: Bool {
    get throws {
      try !isChanged && uploads.isEmpty && removals.isEmpty && !needsAlias
        && rootPages.allSatisfy { $0.state == .present }
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
    /// By cycle; a cycle that is not here keeps its pages.
    var pages: [String: Pages] = [:]
  }

  struct Pages {
    var files: [(name: String, data: Data)]
    /// Whether all other pages of the cycle are out of date.
    var areAll: Bool
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
    let regions = try addRegions(to: &catalogue, &content)
    // Bytes that nobody signed are not signed as they are.
    let isChanged = target.adopted != nil || target.catalogue.map { !catalogue.listsTheSame(as: $0) } ?? true
    (catalogue.serial, catalogue.replaces) = (target.serial, target.catalogue?.replaces)
    if isChanged {
      catalogue.serial = try catalogue.serialAfter(serial, in: target.name)
      catalogue.replaces = addReplaced(&content)
    }
    let data = try isChanged ? catalogue.data : target.published?.data ?? Data()
    let blobs = try blobs(of: catalogue, content)
    let pages = try pages(of: catalogue, content)
    let (removals, doubt) =
      options.keepsOld ? ([], nil) : try self.removals(catalogue, data, isChanged, content)
    return PublishPlan(
      target: target, catalogue: catalogue, data: data, isChanged: isChanged, blobs: blobs, pages: pages,
      signature: try options.key?.signature(of: catalogue, data),
      rootPages: try rootPages(of: catalogue, data, regions: regions), removals: removals, doubt: doubt,
      adopted: target.adopted ?? [])
  }

  /// Whether all files of an edition are at the target or on this machine.
  private func isAvailable(_ product: Product, _ content: Content) -> Bool {
    product.allFiles.allSatisfy { file in
      target.objects[file.path] == file.bytes || content.file(FileReference(file)) != nil
    }
  }

  /// Names the list of regions in the catalogue, and returns its bytes.
  private func addRegions(to catalogue: inout Catalog, _ content: inout Content) throws -> Data {
    let list = try RegionList(catalogue, in: target.name)
    let (data, reference) = (try list.data, try list.reference())
    catalogue.regions = reference
    content.data[reference.path] = data
    return data
  }

  private func addReplaced(_ content: inout Content) -> FileReference? {
    guard let present = target.published else { return nil }
    let path = BlobStore.path(present.sha256, extension: "json")
    content.data[path] = present.data
    return FileReference(path: path, sha256: present.sha256, bytes: present.data.count)
  }

  /// An object of the full size counts as present. The publisher reads it back unless the catalogue in force names it.
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
      let state: Upload.State = present == reference.bytes ? .present : present == nil ? .new : .changed
      guard body != nil || state == .present else { throw missing(file) }
      return Upload(file, body, state: state, isPublished: published.contains(reference.path))
    }.sorted { $0.key < $1.key }
  }

  private func pages(of catalogue: Catalog, _ content: Content) throws -> [Upload] {
    try catalogue.entries.flatMap { entry in
      try (content.pages[entry.id]?.files ?? []).map { name, data in
        let key = "cycles/\(entry.id)/\(name)"
        var state = Upload.State.new
        if let bytes = target.objects[key] {
          let isSame = try bytes == data.count && store.read(key)?.data == data
          state = isSame ? .present : .changed
        }
        return try Upload(data, at: key, .page(name), state: state)
      }
    }
  }

  private func rootPages(of catalogue: Catalog, _ data: Data, regions: Data) throws -> [Upload] {
    let copies = try RootCopies(catalogue, data, regions: regions, site: options.siteURL).files
      .map { ($0.name, $0.data) }
    let feed = (CycleFeed.path, CycleFeed(catalogue, site: options.siteURL).data)
    return try (copies + [feed]).map { path, data in
      let present = try store.read(path)?.data
      return try Upload(
        data, at: path, path == CycleFeed.path ? .feed : .page(path),
        state: present == nil ? .new : present == data ? .present : .changed)
    }
  }

  /// Applies the retention rule. Removes nothing, and says why, if the catalogue before is lost.
  private func removals(
    _ catalogue: Catalog, _ data: Data, _ isChanged: Bool, _ content: Content
  ) throws -> (removals: [ListedObject], doubt: String?) {
    var replaced = isChanged ? target.published : nil
    if !isChanged, let file = catalogue.replaces {
      do {
        replaced = try target.published?.replaced(in: store)
        if let replaced {
          _ = try target.trust.adopted(replaced, isReplaced: true, in: store, "publishing to")
        }
      } catch let error as UserError where error.kind == .refused {
        return ([], "\(error.reason), so nothing is removed")
      } catch let error as Unreadable {
        let reason = "the catalogue before this one, \(file.path), cannot be used (\(error.problem))"
        return ([], "\(reason), so nothing is removed")
      }
    }
    let retention = Retention(
      catalogue, sha256: try SHA256Hex(of: Array(data)), replaced: replaced,
      pages: content.pages.filter(\.value.areAll).mapValues { Set($0.files.map(\.name)) })
    let unused = target.objects.filter { !retention.keeps($0.key) }
    return (unused.map { ListedObject(key: $0.key, bytes: $0.value) }.sorted { $0.key < $1.key }, nil)
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

  /// - Parameter cycle: the last cycle to list; nil to list what the catalogue before the present one listed.
  func plan(to cycle: AiracCycle?, _ options: PublishOptions) throws -> PublishPlan {
    guard let present = target.catalogue else { throw error("nothing is published there") }
    let now = options.clock.now()
    let (before, adopted) = cycle == nil ? try replaced(by: present) : (present, [])
    let wanted = try cycle.map { try cycles(upTo: $0) } ?? before.listedCycles(in: target.name)
    var catalogue = Catalog(serial: 0, listing: wanted, beside: before.products, at: now)
    // The regions follow from the products, and the withdrawals from the rollback.
    (catalogue.regions, catalogue.withdrawn) = (present.regions, present.withdrawn)
    if cycle == nil, catalogue.listsTheSame(as: present) {
      throw error("the catalogue before this one listed the same, so there is nothing to roll back")
    }
    // Where no cycle is withdrawn, nothing changes, not even records that are old by now.
    let isSame = cycle != nil && wanted.count == target.cycles.count
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

  private func cycles(upTo last: AiracCycle) throws -> [ListedCycle] {
    guard target.cycles.contains(where: { $0.cycle == last }) else {
      let listed = target.cycles.map(\.entry.id).joined(separator: ", ")
      throw error("cycle \(last) is not published there; \(listed.isEmpty ? "no cycle is" : "\(listed) are")")
    }
    return target.cycles.filter { $0.cycle <= last }
  }

  private func replaced(by present: Catalog) throws -> (Catalog, [AdoptedCycle]) {
    guard let reference = present.replaces else { throw error("its catalogue is the first one") }
    do {
      let replaced = try PublishedCatalogue(store.data(of: reference))
      let adopted = try target.trust.adopted(replaced, isReplaced: true, in: store, "rolling back")
      return (replaced.catalogue, adopted ?? [])
    } catch let unreadable as Unreadable {
      throw error(
        "the catalogue before this one, \(reference.path), cannot be used: \(unreadable.problem)")
    }
  }

  /// The pages of a cycle whose manifest changes belong to the other manifest.
  private func content(_ catalogue: Catalog, _ present: Catalog) throws -> PublishPlanner.Content {
    var content = PublishPlanner.Content()
    for entry in catalogue.entries
    where !present.entries.contains(where: { $0.manifest == entry.manifest }) {
      do {
        let data = try store.data(of: entry.manifest)
        content.pages[entry.id] = .init(files: [("manifest.json", data)], areAll: true)
      } catch is Unreadable {}  // the plan reports a missing manifest
    }
    return content
  }

  private func error(_ problem: String) -> UserError {
    UserError(
      .badInput, operation: "rolling back", path: target.name, reason: problem,
      suggestion: "Nothing was changed. Publish a site that contains what you want.")
  }
}
