import Core
import CryptoIO
import Foundation
import RasterIO
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// A folder in which one synthetic chart is built.
struct ChartBench {
  let folder = TemporaryFolder()
  let sheet = MadeUpSheet()

  init() throws {}

  /// Writes the chart's zip. Its tif and page have the FAA's names by default.
  func zip(_ members: [(name: String, bytes: [UInt8])]? = nil) throws -> URL {
    var writer = ZipWriter()
    writer.members = try members ?? [("Made Up SEC.htm", sheet.htm()), ("Made Up SEC.tif", sheet.tif())]
    let url = folder.file("Made_Up.zip")
    try writer.write(to: url.path)
    return url
  }

  func write(_ bytes: [UInt8], as name: String) throws -> URL {
    let url = folder.file(name)
    try Data(bytes).write(to: url)
    return url
  }

  func family(minZoom: Int, maxZoom: Int, size: Int = 256, neatline: String? = nil) throws -> ChartFamily {
    let edges =
      neatline
        ?? """
        {"west": {"meridian": \(sheet.west)}, "south": {"parallel": \(sheet.south)},
         "east": {"column": \(sheet.eastColumn)}, "north": {"row": \(sheet.northRow)}}
        """
    let json = """
      {"name": "vfr-sectional", "title": "Sectional charts", "cadence": "56-day", "attribution": "FAA",
       "tiles": {"minZoom": \(minZoom), "maxZoom": \(maxZoom), "format": "png", "size": \(size)},
       "charts": [{"id": "Made_Up", "name": "Made Up", "zip": "Made_Up.zip", "tif": "Made Up SEC.tif",
                   "neatline": \(edges)}]}
      """
    return try Data(json.utf8).decoded(ChartFamily.self)
  }

  struct Built {
    let product: Product
    let file: URL
    let control: URL
    let reference: URL
    let progress: RecordedProgress
  }

  func build(
    _ source: URL, zooms: ClosedRange<Int> = 4...8, jobs: Int = 2, cycle: String = "2601",
    size: Int = 256, neatline: String? = nil
  ) throws -> Built {
    let family = try family(
      minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, size: size, neatline: neatline)
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(source), cycle: try #require(AiracCycle(identifier: cycle)))
    let name = UUID().uuidString
    let (file, control) = (folder.file("\(name).mbtiles"), folder.file("\(name).png"))
    let reference = folder.file("\(name).reference.png")
    let progress = RecordedProgress()
    let product = try ChartBuilder.build(
      request, to: file, control: control, reference: reference, jobs: jobs, progress: progress,
      step: "a step")
    return Built(product: product, file: file, control: control, reference: reference, progress: progress)
  }

  /// The error of building from a source. No archive may remain.
  func userError(_ source: URL, cycle: String = "2601", neatline: String? = nil) throws -> UserError {
    let error = #expect(throws: UserError.self) { _ = try build(source, cycle: cycle, neatline: neatline) }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.contains(".mbtiles") })
    return try #require(error)
  }
}

/// The grid of a whole sectional, without pixels. Positions are computed without PROJ.
struct FullSizeSheet: ConicSheet {
  var width = 16_600
  var height = 12_300
  var cone = MadeUpSheet.cone
  /// Degrees of rotation of north from the image's top.
  var tilt = 0.0
  private let metres = 42.333

  var placing: GeoTransform {
    let rise = tilt * .pi / 180
    // The middle of the image is at the cone's origin.
    let (across, down) = (Double(width) / 2, Double(height) / 2)
    let (cosine, sine) = (metres * cos(rise), metres * sin(rise))
    return GeoTransform(
      originX: -across * cosine - down * sine, originY: -across * sine + down * cosine, pixelWidth: cosine,
      pixelHeight: -cosine, rotationX: sine, rotationY: sine)
  }

  func neatline(
    _ outline: [NeatlineDefinition.Edge], masks: [[NeatlineDefinition.Edge]] = [], offsets: [Double] = []
  ) throws -> Neatline {
    try builder.build(NeatlineDefinition(outline: outline, masks: masks), offsets: offsets)
  }

  var builder: NeatlineBuilder {
    get throws {
      let projection = try SheetProjection(
        projection: try SpatialReference(wkt: wkt), placing: placing, width: width, height: height)
      return NeatlineBuilder(projection: projection, subject: "vfr-sectional/Made_Up")
    }
  }
}
