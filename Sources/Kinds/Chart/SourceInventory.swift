internal import ArchiveIO
internal import Core
internal import Foundation

/// The images in the zips of a plan that no definition names.
///
/// The FAA adds and renames images. An unknown one is never used, but reported before any work starts.
struct SourceInventory {
  private let zips: Set<String>
  /// The keys of the names that any family of the plan lists, including items that were left out of the plan.
  private let known: Set<String>

  /// - Parameter whole: the items of all machines. A zip may contain charts that another machine builds.
  init(_ items: [any PipelineItem], of whole: [any PipelineItem] = []) {
    zips = Set(items.compactMap { ($0 as? ChartItem)?.chart.zip })
    let families = (whole + items).compactMap { ($0 as? ChartItem)?.family }
    let byName = Dictionary(families.map { ($0.name, $0) }) { _, last in last }
    known = Set(byName.values.flatMap { $0.charts.map(\.tif) + $0.notCharts }.map(PublishedName.key))
  }

  /// Returns a note for each zip that contains unknown images. A zip that cannot be opened is skipped: the charts that need it
  /// report the error.
  func notes(in sources: SourceFolder) -> [SourceNote] {
    zips.sorted().compactMap { zip in
      guard let file = try? sources.find(zip), let archive = try? ZipArchive(path: file.path) else {
        return nil
      }
      let unknown = archive.members.map(\.fileName).filter(isUnknownImage).sorted()
      return unknown.isEmpty ? nil : SourceNote(source: zip, message: message(unknown, zip))
    }
  }

  /// A name that begins with a period is a system file, such as the `._` files of macOS.
  private func isUnknownImage(_ name: String) -> Bool {
    let key = PublishedName.key(name)
    return (key.hasSuffix(".tif") || key.hasSuffix(".tiff")) && !name.hasPrefix(".") && !known.contains(key)
  }

  private func message(_ unknown: [String], _ zip: String) -> String {
    let names = unknown.map { "\"\(shortened($0))\"" }
    guard unknown.count > 1 else {
      return "an unknown tif \(names[0]) is in \(zip): add it to the definition or to notCharts"
    }
    return "\(unknown.count) unknown tifs are in \(zip): \(Counts.some(names, atMost: SourceInventory.shown))"
      + ": add them to the definition or to notCharts"
  }

  private static let shown = 5

  /// A name in a zip may have 65,535 bytes.
  private func shortened(_ name: String) -> String { name.count > 80 ? name.prefix(79) + "…" : name }
}
