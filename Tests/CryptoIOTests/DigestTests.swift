import CryptoIO
import Foundation
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

  @Test func aMillionLettersInUnevenPiecesMatchTheStandard() throws {
    let digest = try Digest(.sha256)
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      let count = min(piece, left)
      try digest.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
      piece = piece * 3 + 1
    }
    #expect(
      hex(try digest.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
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

  @Test func hexKeepsLeadingZerosAndOrder() {
    #expect(hex([]) == "")
    #expect(hex([0x00, 0x0a, 0xff, 0x10]) == "000aff10")
  }
}
