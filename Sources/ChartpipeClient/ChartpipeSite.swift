public import Foundation

/// A published site whose catalogue was verified, and the downloads of its files.
///
/// ```swift
/// let site = try await ChartpipeSite.open(address, key: PublicKey("RWRKjMfeSoqHb…"), state: folder.appending(path: "catalog.state"))
/// for region in site.catalog.chartRegions(at: .now) {
///   try await site.download(region, to: folder.appending(path: region.fileName))
/// }
/// ```
///
/// An app with a network of its own, such as background downloads of iOS, uses ``Signature``, ``DownloadPlan`` and
/// ``SiteFile/check(_:)`` instead.
public struct ChartpipeSite: Sendable {
  /// The folder of `catalog.json`, with a slash at its end.
  public let url: URL
  public let catalog: Catalog
  /// The hash of the channel's file.
  public let sha256: String
  private let requester: Requester

  /// Reads the catalogue of a site, and verifies its signature before it decodes anything.
  ///
  /// The server sends the catalogue only if it has changed since the last call.
  ///
  /// - Parameters:
  ///   - url: The folder of `catalog.json`.
  ///   - key: The publisher's key. Nil reads an unsigned site, whose host you must trust.
  ///   - state: A file of this publisher in which the catalogue is remembered, so that an older one is rejected, as by
  ///     `chartpipe verify --state`. Keep it for as long as the app is installed. Each channel needs its own.
  ///   - channel: The list to read. See ``Catalog/snapshot(_:at:)`` for the live one.
  public static func open(
    _ url: URL, key: PublicKey?, state: URL, channel: Catalog.Channel = .cycles,
    network: NetworkOptions = NetworkOptions()
  ) async throws -> ChartpipeSite {
    let reader = CatalogReader(
      folder: try folderURL(url), channel: channel, key: key, requester: Requester(network))
    let saved = try reader.saved(in: state)
    let read = try await reader.read(saved)
    let site = try ChartpipeSite(reader, read)
    try saved?.checkOrder(
      of: site.catalog, sha256: site.sha256, operation: "opening \(site.url.absoluteString)")
    try SavedCatalog(site.catalog, read.data, read.version, signature: read.signature).write(to: state)
    return site
  }

  /// Returns the catalogue of the last `open` without the network, verified again; nil before the first one.
  public static func saved(
    _ url: URL, key: PublicKey?, state: URL, channel: Catalog.Channel = .cycles,
    network: NetworkOptions = NetworkOptions()
  ) throws -> ChartpipeSite? {
    let reader = CatalogReader(
      folder: try folderURL(url), channel: channel, key: key, requester: Requester(network))
    guard let saved = try reader.saved(in: state) else { return nil }
    let site = try ChartpipeSite(reader, try reader.copy(in: saved))
    try saved.checkOrder(of: site.catalog, sha256: site.sha256, operation: "reading \(state.path)")
    return site
  }

  private init(_ reader: CatalogReader, _ read: CatalogReader.Result) throws {
    url = reader.folder
    sha256 = read.version.sha256
    requester = reader.requester
    let operation = "reading \(reader.address.absoluteString)"
    do {
      catalog = try Catalog(json: read.data)
    } catch {
      throw ChartpipeError(error.code, operation, error.reason, error.suggestion)
    }
    guard reader.channel.contains(catalog) else {
      throw ChartpipeError(
        .invalid, operation, "it is a catalogue of another channel", "Do not trust the server")
    }
  }

  private static func folderURL(_ url: URL) throws(ChartpipeError) -> URL {
    let operation = "opening \(url.absoluteString)"
    guard ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false else {
      throw ChartpipeError(.invalid, operation, "it is not a complete address", "Use https://…")
    }
    guard url.query == nil, url.fragment == nil else {
      throw ChartpipeError(
        .invalid, operation, "it has a query or a fragment", "Use the address of the folder")
    }
    return url.absoluteString.hasSuffix("/") ? url : url.appendingPathComponent("", isDirectory: true)
  }

  /// Downloads a file of the site to a path. Nothing happens if the path already has this file.
  ///
  /// The bytes go to a file with the suffix `.part` beside the path, so a download continues after an error, a cancellation or a crash.
  /// The path changes only by a rename, after size and hash are verified.
  ///
  /// - Parameters:
  ///   - file: A region, a product's file or the manifest of a cycle.
  ///   - unpacking: Whether to download the gzip of the file if there is one.
  ///   - progress: Called on a background thread as bytes arrive.
  public func download(
    _ file: some SiteFile, to target: URL, unpacking: Bool = true,
    progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
  ) async throws {
    guard (try? file.check(target)) == nil else { return }
    let form = unpacking ? file.smallestForm : file
    let operation = "downloading \(form.path)"
    do {
      let folder = target.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let transfer = try Transfer(
        form, from: url.appendingPathComponent(form.path), to: target, requester, progress: progress)
      defer { transfer.end() }
      let isPacked = form.sha256 != file.sha256
      try checkSpace(of: folder, for: transfer.missingBytes + (isPacked ? file.bytes : 0), operation)
      do {
        try await transfer.run()
      } catch let error as ChartpipeError where error.code == .integrity {
        try transfer.finish { $0.remove() }
        throw error
      }
      try transfer.finish { part in
        guard isPacked else { return try part.publish(as: target) }
        try Gunzip(file: file).unpack(part.url, to: target)
        part.remove()
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw ChartpipeError(fileError: error, operation)
    }
  }

  private func checkSpace(of folder: URL, for bytes: Int, _ operation: String) throws {
    guard let free = folder.freeBytes, free < bytes else { return }
    throw ChartpipeError.full(operation, "it needs \(bytes) bytes, and the disk has \(free) bytes free")
  }
}

extension SiteFile {
  /// The file or its gzip.
  fileprivate var smallestForm: any SiteFile {
    guard let gzip, gzip.bytes < bytes else { return self }
    return gzip
  }
}
