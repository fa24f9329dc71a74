public import Foundation
public import Pipeline
internal import ZipIO

/// Stand-ins for all charts of a family: every zip with every tif under the FAA's names, drawn small, with one world over
/// all of them, and the family's definition at zooms that suit their size.
public struct Fleet {
  public let family: ChartFamily
  private let designs: [SheetDesign]

  /// - Parameter metresPerPixel: a real chart has 42.
  public init(_ family: ChartFamily, metresPerPixel: Double, edition: Edition) throws {
    designs = try family.charts.map { chart in
      let design = SheetDesign(chart, metresPerPixel: metresPerPixel, edition: edition)
      guard let design, design.fileStem + ".tif" == chart.tif else {
        throw Fault(
          .badCall, doing: "drawing the charts of \(family.name)", subject: chart.tif,
          problem: "only sectionals whose extent is known can be drawn")
      }
      return design
    }
    self.family = family.fitted(to: metresPerPixel)
  }

  /// Writes the zips and the definition, `NAME.json5`; `made` is told of each file.
  public func write(to folder: URL, scratch: URL, made: (String) -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let zips = Dictionary(grouping: zip(family.charts, designs), by: \.0.zip)
    for (name, charts) in zips.sorted(by: { $0.key < $1.key }) {
      var archive = ZipWriter()
      archive.members = try charts.flatMap { try SheetFiles($0.1, scratch: scratch).members }
      if name == zips.keys.max() { archive.members.append(("Stranger SEC.tif", archive.members[0].bytes)) }
      try archive.write(to: folder.appending(path: name).path)
      made(name)
    }
    let definition = "\(family.name).json5"
    try CanonicalJSON.pretty(FamilyFile(family: family)).write(to: folder.appending(path: definition))
    made(definition)
  }
}

/// A family as a file of `pipelines/` has it.
private struct FamilyFile: Encodable {
  let family: ChartFamily

  private enum Key: String, CodingKey {
    case kind
  }

  func encode(to encoder: any Encoder) throws {
    try family.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("charts", forKey: .kind)
  }
}

extension ChartFamily {
  /// With four zooms, of which the largest shows about all that pixels of this size hold.
  fileprivate func fitted(to metresPerPixel: Double) -> ChartFamily {
    // Of one tile pixel at zoom 0, at 40 degrees of latitude.
    let metresAtZoomZero = 119_900.0
    let deepest = min(18, max(0, Int(log2(metresAtZoomZero / metresPerPixel).rounded())))
    var family = self
    (family.tiles.minZoom, family.tiles.maxZoom) = (max(0, deepest - 3), deepest)
    for index in family.charts.indices {
      (family.charts[index].minZoom, family.charts[index].maxZoom) = (nil, nil)
      family.charts[index].insets = nil  // none are drawn
    }
    return family
  }
}
