internal import Core

/// A catalogue of a site, with the places of its signatures. The channels of a site are published independently of each other.
struct SiteChannel: Equatable, Sendable {
  /// `catalog.json`
  let path: String
  /// The folder of its files besides the catalogue; nil for the root.
  let folder: String?
  /// What the comment of a signature says before the serial.
  let comment: String

  static let cycles = SiteChannel(
    path: "catalog.json", folder: nil, comment: "Chartpipe catalogue, serial ")
  /// Snapshots, which change every few minutes.
  static let live = SiteChannel(
    path: "live.json", folder: BlobPath.folders[1], comment: "Chartpipe snapshots, serial ")

  /// Where `minisign -V` looks for the signature.
  var signature: String { path + ".minisig" }
  /// Where the signature of one catalogue stays while the catalogue changes.
  func signature(of sha256: SHA256Hex) -> String { "\(signatures)\(sha256).minisig" }
  var signatures: String { (folder.map { "\($0)/" } ?? "") + "signatures/" }

  /// The hash of the catalogue that the signature at a key belongs to; nil for other keys.
  func signed(at key: String) -> SHA256Hex? {
    let name = key.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    return SHA256Hex(String(name)).flatMap { key == signature(of: $0) ? $0 : nil }
  }
}
