internal import Core
public import Foundation
internal import Pipeline

/// The definition by which drawn charts are built: what a file of `pipelines/` says of real ones.
public struct SheetPipeline: Encodable {
  private struct Chart: Encodable {
    var id: String
    var name: String
    var zip: String
    var tif: String
    var neatline: NeatlineDefinition
  }

  private struct Zooms: Encodable {
    var minZoom: Int
    var maxZoom: Int
  }

  private let kind = "charts"
  private let name: String
  private let title = "Synthetic charts"
  private let cadence = "56-day"
  private let attribution = "Synthetic chart, not for navigation"
  private let tiles: Zooms
  private let charts: [Chart]

  private enum CodingKeys: String, CodingKey {
    case kind, name, title, cadence, attribution, tiles, charts
  }

  public init(_ name: String, _ designs: [SheetDesign], zooms: ClosedRange<Int> = 6...11) {
    self.name = name
    tiles = Zooms(minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
    charts = designs.map {
      Chart(
        id: $0.id, name: $0.name, zip: $0.zipName, tif: $0.fileStem + ".tif", neatline: $0.neatline)
    }
  }

  /// Draws the charts and puts their zips and the definition, `NAME.json5`, into a folder.
  public static func write(
    _ name: String, _ designs: [SheetDesign], zooms: ClosedRange<Int> = 6...11, to folder: URL, scratch: URL
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for design in designs {
      try SheetFiles(design, scratch: scratch).writeZip(to: folder.appending(path: design.zipName))
    }
    let definition = try CanonicalJSON.pretty(SheetPipeline(name, designs, zooms: zooms))
    try definition.write(to: folder.appending(path: "\(name).json5"))
  }
}

extension SheetDesign {
  /// `Sample_West`
  public var id: String { name.replacing(" ", with: "_") }
  public var zipName: String { id + ".zip" }
}
