internal import ArchiveIO
public import Core
public import Fetch
internal import Foundation
public import Pipeline

/// A zip of charts, before anything is made of it.
public enum ChartZip {
  /// Refuses one whose pages tell of another edition. A page that cannot be read is left to the build, which may not need it.
  public static func checkEdition(_ source: SourceFile, _ family: ChartFamily, _ cycle: AiracCycle) throws {
    let archive = try ZipArchive(path: source.url.path)
    let wanted = Set(family.charts.map { PublishedName.key(ChartFiles.stem($0.tif) + ".htm") })
    for member in archive.members where wanted.contains(PublishedName.key(member.fileName)) {
      guard let page = try? ChartPage(htm: archive.read(member)),
        let other = page.otherEdition(than: cycle, family)
      else { continue }
      throw UserError(
        .badInput, operation: "reading the chart", path: "\(source.url.path) (\(member.fileName))",
        reason: "\(member.fileName): \(other.problem)", suggestion: other.remedy)
    }
  }
}
