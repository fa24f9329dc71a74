import Core
import CryptoIO
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

struct SigningTests {
  private let file = Array("{\"serial\":1}\n".utf8)

  /// A key, a signed file and its signature, by minisign 0.11.
  private static let key = "RWQxKhr7Uj0291K4CuknBQA1QE3uhnSdZsR4WNVONBAUIbv/rTyU9vq/"
  private static let stock = """
    untrusted comment: signature from minisign secret key
    RUQxKhr7Uj029/RGxhPMCsKW0rNTVjEHWvhVtqTukAn4+TvYIFGB1SeFIWlHShDw1v5tUH2A6R4nTlcLB/McF3RE5z2qxbiakgI=
    trusted comment: serial 1
    KZmGS0E86pKUu+5oabDNe+h7tQt4TGF4Xrxl120V84ocolmuMiTTWE3siumas9wV7HhBrVQhsz/oLaF0XUUQBQ==

    """

  @Test func `what is signed is verified, byte for byte and comment too`() throws {
    let key = try SigningKey.generate()
    let signature = try key.signature(of: file, comment: "serial 1")
    let read = try #require(MinisignSignature(signature.text))
    #expect(read == signature)
    try read.verify(file, by: key.verifier)
    for index in file.indices {
      var other = file
      other[index] ^= 1
      #expect(throws: MinisignSignature.Refusal.wrong) { try read.verify(other, by: key.verifier) }
    }
    let forged = try #require(
      MinisignSignature(signature.text.replacing("comment: serial 1", with: "comment: serial 2")))
    #expect(throws: MinisignSignature.Refusal.wrongComment) { try forged.verify(file, by: key.verifier) }
  }

  @Test func `another key's signature is refused by name`() throws {
    let (key, other) = (try SigningKey.generate(), try SigningKey.generate())
    let signature = try key.signature(of: file, comment: "")
    #expect(
      throws: MinisignSignature.Refusal.otherKey(has: key.verifier.name, needs: other.verifier.name)
    ) { try signature.verify(file, by: other.verifier) }
  }

  @Test func `the same key signs the same file in the same way`() throws {
    let key = try SigningKey.generate()
    let again = try SigningKey(pem: key.pem(passphrase: "tower"), passphrase: "tower")
    #expect(try key.signature(of: file, comment: "a") == again.signature(of: file, comment: "a"))
    #expect(key.verifier == again.verifier)
    #expect(
      VerifyingKey(key.verifier.text) == key.verifier && VerifyingKey(key.verifier.line) == key.verifier)
  }

  @Test func `a secret that is encrypted needs its passphrase, and one of another kind is refused`() throws {
    let pem = try SigningKey.generate().pem(passphrase: "tower")
    #expect(pem.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
    for (text, passphrase) in [(pem, "ground"), (pem, ""), ("no key", ""), ("", "")] {
      #expect(throws: CryptoError.self) { _ = try SigningKey(pem: text, passphrase: passphrase) }
    }
  }

  @Test func `what minisign signed is verified`() throws {
    let key = try #require(VerifyingKey(Self.key))
    try #require(MinisignSignature(Self.stock)).verify(file, by: key)
  }

  @Test(arguments: ["", "untrusted comment: x\nRUQ=\ntrusted comment: y\nAAAA\n", "a\nb\nc\nd\n"])
  func `what is no signature is told from a wrong one`(text: String) {
    #expect(MinisignSignature(text) == nil)
    #expect(VerifyingKey(text) == nil)
  }

  @Test func `a staged catalogue is signed, and a signed site stays signed`() throws {
    let sample = try SampleBuild()
    try sample.chart("Seattle")
    let key = try SigningKey.generate()
    var request = sample.request([sample.build("2612")])
    request.key = key
    _ = try Stager.stage(request, progress: SilentProgress())
    let text = try String(contentsOf: sample.site.appending(path: "catalog.json.minisig"), encoding: .utf8)
    let signature = try #require(MinisignSignature(text))
    try signature.verify([UInt8](Data(contentsOf: sample.catalogueFile)), by: key.verifier)
    #expect(signature.comment == "Chartpipe catalogue, serial 1")
    let before = try sample.hashes()
    request.key = nil
    let fault = try #require(throws: UserError.self) { try Stager.stage(request, progress: SilentProgress()) }
    #expect(fault.kind == .badCall && fault.reason.contains("signed"))
    #expect(try sample.hashes() == before)
  }
}
