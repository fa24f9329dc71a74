public import Foundation

/// What a device has, by the hashes of the files.
public struct DeviceFiles: Equatable, Sendable {
  /// Files that are whole and were checked.
  public var whole: Set<String>
  /// How many bytes of a download have arrived, by the SHA-256 that it will have: of a file, or of a patch.
  public var partial: [String: Int]

  public init(whole: Set<String> = [], partial: [String: Int] = [:]) {
    self.whole = whole
    self.partial = partial
  }
}

/// What has to be downloaded so that a device has some products, and where each download goes on.
///
/// ```swift
/// let plan = DownloadPlan(for: [product], on: device)
/// for step in plan.steps {
///   var request = URLRequest(url: step.url(at: site))
///   if let range = step.range { request.setValue(range, forHTTPHeaderField: "Range") }
/// }
/// ```
public struct DownloadPlan: Equatable, Sendable {
  public struct Step: Equatable, Sendable {
    /// The file that the device will have.
    public var file: Catalog.File
    /// What is downloaded in its place, to be applied to the file that the device has; nil for the whole file.
    public var patch: Catalog.Patch?
    /// The gzip that is downloaded in its place, to be unpacked; nil for the file as it is.
    public var gzip: Catalog.FileReference?
    /// How many of the bytes are there already.
    public var resumesAt: Int

    /// What is downloaded: the file, its compressed form or the patch. Check it before it is unpacked or applied.
    public var download: any SiteFile {
      if let patch { return patch }
      if let gzip { return gzip }
      return file
    }
    public var bytesToGet: Int { download.bytes - resumesAt }
    /// The value of the `Range` header; nil for a download from the start, and for one that only needs to be checked.
    public var range: String? { resumesAt > 0 && bytesToGet > 0 ? "bytes=\(resumesAt)-" : nil }

    /// - Parameter site: the folder of `catalog.json`.
    public func url(at site: URL) -> URL { site.appendingPathComponent(download.path) }
  }

  /// In the order of the products; what two of them share is there once.
  public private(set) var steps: [Step] = []
  /// What is there and needs nothing.
  public private(set) var held: [Catalog.File] = []

  public var bytesToGet: Int { steps.map(\.bytesToGet).reduce(0, +) }
  public var bytesThere: Int { held.map(\.bytes).reduce(0, +) + steps.map(\.resumesAt).reduce(0, +) }

  /// - Parameters:
  ///   - patching: whether the app can apply patches.
  ///   - asPMTiles: take a chart's PMTiles in place of its MBTiles.
  ///   - unpacking: whether the app can unpack gzip.
  public init(
    for products: [Catalog.Product], on device: DeviceFiles, patching: Bool = true, asPMTiles: Bool = false,
    unpacking: Bool = false
  ) {
    var seen: Set<String> = []
    for product in products {
      for file in product.filesToGet(asPMTiles: asPMTiles) where seen.insert(file.sha256).inserted {
        if device.whole.contains(file.sha256) {
          held.append(file)
        } else {
          let patch = patching && file == product.files.first ? product.patch(fromAnyOf: device.whole) : nil
          steps.append(DownloadPlan.cheapest(file, patch, unpacking ? file.gzip : nil, device))
        }
      }
    }
  }

  /// The way with the fewest bytes to get; of equal ones the simplest.
  private static func cheapest(
    _ file: Catalog.File, _ patch: Catalog.Patch?, _ gzip: Catalog.FileReference?, _ device: DeviceFiles
  ) -> Step {
    let ways = [
      Step(file: file, resumesAt: device.arrived(of: file)),
      gzip.map { Step(file: file, gzip: $0, resumesAt: device.arrived(of: $0)) },
      patch.map { Step(file: file, patch: $0, resumesAt: device.arrived(of: $0)) },
    ].compactMap(\.self)
    return ways.dropFirst().reduce(ways[0]) { $1.bytesToGet < $0.bytesToGet ? $1 : $0 }
  }
}

extension DeviceFiles {
  /// A download that is longer than its file is no part of it, and begins anew.
  fileprivate func arrived(of file: some SiteFile) -> Int {
    let count = partial[file.sha256] ?? 0
    return (0...file.bytes).contains(count) ? count : 0
  }
}

/// Why a downloaded file must not be used.
public enum IntegrityError: Error, Equatable, Sendable {
  case size(expected: Int, found: Int)
  case hash(expected: String, found: String)
}

extension SiteFile {
  /// Throws unless the file is the one that the catalogue names. Check before it is moved over the old one.
  ///
  /// - Parameter sha256: hashes a file, as lower-case hex; the app brings it along, such as CryptoKit's `SHA256`.
  public func check(_ file: URL, sha256 hash: (URL) throws -> String) throws {
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size == bytes else { throw IntegrityError.size(expected: bytes, found: size) }
    let found = try hash(file)
    guard found == sha256 else { throw IntegrityError.hash(expected: sha256, found: found) }
  }
}

extension Catalog {
  /// Where the signature of a catalogue stands, in the order in which to try. The first is overwritten shortly before a new
  /// catalogue appears, so it may be that of the next one; the second never changes.
  ///
  /// - Parameter sha256: of the bytes of `catalog.json`.
  public static func signaturePaths(sha256: String) -> [String] {
    ["catalog.json.minisig", "signatures/\(sha256).minisig"]
  }
}
