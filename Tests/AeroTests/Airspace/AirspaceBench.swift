import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// A subscription with airspace in it.
struct AirspaceBench {
  let folder: TemporaryFolder
  var subscription: Subscription
  /// The XML files of special-use airspace, by name.
  var special: [(name: String, bytes: [UInt8])] = []
  /// The parts of the shapefile, by name.
  var shapes: [(name: String, bytes: [UInt8])] = []

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2304")
  }

  /// With these airspaces, all in one file.
  init(special members: [String]) throws {
    try self.init()
    special = [("AREA, CA.xml", SpecialUseSample.file(members))]
  }

  /// With a shapefile of the fixtures.
  init(shapes: String) throws {
    try self.init()
    self.shapes = try AirspaceBench.fixture(shapes)
  }

  static func fixture(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/\(folder)")
    return try ["shp", "shx", "dbf", "prj"].map {
      let name = "Class_Airspace.\($0)"
      return (name, [UInt8](try Data(contentsOf: folder.appending(path: name))))
    }
  }

  /// The subscription as the FAA ships it, with the XML in a zip in a zip in it.
  func source() throws -> SourceFile {
    var beside = shapes.map { ("Additional_Data/Shape_Files/" + $0.name, $0.bytes) }
    if !special.isEmpty {
      let outer = try subscriberZip()
      beside.append(
        (
          "Additional_Data/AIXM/SAA-AIXM_5_Schema/SaaSubscriberFile.zip",
          [UInt8](try Data(contentsOf: outer.url))
        ))
    }
    return try subscription.whole(in: folder, beside: beside)
  }

  func subscriberZip() throws -> SourceFile {
    let inner = try zip(special, in: folder, name: "Saa_Sub_File.zip")
    return try zip(
      [("Saa_Sub_File.zip", [UInt8](try Data(contentsOf: inner.url)))], in: folder,
      name: "SaaSubscriberFile.zip")
  }

  /// Builds a database that wants what there is.
  func build(_ change: (inout NASRRequest) -> Void = { _ in }) throws -> Built {
    var request = try subscription.request(try source())
    if !shapes.isEmpty { request.definition.classAirspace = [] }
    if !special.isEmpty { request.definition.specialUse = [] }
    change(&request)
    let file = folder.file("airspace.sqlite")
    try? FileManager.default.removeItem(at: file)
    let outcome = try DatabaseBuilder.build(request, to: file, progress: SilentProgress(), step: "nasr")
    return Built(outcome: outcome, file: file, folder: folder)
  }

  func fault(_ change: (inout NASRRequest) -> Void = { _ in }) throws -> UserError {
    try #require(throws: UserError.self) { try build(change) }
  }
}
