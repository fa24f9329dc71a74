import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct CompletionTests {
  private let commands = Chartpipe.commands

  /// What bash offers when Tab is pressed at the end of some words.
  private func offered(_ words: [String], in folder: TemporaryFolder) throws -> [String] {
    let script = folder.url.appending(path: "completion.bash")
    try script.put(CompletionScript.text(for: commands))
    let line = """
      source completion.bash
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      compopt() { :; }
      _chartpipe && printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `bash completes commands, options and values`() throws {
    let folder = TemporaryFolder()
    try folder.url.appending(path: "pipelines").makeFolder()
    for name in ["vfr-sectional.json5", "nasr.json5", "corrections.json5"] {
      try Data().write(to: folder.url.appending(path: "pipelines").appending(path: name))
    }
    #expect(try offered(["chartpipe", "va"], in: folder) == ["validate"])
    #expect(try offered(["chartpipe", "run", "--cy"], in: folder) == ["--cycle"])
    #expect(try offered(["chartpipe", "run", "--cycle", "n"], in: folder) == ["next"])
    #expect(try offered(["chartpipe", "run", ""], in: folder) == ["nasr", "vfr-sectional"])
    #expect(try offered(["chartpipe", "stage", "--site", "pipe"], in: folder) == ["pipelines"])
  }

  @Test func `the script and the manual contain every command and option`() {
    let script = CompletionScript.text(for: commands)
    let manual = ManualPage.text(for: Chartpipe.groups)
    for command in commands {
      #expect(script.contains(command.name) && manual.contains(command.name))
      for option in command.allOptions {
        #expect(script.contains(option.name), "\(option.name)")
        #expect(manual.contains(option.name.replacing("-", with: "\\-")), "\(option.name)")
      }
    }
  }
}
