public import Core
public import Foundation

/// Everything under `samples/` that is made and not written by hand.
public struct SampleSet {
  public let cycle: AiracCycle
  public let edition: Edition
  public let features: SheetFeatures
  public let subscription: Subscription

  /// Reads the rows in the folder `samples`, which say where the airports stand.
  public init(samples: URL, cycle: AiracCycle) throws {
    self.cycle = cycle
    edition = Edition(of: cycle)
    features = try NASRRows.features(
      in: samples.appending(path: "nasr-rows"), airspace: SheetDesign.sampleAirspace)
    subscription = Subscription(cycle: cycle, samples: samples)
  }

  /// The place of each chart's zip below the folder of samples, and its design.
  public var charts: [(path: String, design: SheetDesign)] {
    [
      ("sectional-files/Sample_West.zip", .sampleWest(edition, features)),
      ("sectional-files/Sample_East.zip", .sampleEast(edition, features)),
      ("tac-files/Sample_Bay_TAC.zip", .sampleBay(edition, features)),
    ]
  }

  public var tiny: SheetDesign { .tiny(edition, features) }

  /// Writes all of it; `made` is told of each file.
  public func write(to folder: URL, scratch: URL, made: (String) -> Void) throws {
    for (path, design) in charts {
      let file = try prepared(folder, path)
      try SheetFiles(design, scratch: scratch).writeZip(to: file)
      made(path)
    }
    let nasr = "nasr/" + subscription.fileName
    try subscription.write(to: try prepared(folder, nasr), scratch: scratch)
    made(nasr)
    try BrokenCharts(tiny, scratch: scratch).write(to: folder.appending(path: "broken"))
    made("broken/")
  }

  private func prepared(_ folder: URL, _ path: String) throws -> URL {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return file
  }
}
