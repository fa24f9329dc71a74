import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

struct Blake2bTests {
  @Test func `the hash of RFC 7693, appendix A`() {
    #expect(
      hex(Blake2b.hash(Array("abc".utf8))) == """
        ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
        7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
        """)
  }

  @Test func `the hash of libcrypto for messages around the ends of blocks`() throws {
    let message = (0..<700).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + $0 * 7 + 255) }
    for length in 0...message.count where length % 128 < 3 || length % 128 > 125 || length % 29 == 0 {
      let part = Array(message[..<length])
      let digest = try Digest(.blake2b512)
      try digest.update(part)
      #expect(try Blake2b.hash(part) == digest.finish(), "\(length) bytes")
    }
  }

  @Test func `the hash of Python's hashlib`() throws {
    let messages = ["", "a", String(repeating: "chart ", count: 5000)]
    let program = "import hashlib, sys; print(hashlib.blake2b(sys.argv[1].encode()).hexdigest())"
    for message in messages {
      let ending = try Python.run(program, [message])
      #expect(ending.output == hex(Blake2b.hash(Array(message.utf8))) + "\n")
    }
  }
}

struct Ed25519Tests {
  /// The tests 1 to 3 of RFC 8032, section 7.1.
  private static let vectors = [
    (
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
      signature: """
      e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155\
      5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
      """
    ),
    (
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
      signature: """
      92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
      085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
      """
    ),
    (
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
      signature: """
      6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac\
      18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
      """
    ),
  ]

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  @Test func `the signatures of RFC 8032 are valid, and with any changed bit they are not`() throws {
    for vector in Self.vectors {
      let (key, message, signature) = (bytes(vector.key), bytes(vector.message), bytes(vector.signature))
      #expect(try Ed25519.isValid(signature, of: message, key: key))
      #expect(try !Ed25519.isValid(signature, of: message + [0], key: key))
      #expect(try !Ed25519.isValid(signature, of: message, key: bytes(Self.vectors[0].key).reversed()))
      for bit in 0..<512 {
        var other = signature
        other[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(try !Ed25519.isValid(other, of: message, key: key), "bit \(bit)")
      }
    }
  }

  @Test func `a second half that is not below the group's order is refused`() throws {
    // 2^252 + 27742317777372353535851937790883648493, the lowest byte first.
    let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    for vector in Self.vectors {
      var (signature, carry) = (bytes(vector.signature), 0)
      for i in order.indices {
        carry += Int(signature[32 + i]) + Int(order[i])
        signature[32 + i] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      #expect(try !Ed25519.isValid(signature, of: bytes(vector.message), key: bytes(vector.key)))
    }
  }

  @Test func `a point that is not encoded canonically is refused`() throws {
    // The neutral element as key and first half: y is 1, or 1 plus the prime of the field.
    let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    let noncanonical: [UInt8] = [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(try !Ed25519.isValid(noncanonical + zero, of: [1, 2, 3], key: neutral))
  }

  @Test func `halves, other lengths and keys of other lengths are refused`() throws {
    let (key, signature) = (bytes(Self.vectors[0].key), bytes(Self.vectors[0].signature))
    for wrong in [[], Array(signature.dropLast()), signature + [0]] {
      #expect(try !Ed25519.isValid(wrong, of: [], key: key))
    }
    for wrong in [[], Array(key.dropLast()), key + [0]] {
      #expect(try !Ed25519.isValid(signature, of: [], key: wrong))
    }
  }
}

struct MinisignTests {
  private static let minisign = URL(filePath: "/usr/bin/minisign")
  private static let isInstalled = FileManager.default.isExecutableFile(atPath: minisign.path)
  private static let key = "RWQxKhr7Uj0291K4CuknBQA1QE3uhnSdZsR4WNVONBAUIbv/rTyU9vq/"

  @Test(.enabled(if: isInstalled), arguments: [false, true])
  func `both forms of minisign verify, and every part is protected`(isLegacy: Bool) throws {
    let folder = TemporaryFolder()
    let file = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    try file.write(to: folder.file("message"))
    let commands = [
      ["-G", "-W", "-p", "key.pub", "-s", "key"],
      ["-S", "-s", "key", "-m", "message", "-x", "signature", "-t", "serial 7", "-c", "naïve"]
        + (isLegacy ? ["-l"] : []),
    ]
    for command in commands {
      let ending = try RunningProgram(MinisignTests.minisign, command, in: folder.url).wait()
      try #require(ending.status == 0, "\(ending.errors)")
    }
    let key = try PublicKey(folder.file("key.pub").text)
    let text = try folder.file("signature").text
    let signature = try Signature(text, path: "message.minisig")
    #expect(
      signature.algorithm == (isLegacy ? .legacy : .prehashed) && signature.trustedComment == "serial 7")
    try signature.verify(file, by: key, path: "message")
    try Signature(text.replacing("\n", with: "\r\n"), path: "").verify(file, by: key, path: "message")

    #expect(throws: refusal("the signature does not match the file")) {
      try signature.verify(file + [0], by: key, path: "message")
    }
    let comment = try Signature(text.replacing("serial 7", with: "serial 8"), path: "message.minisig")
    #expect(throws: refusal("the trusted comment of the signature was changed")) {
      try comment.verify(file, by: key, path: "message")
    }
    // A signature of one form does not pass for one of the other.
    let other = try Signature(
      text.replacing(isLegacy ? "\nRW" : "\nRU", with: isLegacy ? "\nRU" : "\nRW"), path: "message.minisig")
    #expect(throws: refusal("the signature does not match the file")) {
      try other.verify(file, by: key, path: "message")
    }
    let stranger = try PublicKey(MinisignTests.key)
    #expect(throws: refusal("the signature is of the key \(key.name), not of \(stranger.name)")) {
      try signature.verify(file, by: stranger, path: "message")
    }
  }

  private func refusal(_ reason: String) -> ChartpipeError {
    ChartpipeError(
      .signature, "verifying the signature of message", reason,
      "Do not trust the file; keep the one that you have")
  }

  @Test func `a key is read from its file or its line`() throws {
    let key = try PublicKey(MinisignTests.key)
    #expect(key.name == "F7363D52FB1A2A31")
    for text in [
      "untrusted comment: minisign public key\n\(MinisignTests.key)\n",
      "untrusted comment: x\r\n  \(MinisignTests.key) \r\n",
    ] { #expect(try PublicKey(text) == key) }
    for text in ["", "RWQ", "\(MinisignTests.key)AAAA", "RU" + MinisignTests.key.dropFirst(2), "no key"] {
      let error = try #require(throws: ChartpipeError.self) { try PublicKey(text) }
      #expect(error.code == .invalid && error.description.contains("starts with RW"))
    }
  }

  @Test(arguments: [
    "", "untrusted comment: x\nRUQ=\ntrusted comment: y\nAAAA\n", "a\nb\nc\nd\n",
    "untrusted comment: x\n\(String(repeating: "A", count: 99))=\ntrusted comment: y\n\n",
  ])
  func `a text that is not a signature is refused`(text: String) {
    #expect(throws: ChartpipeError.self) { try Signature(text, path: "x.minisig") }
  }
}
