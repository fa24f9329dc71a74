import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@Suite struct DigestTests {
  /// The examples of FIPS 180-4, as NIST publishes them.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
        + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func sha256MatchesTheStandard(text: String, digest: String) throws {
    #expect(try SHA256Hex(of: Array(text.utf8)).text == digest)
  }

  @Test func `a million letters in uneven pieces match the standard`() throws {
    let digest = try Digest(.sha256)
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      let count = min(piece, left)
      try digest.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
      piece = piece * 3 + 1
    }
    #expect(hex(try digest.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// The test suite of RFC 1321.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
  ])
  func md5MatchesItsRFC(text: String, digest: String) throws {
    let md5 = try Digest(.md5)
    try md5.update(text)
    #expect(hex(try md5.finish()) == digest)
  }

  @Test func `hex keeps leading zeros and order`() {
    #expect(hex([]) == "")
    #expect(hex([0x00, 0x0a, 0xff, 0x10]) == "000aff10")
  }
}

@Suite struct SHA256HexTests {
  let folder = TemporaryFolder()

  /// Sizes around the size of a piece.
  @Test(arguments: [0, 1, 64, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_500_000])
  func `a file has the hash of its bytes`(size: Int) throws {
    let bytes = SteadyNumbers.bytes(size)
    let file = folder.file("bytes")
    try Data(bytes).write(to: file)
    let hash = try SHA256Hex(ofFile: file)
    #expect(hash == (try SHA256Hex(of: bytes)))
    #if os(Linux)
      #expect(hash.text == (try sha256sum(file)))
    #endif
  }

  @Test func `a missing file is an error`() {
    #expect(throws: (any Error).self) { try SHA256Hex(ofFile: folder.file("none")) }
    #expect(throws: (any Error).self) { try SHA256Hex(ofFile: folder.url) }
  }

  @Test func `only 64 lower-case digits are a hash`() {
    let good = String(repeating: "0a", count: 32)
    #expect(SHA256Hex(good)?.text == good)
    #expect(SHA256Hex(good.uppercased()) == nil)
    #expect(SHA256Hex(String(good.dropLast())) == nil)
    #expect(SHA256Hex(good + "0") == nil)
    #expect(SHA256Hex("g" + good.dropFirst()) == nil)
    #expect(SHA256Hex("../" + good.dropFirst(3)) == nil)
    #expect(SHA256Hex("") == nil)
  }

  @Test func `a hash is a string in JSON and an invalid one is rejected`() throws {
    let hash = try SHA256Hex(of: [])
    let json = try JSONEncoder().encode([hash])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(hash)\"]")
    #expect(try json.decoded([SHA256Hex].self) == [hash])
    #expect(throws: DecodingError.self) {
      try Data("[\"E3B0\"]".utf8).decoded([SHA256Hex].self)
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
