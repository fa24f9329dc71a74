import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

struct PublishFolderStoreTests {
  private let folder = TemporaryFolder()
  private let store: FolderStore

  init() throws { store = FolderStore(root: folder.file("target")) }

  @Test func `objects are listed by prefix, without leftovers`() throws {
    for key in ["blobs/ab/1", "blobs/cd/2", "blobsy", "catalog.json"] { try store.put(key, key) }
    try store.root.appending(path: ".publishing-x").put("half")
    #expect(try store.list("blobs/").map(\.key) == ["blobs/ab/1", "blobs/cd/2"])
    #expect(try store.list("blobs").map(\.key) == ["blobs/ab/1", "blobs/cd/2", "blobsy"])
    #expect(try store.list("").count == 4)
    #expect(try store.list("none/").isEmpty)
    #expect(try store.list("blobs/ab/").first?.bytes == 10)
    let left = store.root.appending(path: ".publishing-x")
    try store.clearLeftovers()
    #expect(left.exists)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -1000)], ofItemAtPath: left.path)
    try store.clearLeftovers()
    #expect(try files(below: store.root).count == 4)
    try store.remove("blobs/ab/1")
    try store.remove("blobs/ab/1")
    #expect(!store.root.appending(path: "blobs/ab").exists)
  }

  @Test func `a file with another hash is not published`() throws {
    let file = folder.file("file")
    try file.put("words")
    let right = try SHA256Hex(of: Array("words".utf8))
    let wrong = try SHA256Hex(of: Array("other".utf8))
    #expect(throws: UserError.self) {
      try store.put(.file(file, bytes: 5, sha256: wrong), at: "a", .blob(nil), if: .always)
    }
    #expect(try files(below: store.root).isEmpty)
    try store.put(.file(file, bytes: 5, sha256: right), at: "a", .blob(nil), if: .always)
    #expect(try store.read("a")?.data == Data("words".utf8))
  }

  @Test(arguments: ["../a", "a/../../b", "/a", "a//b", "", ".", "a/./b", "a\0b"])
  func `a key cannot lead out of the folder`(key: String) throws {
    #expect(throws: UserError.self) { try store.put("x", key) }
    #expect(throws: UserError.self) { try store.remove(key) }
    #expect(throws: UserError.self) { _ = try store.read(key) }
  }

  @Test func `a link that leads out is followed neither for writing nor for removing`() throws {
    let outside = folder.file("outside")
    try outside.makeFolder()
    try outside.appending(path: "file").put("theirs")
    try store.put("x", "a")
    try FileManager.default.createSymbolicLink(
      at: store.root.appending(path: "blobs"), withDestinationURL: outside)
    #expect(throws: UserError.self) { try store.put("x", "blobs/ab/new") }
    #expect(throws: UserError.self) { try store.remove("blobs/file") }
    #expect(try files(below: outside) == ["file"])
    let link = store.root.appending(path: "catalog.json")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside.appending(path: "file"))
    try store.put("ours", "catalog.json")
    #expect(try outside.appending(path: "file").data == Data("theirs".utf8))
    #expect(try store.read("catalog.json")?.data == Data("ours".utf8))
  }

  @Test func `objects are listed and put while another publisher removes others`() throws {
    let keys = (0..<300).map { "blobs/\($0 % 16)/\($0)" }
    for key in keys { try store.put("old", key) }
    try processEach(Array(0..<4), width: 4) { [store] thread in
      for (number, key) in keys.enumerated() {
        if thread == 0 {
          try store.remove(key)
        } else if number.isMultiple(of: 10) {
          _ = try store.list("")
          try store.put("new", "blobs/\(number % 16)/new-\(thread)")
          if thread == 1 { try store.remove("blobs/\(number % 16)/new-1") }
        }
      }
    }
    #expect(try store.list("").allSatisfy { $0.key.contains("/new-") })
  }
}
