import Core
import Fetch
import Foundation
import Pipeline

/// How large the sources of a plan are, from which it is guessed what work with them takes. What is not there counts nothing: the
/// step that needs it tells.
struct SourceSizes: Sendable {
  let sources: SourceFolder?
  let cycle: AiracCycle

  /// A chart's share of its zip, which may hold several.
  func bytes(of chart: ChartDefinition, in family: ChartFamily) -> Int {
    bytes([chart.zip]).map { $0 / max(1, family.charts.count { $0.zip == chart.zip }) } ?? bytes([chart.tif])
      ?? 0
  }

  func bytes(of origin: DatabaseOrigin) -> Int {
    origin.lists.compactMap { bytes(origin.names($0, for: cycle)) }.reduce(0, +)
  }

  /// Of the rows of an obstacle file, which is packed to a tenth in its zip.
  func unpackedBytes(of origin: DatabaseOrigin) -> Int {
    origin.lists.compactMap { find(origin.names($0, for: cycle)) }.map { url in
      (bytes(of: url) ?? 0) * (url.pathExtension.lowercased() == "zip" ? 10 : 1)
    }.reduce(0, +)
  }

  /// The first of these files or folders that is there.
  private func find(_ names: [String]) -> URL? {
    sources.flatMap { sources in names.lazy.compactMap { try? sources.find($0) }.first }
  }

  private func bytes(_ names: [String]) -> Int? { find(names).flatMap(bytes(of:)) }

  private func bytes(of url: URL) -> Int? {
    if url.kindOnDisk == .folder { return DiskSpace(url).used }
    let facts = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    return (facts?[.size] as? NSNumber)?.intValue
  }
}
