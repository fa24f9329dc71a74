import CryptoIO
import Foundation
import TestSupport
import Testing

@Suite struct SHA256HexTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Sizes around the piece in which files are read.
  @Test(arguments: [0, 1, 64, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_500_000])
  func aFileHasTheHashOfItsBytes(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    let file = folder.file("bytes")
    try Data(bytes).write(to: file)
    let hash = try SHA256Hex(ofFile: file)
    #expect(hash == (try SHA256Hex(of: bytes)))
    #if os(Linux)
      #expect(hash.text == (try sha256sum(file)))
    #endif
  }

  @Test func aFileThatIsNotThereIsAnError() {
    #expect(throws: (any Error).self) { try SHA256Hex(ofFile: folder.file("none")) }
    #expect(throws: (any Error).self) { try SHA256Hex(ofFile: folder.url) }
  }

  @Test func onlySixtyFourLowerCaseDigitsAreAHash() {
    let good = String(repeating: "0a", count: 32)
    #expect(SHA256Hex(good)?.text == good)
    #expect(SHA256Hex(good.uppercased()) == nil)
    #expect(SHA256Hex(String(good.dropLast())) == nil)
    #expect(SHA256Hex(good + "0") == nil)
    #expect(SHA256Hex("g" + good.dropFirst()) == nil)
    #expect(SHA256Hex("../" + good.dropFirst(3)) == nil)
    #expect(SHA256Hex("") == nil)
  }

  @Test func isAPlainStringInJSONAndABadOneIsRefused() throws {
    let hash = try SHA256Hex(of: [])
    let json = try JSONEncoder().encode([hash])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(hash)\"]")
    #expect(try JSONDecoder().decode([SHA256Hex].self, from: json) == [hash])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SHA256Hex].self, from: Data("[\"E3B0\"]".utf8))
    }
  }

  private func sha256sum(_ file: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = [file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitForExit()
    return String(decoding: output.prefix(64), as: UTF8.self)
  }
}
