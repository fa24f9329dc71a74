import Foundation
import Pipeline
import Site
import TestSupport
import Testing

private let minisign = URL(filePath: "/usr/bin/minisign")

/// Signatures as the world's own `minisign` sees them.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: minisign.path)))
struct StockMinisignTests {
  private let sample: SampleBuild
  private let publicKey: URL

  init() throws {
    sample = try SampleBuild()
    let key = try SigningKey.generate()
    publicKey = sample.folder.file("key.pub")
    try Data(key.verifier.text.utf8).write(to: publicKey)
    try sample.chart("Seattle")
    var request = sample.request([sample.build("2612")])
    request.key = key
    _ = try Stager.stage(request, progress: SilentProgress())
  }

  private func verify(_ key: [String]) throws -> Program.Ending {
    try RunningProgram(minisign, ["-V", "-m", sample.catalogueFile.path] + key).wait()
  }

  @Test func `a staged catalogue is accepted, by the key's file and by its line`() throws {
    let ending = try verify(["-p", publicKey.path])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("Trusted comment: Chartpipe catalogue, serial 1"))
    let line = try String(contentsOf: publicKey, encoding: .utf8).split(separator: "\n")[1]
    #expect(try verify(["-P", String(line)]).status == 0)
  }

  @Test(arguments: ["catalog.json", "catalog.json.minisig"])
  func `after a changed byte it is refused`(name: String) throws {
    let file = sample.site.appending(path: name)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    #expect(try verify(["-p", publicKey.path]).status != 0)
  }

  @Test func `another's key refuses it`() throws {
    #expect(try verify(["-P", SigningKey.generate().verifier.line]).status != 0)
  }
}
