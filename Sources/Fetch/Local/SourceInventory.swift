internal import ArchiveIO
internal import Foundation
public import Pipeline

/// What lies in the zips of a plan beside the charts that are wanted of them.
///
/// The FAA adds images and renames them. One that no definition knows is never used, but told before any work starts.
public struct SourceInventory {
  private let zips: Set<String>
  /// Keys of names.
  private let known: Set<String>

  /// Known is what any family of the plan has, the items that were left out of the plan included.
  public init(_ items: [PipelineItem]) {
    var zips: Set<String> = []
    var families: [String: ChartFamily] = [:]
    for case .chart(let chart, let family) in items.map(\.content) {
      zips.insert(chart.zip)
      families[family.name] = family
    }
    self.zips = zips
    known = Set(families.values.flatMap { $0.charts.map(\.tif) + $0.notCharts }.map(PublishedName.key))
  }

  /// A note for each zip that is there and holds images of unknown names. A zip that cannot be opened is passed over:
  /// each chart that should come out of it tells what is wrong.
  public func notes(in sources: SourceFolder) -> [SourceNote] {
    zips.sorted().compactMap { zip in
      guard let file = try? sources.find(zip), let archive = try? ZipArchive(path: file.path) else {
        return nil
      }
      let strangers = archive.members.map(\.fileName).filter(isStranger).sorted()
      return strangers.isEmpty ? nil : SourceNote(source: zip, message: message(strangers, zip))
    }
  }

  /// What begins with a point is some system's own, such as the `._` files of macOS.
  private func isStranger(_ name: String) -> Bool {
    let key = PublishedName.key(name)
    return (key.hasSuffix(".tif") || key.hasSuffix(".tiff")) && !name.hasPrefix(".") && !known.contains(key)
  }

  private func message(_ strangers: [String], _ zip: String) -> String {
    let names = strangers.prefix(SourceInventory.shown).map { "\"\(shortened($0))\"" }
    guard strangers.count > 1 else {
      return "an unknown tif \(names[0]) is in \(zip): add it to the definition or to notCharts"
    }
    let rest = strangers.count - names.count
    return "\(strangers.count) unknown tifs are in \(zip): \(names.joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more" : "") + ": add them to the definition or to notCharts"
  }

  private static let shown = 5

  /// A name in a zip may have 65,535 bytes.
  private func shortened(_ name: String) -> String { name.count > 80 ? name.prefix(79) + "…" : name }
}
