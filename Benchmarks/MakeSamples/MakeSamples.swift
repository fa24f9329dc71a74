internal import Airac
internal import Foundation
internal import Pipeline
internal import SyntheticSheet

/// Writes the samples of this repository anew, or charts for measuring and trying with the definition that builds them.
@main
struct MakeSamples {
  private static let usage = """
    usage: make-samples [DIR]                         the samples, by default into samples
           make-samples --full-size DIR [--scale S]   one chart of a real sheet's size; S is quarter, half, full
                                                      or four (times the pixels)
           make-samples --hard DIR                    charts that are hard to cut
           make-samples --fleet DIR [--metres N]      every sectional chart of the FAA, with N metres a pixel, by
                                                      default 1000
    """

  private enum Wish {
    case samples
    case fullSize(SheetDesign.Scale)
    case hard
    case fleet(metres: Double)
  }

  static func main() throws {
    guard let (wish, folder) = read(Array(CommandLine.arguments.dropFirst())) else {
      report(usage)
      exit(2)
    }
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "make-samples-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try write(wish, to: URL(filePath: folder, directoryHint: .isDirectory), scratch: scratch)
  }

  private static func read(_ arguments: [String]) -> (Wish, folder: String)? {
    let scales = Dictionary(uniqueKeysWithValues: SheetDesign.Scale.allCases.map { ($0.rawValue, $0) })
    switch arguments.count {
    case 0: return (.samples, "samples")
    case 1 where !arguments[0].hasPrefix("-"): return (.samples, arguments[0])
    case 2 where arguments[0] == "--hard": return (.hard, arguments[1])
    case 2 where arguments[0] == "--full-size": return (.fullSize(.full), arguments[1])
    case 2 where arguments[0] == "--fleet": return (.fleet(metres: 1000), arguments[1])
    case 4 where arguments[0] == "--fleet" && arguments[2] == "--metres":
      return Double(arguments[3]).flatMap {
        (200...20_000).contains($0) ? (.fleet(metres: $0), arguments[1]) : nil
      }
    case 4 where arguments[0] == "--full-size" && arguments[2] == "--scale":
      return scales[arguments[3]].map { (.fullSize($0), arguments[1]) }
    default: return nil
    }
  }

  private static func write(_ wish: Wish, to folder: URL, scratch: URL) throws {
    let samples = try samples()
    switch wish {
    case .samples:
      try samples.write(to: folder, scratch: scratch) { report("made \($0)") }
    case .fullSize(let scale):
      let design = SheetDesign.fullSize(scale, samples.edition, samples.features)
      let name = design.name.lowercased().replacing(" ", with: "-")
      try SheetPipeline.write(name, [design], to: folder, scratch: scratch)
      report("made \(design.zipName) and \(name).json5")
    case .hard:
      try SheetPipeline.write(
        "hard", SheetDesign.hard(samples.edition), zooms: 8...12, to: folder, scratch: scratch)
      report("made hard.json5 and its zips")
    case .fleet(let metres):
      let fleet = try Fleet(sectionals(), metresPerPixel: metres, edition: samples.edition)
      try fleet.write(to: folder, scratch: scratch) { report("made \($0)") }
    }
  }

  /// What is read lies in the repository, wherever the output goes.
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func sectionals() throws -> ChartFamily {
    let file = repository.appending(path: "pipelines/vfr-sectional.json5")
    guard case .charts(let family) = try PipelineDefinition(contentsOf: file).content else {
      preconditionFailure("the sectionals are charts")
    }
    return family
  }

  private static func samples() throws -> SampleSet {
    guard let day = CalendarDay(SheetDesign.sampleCycleDay), let cycle = AiracCycle(effective: day) else {
      preconditionFailure("the samples' day is the first of a cycle")
    }
    return try SampleSet(samples: repository.appending(path: "samples"), cycle: cycle)
  }

  private static func report(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
