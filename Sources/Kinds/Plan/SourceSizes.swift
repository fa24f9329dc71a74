internal import Core
internal import Foundation

/// The sizes of a plan's sources, for estimates of disk space and time. A missing source counts as zero: the step that needs
/// it reports the error.
struct SourceSizes: Sendable {
  let sources: SourceFolder?
  let cycle: AiracCycle

  /// The first of these files or folders that exists.
  func find(_ names: [String]) -> URL? {
    sources.flatMap { sources in names.lazy.compactMap { try? sources.find($0) }.first }
  }

  func bytes(_ names: [String]) -> Int? { find(names).map(bytes(of:)) }

  func bytes(of url: URL) -> Int { (url.kindOnDisk == .folder ? DiskSpace(url).used : url.byteCount) ?? 0 }

  /// An estimate for a build whose time depends on the size of its sources.
  ///
  /// - Parameter usual: the seconds if the sources are not there.
  static func seconds(_ bytes: Int?, least: Double, perMegabyte: Double, usual: Double) -> Double {
    guard let bytes, bytes > 0 else { return usual }
    return least + Double(bytes) / 1e6 * perMegabyte
  }
}
