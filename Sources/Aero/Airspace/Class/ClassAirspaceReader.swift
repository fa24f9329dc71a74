internal import Core
internal import Fetch
internal import Foundation
internal import Pipeline
internal import RasterIO

/// Reads the FAA's shapefile of class airspace, one row a shelf.
struct ClassAirspaceReader {
  static let file = "Class_Airspace.shp"
  static let driver = "ESRI Shapefile"
  /// Twenty times what the FAA has.
  private static let mostFeatures = 100_000
  private static let required = [
    "NAME", "CLASS", "LOCAL_TYPE", "UPPER_VAL", "UPPER_UOM", "UPPER_CODE", "LOWER_VAL", "LOWER_UOM",
    "LOWER_CODE",
  ]

  private let source: AirspaceSource
  private let maker: ShapeMaker
  private let problems: ProblemLog

  init(_ source: AirspaceSource, maker: ShapeMaker, problems: ProblemLog) {
    self.source = source
    self.maker = maker
    self.problems = problems
  }

  /// Gives each airspace that can be used to a writer, in the file's order.
  func read(_ each: (AirspaceRecord) throws -> Void) throws {
    let path = try source.shapefile()
    let layer: VectorLayer
    do throws(GDALError) {
      layer = try VectorLayer(opening: path, driver: ClassAirspaceReader.driver)
    } catch {
      throw source.fault("\(ClassAirspaceReader.file) is damaged: \(error.message)", causes: [error])
    }
    try check(layer)
    for number in 0..<layer.count {
      try CancellationToken.current.check()
      do {
        let row = ClassAirspaceRow(try layer.feature(number), line: number + 1, problems: problems)
        try each(try row.record(maker))
      } catch let error as UnusableRow {
        drop(number, error)
      } catch let error as GDALError {
        drop(number, UnusableRow(column: nil, value: "", reason: error.message))
      }
    }
    problems.read(rows: layer.count, of: ClassAirspaceReader.file)
  }

  private func check(_ layer: VectorLayer) throws {
    let missing = ClassAirspaceReader.required.filter { !layer.fields.contains($0) }
    guard missing.isEmpty else {
      throw source.fault(
        "\(ClassAirspaceReader.file) has no field \(missing.joined(separator: ", ")): its .dbf file is missing or another one"
      )
    }
    guard layer.isGeographic else {
      throw source.fault(
        "the positions of \(ClassAirspaceReader.file) are not in degrees, or its .prj is missing")
    }
    guard (0...ClassAirspaceReader.mostFeatures).contains(layer.count) else {
      throw source.fault("\(ClassAirspaceReader.file) says that it has \(layer.count) shapes")
    }
  }

  private func drop(_ number: Int, _ row: UnusableRow) {
    problems.record(
      .rowDropped, file: ClassAirspaceReader.file, line: number + 1, column: row.column, value: row.value,
      reason: row.reason)
  }
}
