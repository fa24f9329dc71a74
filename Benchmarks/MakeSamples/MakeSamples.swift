internal import Airac
internal import Foundation
internal import SyntheticSheet

/// Writes the samples of this repository anew: `make-samples [DIR]`, by default into `samples`.
///
/// `make-samples --full-size DIR` writes one chart of a real sheet's size instead, for measuring.
@main
struct MakeSamples {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isFullSize = arguments.first == "--full-size"
    if isFullSize { arguments.removeFirst() }
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true, arguments.count == 1 || !isFullSize
    else {
      report("usage: make-samples [DIR]\n       make-samples --full-size DIR")
      exit(2)
    }
    let folder = URL(filePath: arguments.first ?? "samples", directoryHint: .isDirectory)
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "make-samples-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    if isFullSize {
      try writeFullSize(to: folder, scratch: scratch)
    } else {
      try samples().write(to: folder, scratch: scratch) { report("made \($0)") }
    }
  }

  private static func writeFullSize(to folder: URL, scratch: URL) throws {
    let samples = try samples()
    let design = SheetDesign.fullSize(samples.edition, samples.features)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SheetFiles(design, scratch: scratch).writeZip(to: folder.appending(path: "Full_Size.zip"))
    report("made Full_Size.zip")
  }

  /// The rows lie in the repository, wherever the output goes.
  private static func samples() throws -> SampleSet {
    let rows = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "samples/nasr-rows")
    guard let day = CalendarDay(SheetDesign.sampleCycleDay), let cycle = AiracCycle(effective: day) else {
      preconditionFailure("the samples' day is the first of a cycle")
    }
    return try SampleSet(rows: rows, cycle: cycle)
  }

  private static func report(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
