import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// What arrives at the target with other bytes is found before a catalogue names it.
@Suite(.blocking) struct DamagedUploadTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()
  var signer: SigningKey? { key }

  @Test func `a damaged catalogue is taken back, and the repeat publishes`() throws {
    let store = FolderStore(root: target)
    try publish(site("first", ["2612": ["a": "1"]]), to: store)
    let before = try #require(try store.read(PublishedCatalogue.path)).data
    let third = try site("third", ["2612": ["a": "3"]])
    try expectFault("returned other bytes", kind: .failed) {
      try publish(third, to: DamagingStore(store: store, catalogueBut: before))
    }
    #expect(try store.read(PublishedCatalogue.path)?.data == before)
    try publish(third, to: store)
    #expect(try offered(in: store)["2612"]?["a"] == "3")
  }

  private func expectResent(_ store: any WritableObjectStore) throws {
    try publish(site("first", ["2612": ["a": "1"]]), to: store)
    let second = try site("second", ["2612": ["a": "the second chart"]])
    try expectFault("returned other bytes", kind: .failed) {
      try publish(second, to: DamagingStore(store: store))
    }
    try publish(second, to: store)
    #expect(try offered(in: store) == ["2612": ["a": "the second chart"]])
    // A publisher that was killed before it read the object back.
    let third = try site("third", ["2612": ["a": "the third chart"]])
    let path = try #require(try files(below: third).first { $0.hasSuffix(".mbtiles") })
    try put(Data("the wrong chart".utf8), path, in: store)
    let report = try publish(third, to: store)
    #expect(report.sent.contains { $0.path == path && $0.state == "changed" })
    #expect(try offered(in: store) == ["2612": ["a": "the third chart"]])
  }

  @Test func `a damaged object of any sender is sent again`() throws {
    try expectResent(FolderStore(root: target))
  }

  @Test(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
  func `a damaged object of a bucket of any sender is sent again`() async throws {
    try expectResent(try await S3Bench().store)
  }

  @Test func `a rollback reads the files back that it publishes again`() throws {
    let store = FolderStore(root: target)
    try publish(site("first", ["2612": ["a": "1"]]), to: store)
    let path = try #require(try catalogue(in: store).products.first?.files.first?.path)
    try publish(site("second", ["2612": ["a": "2"]]), to: store)
    try put(Data("X".utf8), path, in: store)
    let before = try #require(try store.read(PublishedCatalogue.path)).data
    try expectFault(path) { try rollBack(store) }
    #expect(try store.read(PublishedCatalogue.path)?.data == before)
  }
}

/// Stores archives, or each catalogue but one, with a changed byte, as a broken disk does.
struct DamagingStore: WrappedStore {
  let store: any WritableObjectStore
  var catalogueBut: Data?

  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  {
    var data: Data
    switch body {
    case .file(let file, _, _) where catalogueBut == nil: data = try file.data
    case .data(let catalogue)
    where catalogueBut != nil && catalogueBut != catalogue && key == PublishedCatalogue.path:
      data = catalogue
    default: return try store.put(body, at: key, headers, if: condition)
    }
    data[0] ^= 1
    return try store.put(.data(data), at: key, headers, if: condition)
  }
}
