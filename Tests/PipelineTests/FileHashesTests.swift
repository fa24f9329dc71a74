import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite(.blocking) struct FileHashesTests {
  let folder = TemporaryFolder()
  let workspace: Workspace
  let file: URL

  init() throws {
    workspace = Workspace(folder.url)
    try workspace.prepare()
    file = folder.file("chart.mbtiles")
    try file.put("content")
    // Until a change would get another time on any file system with nanoseconds.
    Thread.sleep(forTimeInterval: 0.05)
  }

  private func save() throws {
    let hashes = FileHashes(in: workspace)
    _ = try hashes.sha256(of: file)
    hashes.save()
  }

  private var saved: String { get throws { try workspace.fileHashes.text } }

  /// Replaces the hash of the file in the stored list, which shows whether a run uses the list.
  private func forge() throws -> SHA256Hex {
    let forged = try SHA256Hex(of: [1, 2, 3])
    let content = try saved.split(separator: "\n", maxSplits: 1)[1]
      .replacing(SHA256Hex(ofFile: file).text, with: forged.text)
    try Data(content.utf8).sealed(as: FileHashes.form).write(to: workspace.fileHashes)
    return forged
  }

  @Test func `an unchanged file is not read again`() throws {
    try save()
    let forged = try forge()
    #expect(try FileHashes(in: workspace).sha256(of: file) == forged)
    #expect(try FileHashes(in: workspace, rehash: true).sha256(of: file) == SHA256Hex(ofFile: file))
  }

  @Test func `a change of the same size with the old modification time is noticed`() throws {
    try save()
    let before = try FileManager.default.attributesOfItem(atPath: file.path)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("CONTENT".utf8))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before[.modificationDate])], ofItemAtPath: file.path)
    let after = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(before[.size] as? Int == after[.size] as? Int)
    #expect(try FileHashes(in: workspace).sha256(of: file) == SHA256Hex(of: Array("CONTENT".utf8)))
  }

  @Test func `a replaced file and a removed file are noticed`() throws {
    try save()
    try Data("CONTENT".utf8).write(to: file, options: .atomic)
    #expect(try FileHashes(in: workspace).sha256(of: file) == SHA256Hex(of: Array("CONTENT".utf8)))
    try file.remove()
    #expect(throws: (any Error).self) { try FileHashes(in: workspace).sha256(of: file) }
  }

  @Test func `a damaged or missing list only costs time`() throws {
    try save()
    _ = try forge()
    let whole = try workspace.fileHashes.data
    for damaged in [Data(), whole.dropLast(3), whole + [9], Data("chartpipe file hashes 1\n".utf8)] {
      try damaged.write(to: workspace.fileHashes)
      #expect(try FileHashes(in: workspace).sha256(of: file) == SHA256Hex(ofFile: file))
    }
    try workspace.journal.remove()
    #expect(try FileHashes(in: workspace).sha256(of: file) == SHA256Hex(ofFile: file))
  }

  @Test func `a hash counts only if a later change would get another time`() throws {
    let stamp = try #require(FileStamp(file))
    #expect(stamp.unsettled(at: Date(timeIntervalSinceNow: -10)) > 0)
    #expect(stamp.unsettled(at: Date(timeIntervalSinceNow: 3)) < 0)
  }

  @Test func `a published file keeps the hash of its scratch file`() throws {
    let hashes = FileHashes(in: workspace)
    let final = folder.file("blobs/final")
    #expect(throws: CancellationError.self) {
      try hashes.publish(file, as: final) { _ in throw CancellationError() }
    }
    #expect(final.kindOnDisk == nil)
    try hashes.publish(file, as: final) { #expect($0 == (try? SHA256Hex(of: Array("content".utf8)))) }
    hashes.save()
    #expect(try saved.contains("\"blobs/final\""))
  }

  @Test func `a second name shares the file, and both names keep the hash`() throws {
    let hashes = FileHashes(in: workspace)
    let (final, scratch) = (folder.file("blobs/final"), folder.file("scratch/final"))
    #expect(throws: CancellationError.self) {
      _ = try hashes.link(file, as: final, scratch: scratch) { _ in throw CancellationError() }
    }
    #expect(final.kindOnDisk == nil && scratch.kindOnDisk == nil)
    #expect(try hashes.link(file, as: final, scratch: scratch) { _ in })
    #expect(FileStamp(final) == FileStamp(file) && scratch.kindOnDisk == nil)
    hashes.save()
    #expect(try saved.contains("\"blobs/final\"") && saved.contains("\"chart.mbtiles\""))
  }
}
