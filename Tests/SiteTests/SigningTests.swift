import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

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

  @Test func `a signature is verified for every byte and for its comment`() throws {
    let key = try SigningKey.generate()
    let signature = try key.signature(of: file, comment: "serial 1")
    let read = try #require(Signature(minisign: signature.text))
    #expect(read == signature)
    try read.verify(file, by: key.verifier)
    for index in file.indices {
      var other = file
      other[index] ^= 1
      #expect(throws: Signature.Refusal.wrong) { try read.verify(other, by: key.verifier) }
    }
    let forged = try #require(
      Signature(minisign: signature.text.replacing("comment: serial 1", with: "comment: serial 2")))
    #expect(throws: Signature.Refusal.wrongComment) { try forged.verify(file, by: key.verifier) }
  }

  @Test func `the signature of another key is rejected with its name`() throws {
    let (key, other) = (try SigningKey.generate(), try SigningKey.generate())
    let signature = try key.signature(of: file, comment: "")
    #expect(
      throws: Signature.Refusal.otherKey(has: key.verifier.name, needs: other.verifier.name)
    ) { try signature.verify(file, by: other.verifier) }
  }

  @Test func `the same key signs the same file in the same way`() throws {
    let key = try SigningKey.generate()
    let again = try SigningKey(pem: key.pem(passphrase: "tower"), passphrase: "tower")
    #expect(try key.signature(of: file, comment: "a") == again.signature(of: file, comment: "a"))
    #expect(key.verifier == again.verifier)
    #expect(
      PublicKey(minisign: key.verifier.text) == key.verifier
        && PublicKey(minisign: key.verifier.line) == key.verifier)
  }

  @Test func `an encrypted key needs its passphrase, and another kind of key is rejected`() throws {
    let pem = try SigningKey.generate().pem(passphrase: "tower")
    #expect(pem.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
    for (text, passphrase) in [(pem, "ground"), (pem, ""), ("no key", ""), ("", "")] {
      #expect(throws: CryptoError.self) { _ = try SigningKey(pem: text, passphrase: passphrase) }
    }
  }

  @Test func `a signature by minisign is verified`() throws {
    let key = try #require(PublicKey(minisign: Self.key))
    try #require(Signature(minisign: Self.stock)).verify(file, by: key)
  }

  @Test func `a staged catalogue is signed, and a signed site stays signed`() throws {
    let sample = SampleBuild()
    try sample.chart("Seattle")
    let key = try SigningKey.generate()
    try sample.stage(sample.build("2612")) { $0.key = key }
    let text = try sample.file("catalog.json.minisig").text
    let signature = try #require(Signature(minisign: text))
    try signature.verify([UInt8](sample.catalogueFile.data), by: key.verifier)
    #expect(signature.trustedComment == "Chartpipe catalogue, serial 1")
    let before = try sample.hashes()
    try expectFault("signed", kind: .badCall) { try sample.stage(sample.build("2612")) }
    #expect(try sample.hashes() == before)
  }
}

private let minisign = URL(filePath: "/usr/bin/minisign")

/// Signatures as the world's own `minisign` sees them.
@Suite(.blocking, .enabled(if: FileManager.default.isExecutableFile(atPath: minisign.path)))
struct StockMinisignTests {
  private let sample = SampleBuild()
  private let publicKey: URL

  init() throws {
    let key = try SigningKey.generate()
    publicKey = sample.folder.file("key.pub")
    try publicKey.put(key.verifier.text)
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612")) { $0.key = key }
  }

  private func verify(_ key: [String]) throws -> Program.Ending {
    try RunningProgram(minisign, ["-V", "-m", sample.catalogueFile.path] + key).wait()
  }

  @Test func `minisign accepts a staged catalogue, with the key's file and with its line`() throws {
    let ending = try verify(["-p", publicKey.path])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("Trusted comment: Chartpipe catalogue, serial 1"))
    let line = try publicKey.text.split(separator: "\n")[1]
    #expect(try verify(["-P", String(line)]).status == 0)
  }

  @Test(arguments: ["catalog.json", "catalog.json.minisig"])
  func `minisign rejects a catalogue after a changed byte`(name: String) throws {
    let file = sample.file(name)
    var bytes = try file.data
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: file)
    #expect(try verify(["-p", publicKey.path]).status != 0)
  }

  @Test func `minisign rejects the catalogue with another key`() throws {
    #expect(try verify(["-P", SigningKey.generate().verifier.line]).status != 0)
  }
}
