internal import ChartpipeKit
internal import Core
internal import Foundation
internal import SyntheticSheet

/// Writes the samples of this repository, or synthetic charts for measurements with the definitions that build them.
@main
struct MakeSamples {
  private static let usage = """
    usage: make-samples [DIR]                         the samples, by default into samples
           make-samples --full-size DIR [--scale S]   one chart of a real sheet's size; S is quarter, half, full
                                                      or four (times the pixels)
           make-samples --hard DIR                    charts that are hard to cut
           make-samples --fleet DIR [--family NAME] [--metres N | --scale S]
                                                      every chart of a family of the FAA, by default vfr-sectional,
                                                      without details and with N metres a pixel, 42 to 20000, by
                                                      default 1000; or in detail, with the FAA's number of pixels
                                                      (full) or fewer (half, quarter, eighth of the width)
           --repository DIR                           in any call: the clone with the definitions and the rows of
                                                      the samples (default: the clone that this was built from)
    """

  private enum Content {
    case samples
    case fullSize(SheetDesign.Scale)
    case hard
    case fleet(family: String, FleetSize)
  }

  private enum FleetSize {
    case metresPerPixel(Double)
    /// How often the FAA's number of pixels is halved in width and height.
    case reductions(Int)
  }

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as UserError {
      report("error: \(error.message)")
      exit(error.kind.rawValue)
    } catch {
      report("error: starting: \(error.fileErrorReason)")
      exit(UserError.Kind.failed.rawValue)
    }
  }

  private static func run(_ arguments: [String]) throws {
    var arguments = arguments
    let named = try removeRepository(from: &arguments)
    guard let (content, folder) = read(arguments) else {
      report(usage)
      exit(UserError.Kind.badCall.rawValue)
    }
    let repository = try repository(named)
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "make-samples-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    do {
      let target = URL(filePath: folder, directoryHint: .isDirectory)
      try write(content, from: repository, to: target, scratch: scratch)
    } catch let error where !(error is UserError) {
      throw UserError(
        .failed, operation: "drawing the samples into", path: folder, reason: error.fileErrorReason,
        suggestion: "Use a folder that can be written.", causes: [error])
    }
  }

  /// Returns the value of `--repository`; nil without the option.
  private static func removeRepository(from arguments: inout [String]) throws -> URL? {
    guard let place = arguments.firstIndex(of: "--repository") else { return nil }
    guard place + 1 < arguments.count else {
      throw UserError(
        .badCall, operation: "reading the option", path: "--repository", reason: "it has no value",
        suggestion: "Name a clone of the repository.")
    }
    defer { arguments.removeSubrange(place...place + 1) }
    return URL(filePath: arguments[place + 1], directoryHint: .isDirectory)
  }

  private static func read(_ arguments: [String]) -> (Content, folder: String)? {
    let scales = Dictionary(uniqueKeysWithValues: SheetDesign.Scale.allCases.map { ($0.rawValue, $0) })
    switch arguments.count {
    case 0: return (.samples, "samples")
    case 1 where !arguments[0].hasPrefix("-"): return (.samples, arguments[0])
    case 2 where arguments[0] == "--hard": return (.hard, arguments[1])
    case 2 where arguments[0] == "--full-size": return (.fullSize(.full), arguments[1])
    case 2... where arguments[0] == "--fleet":
      return fleet(Array(arguments.dropFirst(2))).map { ($0, arguments[1]) }
    case 4 where arguments[0] == "--full-size" && arguments[2] == "--scale":
      return scales[arguments[3]].map { (.fullSize($0), arguments[1]) }
    default: return nil
    }
  }

  private static func fleet(_ options: [String]) -> Content? {
    var (family, size) = ("vfr-sectional", FleetSize.metresPerPixel(1000))
    for index in stride(from: 0, to: options.count, by: 2) {
      guard index + 1 < options.count else { return nil }
      switch options[index] {
      case "--family": family = options[index + 1]
      case "--metres":
        guard let number = Double(options[index + 1]), (42...20_000).contains(number) else { return nil }
        size = .metresPerPixel(number)
      case "--scale":
        guard let reductions = ["full", "half", "quarter", "eighth"].firstIndex(of: options[index + 1])
        else { return nil }
        size = .reductions(reductions)
      default: return nil
      }
    }
    return .fleet(family: family, size)
  }

  private static func write(
    _ content: Content, from repository: URL, to folder: URL, scratch: URL
  ) throws {
    let samples = try samples(in: repository)
    switch content {
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
    case .fleet(let name, let size):
      let fleet =
        switch size {
        case .metresPerPixel(let metres):
          try Fleet(family(name, in: repository), metresPerPixel: metres, edition: samples.edition)
        case .reductions(let reductions):
          try Fleet(
            family(name, in: repository), reductions: reductions,
            texture: SheetTexture(samples.edition, samples.features),
            edition: samples.edition)
        }
      try fleet.write(to: folder, scratch: scratch) { report("made \($0)") }
    }
  }

  /// Returns the repository with the inputs, which does not depend on the folder of the output.
  private static func repository(_ named: URL?) throws -> URL {
    let built = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let found = named ?? built
    for needed in ["pipelines", "samples/nasr-rows"] {
      let folder = found.appending(path: needed)
      guard FileManager.default.fileExists(atPath: folder.path) else {
        throw UserError(
          .badInput, operation: "drawing the samples from", path: found.path,
          reason: "there is no folder \(needed)",
          suggestion: "Name a clone of the repository with --repository.")
      }
    }
    return found
  }

  private static func family(_ name: String, in repository: URL) throws -> ChartFamily {
    let file = repository.appending(path: "pipelines/\(name).json5")
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      return try decoder.decode(ChartFamily.self, from: Data(contentsOf: file))
    } catch is DecodingError {
      throw UserError(
        .badCall, operation: "drawing the charts of", path: name, reason: "this is not a chart family",
        suggestion: "Use a chart family, such as vfr-terminal.")
    }
  }

  private static func samples(in repository: URL) throws -> SampleSet {
    guard let day = CalendarDay(SheetDesign.sampleCycleDay), let cycle = AiracCycle(effective: day) else {
      preconditionFailure("the samples' day is the first of a cycle")
    }
    return try SampleSet(samples: repository.appending(path: "samples"), cycle: cycle)
  }

  private static func report(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
