import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct CompletionTests {
  private let commands = Chartpipe.commands

  /// What bash offers when Tab is pressed at the end of some words.
  private func offered(_ words: [String], in folder: TemporaryFolder) throws -> [String] {
    let script = folder.url.appending(path: "completion.bash")
    try script.put(Shell.bash.script(for: commands))
    let line = """
      source completion.bash
      COMP_WORDS=(\(words.map(shellQuoted).joined(separator: " "))); COMP_CWORD=\(words.count - 1)
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

  /// Every command and every option is in every script and in the manual.
  @Test func `the scripts and the manual contain every command and option`() {
    let texts = Shell.allCases.map { $0.script(for: commands) }
    let manual = ManualPage.text(for: Chartpipe.groups)
    for command in commands {
      for text in texts + [manual] { #expect(text.contains(command.name)) }
      for option in command.allOptions {
        for text in texts { #expect(text.contains(option.name.dropFirst(2)), "\(option.name)") }
        #expect(manual.contains(option.name.replacing("-", with: "\\-")), "\(option.name)")
      }
    }
  }

  @Test func `quotes a word with an apostrophe`() { #expect(shellQuoted("it's") == "'it'\\''s'") }
}
