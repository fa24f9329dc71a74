public import Core
public import Foundation

/// The files on a device, by their hashes.
public struct DeviceFiles: Equatable, Sendable {
  /// Complete and verified files.
  public var whole: Set<SHA256Hex>
  /// The received bytes of partial downloads, by the expected SHA-256 of the file.
  public var partial: [SHA256Hex: Int]

  public init(whole: Set<SHA256Hex> = [], partial: [SHA256Hex: Int] = [:]) {
    (self.whole, self.partial) = (whole, partial)
  }
}

/// The downloads that a device needs to have some products, and where each download resumes.
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
    /// The resulting file.
    public var file: Catalog.File
    /// The gzip to download and unpack; nil without gzip.
    public var gzip: Catalog.FileReference?
    /// The number of bytes that are already on the device.
    public var resumesAt: Int

    /// The file to download: the file itself or its gzip. Verify it before you unpack it.
    public var download: any SiteFile { gzip ?? file }
    public var bytesToGet: Int { download.bytes - resumesAt }
    /// The value of the `Range` header; nil for a download from the start, and for a complete one that needs only verification.
    public var range: String? { resumesAt > 0 && bytesToGet > 0 ? "bytes=\(resumesAt)-" : nil }

    /// - Parameter site: The folder of `catalog.json`.
    public func url(at site: URL) -> URL { site.appendingPathComponent(download.path) }
  }

  /// In the order of the products. A file that several products share is listed once.
  public private(set) var steps: [Step] = []
  /// The files that the device already has.
  public private(set) var held: [Catalog.File] = []

  public var bytesToGet: Int { steps.map(\.bytesToGet).reduce(0, +) }
  public var bytesThere: Int { held.map(\.bytes).reduce(0, +) + steps.map(\.resumesAt).reduce(0, +) }

  /// - Parameters:
  ///   - asPMTiles: Prefer PMTiles to MBTiles.
  ///   - unpacking: Whether the app can unpack gzip.
  public init(
    for products: [Catalog.Product], on device: DeviceFiles, asPMTiles: Bool = false,
    unpacking: Bool = false
  ) {
    var seen: Set<SHA256Hex> = []
    for product in products {
      for file in product.filesToGet(asPMTiles: asPMTiles) where seen.insert(file.sha256).inserted {
        if device.whole.contains(file.sha256) {
          held.append(file)
        } else {
          steps.append(DownloadPlan.cheapest(file, unpacking ? file.gzip : nil, device))
        }
      }
    }
  }

  /// The download with the fewest remaining bytes; of equal ones the simplest.
  private static func cheapest(
    _ file: Catalog.File, _ gzip: Catalog.FileReference?, _ device: DeviceFiles
  ) -> Step {
    let whole = Step(file: file, resumesAt: device.arrived(of: file))
    guard let gzip else { return whole }
    let packed = Step(file: file, gzip: gzip, resumesAt: device.arrived(of: gzip))
    return packed.bytesToGet < whole.bytesToGet ? packed : whole
  }
}

extension DeviceFiles {
  /// A partial download that is longer than the file is invalid and starts again.
  fileprivate func arrived(of file: some SiteFile) -> Int {
    let count = partial[file.sha256] ?? 0
    return (0...file.bytes).contains(count) ? count : 0
  }
}

extension SiteFile {
  /// Throws an error of the code ``ChartpipeError/Code/integrity`` unless the file has the size and hash in the catalogue. Call it before you replace the old file.
  ///
  /// - Parameter sha256: Returns the hash of a file as lower-case hex. The app provides it, for example with CryptoKit's `SHA256`.
  public func check(_ file: URL, sha256 hash: (URL) throws -> String) throws {
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size == bytes else { throw damage("it has \(size) bytes, not \(bytes)") }
    let found = try hash(file)
    guard found == sha256.text else { throw damage("its SHA-256 is \(found), not \(sha256)") }
  }

  private func damage(_ problem: String) -> ChartpipeError {
    ChartpipeError(.integrity, "checking \(path)", problem, "Download it again")
  }
}

extension Catalog {
  /// The paths of a catalogue's signature, in the order to try them. The publisher overwrites the first shortly after the catalogue,
  /// so it may belong to the catalogue before. The second never changes.
  ///
  /// - Parameter sha256: The hash of the channel's file.
  public static func signaturePaths(sha256: String, of channel: Channel = .cycles) -> [String] {
    ["\(channel.rawValue).minisig", "\(channel.signatureFolder)/\(sha256).minisig"]
  }
}
