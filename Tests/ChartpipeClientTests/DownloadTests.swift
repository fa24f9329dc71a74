import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeClient

/// Downloads files of a site that the program published and signed, from a server that misbehaves.
@Suite(.slow, .blocking) struct DownloadTests {
  private let signed: SignedSite
  private let site: ChartpipeSite
  /// The archive of the chart, and its place on the device.
  private let file: Catalog.File
  private let target: URL
  private let part: URL

  init() async throws {
    signed = try await SignedSite()
    site = try await signed.open()
    file = try site.tiles()
    target = signed.folder.file("charts/Tiny.mbtiles")
    part = signed.folder.file("charts/Tiny.mbtiles.\(file.sha256.text.prefix(16)).part")
  }

  private var isRight: Bool { (try? file.check(target)) != nil }

  private func leftFiles() throws -> [String] { try files(below: signed.folder.file("charts")) }

  /// The bytes after which a connection breaks.
  private var third: Int { file.bytes / 3 }

  private var ranges: [String?] { signed.server.requests(for: "/\(file.path)").map { $0.fields["range"] } }

  /// What the server does with the next requests for the file.
  private func inject(_ behaviors: TestServer.Behavior...) {
    for behavior in behaviors { signed.server.inject(behavior, at: "/\(file.path)") }
  }

  // MARK: - Whole downloads

  @Test func `all files that an app needs download, packed and not`() async throws {
    var packed = 0
    for product in site.catalog.products {
      for file in product.filesToGet() {
        for unpacking in [true, false] {
          signed.server.clearLog()
          let target = signed.folder.file("\(unpacking)/\(file.sha256)")
          try await site.download(file, to: target, unpacking: unpacking)
          try file.check(target)
          let form = unpacking ? file.gzip?.path : nil
          #expect(signed.server.requests.map(\.path) == ["/\(form ?? file.path)"])
          packed += form == nil ? 0 : 1
        }
      }
    }
    #expect(packed >= 5)
    for folder in ["true", "false"] {
      #expect(try files(below: signed.folder.file(folder)).allSatisfy { $0.count == 64 })
    }
  }

  @Test func `a region reports its progress, and is not downloaded again`() async throws {
    let region = try #require(site.catalog.chartRegions(at: SignedSite.then).first)
    let seen = Mutex<[DownloadProgress]>([])
    try await site.download(region, to: target) { progress in seen.withLock { $0.append(progress) } }
    let all = seen.withLock(\.self)
    #expect(all.last == DownloadProgress(received: region.bytes, total: region.bytes))
    #expect(all.map(\.received) == all.map(\.received).sorted() && all.last?.fraction == 1)
    try await site.download(region, to: target)
    #expect(ranges == [nil])
    try target.put("the old edition")
    try await site.download(region, to: target)
    try region.check(target)
  }

  // MARK: - Broken connections

  @Test(arguments: [true, false])
  func `a broken download continues where it ended`(isReset: Bool) async throws {
    inject(isReset ? .reset(after: third) : .ends(after: third))
    try await site.download(file, to: target)
    #expect(isRight)
    let sent = signed.server.sentBytes("/\(file.path)")
    #expect(sent <= file.bytes + third && sent >= file.bytes && ranges.count == 2)
    #expect(try leftFiles() == ["Tiny.mbtiles"])
  }

  @Test func `a download that failed continues later, with the ETag of its first response`() async throws {
    let site = try await signed.open(attempts: 1)
    inject(.ends(after: third))
    await expectError(.network, "1 attempts failed. Try again later.") {
      try await site.download(file, to: target)
    }
    let name = part.lastPathComponent
    #expect(try leftFiles() == [name, "\(name).etag"])
    let arrived = try part.data.count
    #expect(arrived > 0 && arrived <= third)
    try await signed.open(attempts: 1).download(file, to: target)
    #expect(isRight && ranges == [nil, "bytes=\(arrived)-"])
    #expect(signed.server.requests(for: "/\(file.path)").last?.fields["if-range"]?.hasPrefix("\"") == true)
    #expect(try leftFiles() == ["Tiny.mbtiles"])
  }

  @Test func `a connection that breaks often does not use up the attempts while bytes arrive`() async throws {
    let site = try await signed.open(attempts: 2)
    for _ in 0..<6 { inject(.ends(after: file.bytes / 9)) }
    try await site.download(file, to: target)
    #expect(isRight && ranges.count == 7)
  }

  @Test func `attempts without a new byte are counted`() async throws {
    let site = try await signed.open(attempts: 3)
    signed.server.always(.status(503), at: "/\(file.path)")
    await expectError(.network, "the server answered 503; 3 attempts failed. Try again later.") {
      try await site.download(file, to: target)
    }
    #expect(ranges.count == 3)
  }

  @Test func `a silent server counts as a failure`() async throws {
    let network = signed.network(attempts: 2, stallTimeout: .seconds(1))
    let site = try #require(
      try ChartpipeSite.saved(signed.address, key: signed.key(), state: signed.state, network: network))
    inject(.silent, .silent)
    await expectError(.network, "sent nothing for too long; 2 attempts failed") {
      try await site.download(file, to: target)
    }
    #expect(ranges.count == 2)
  }

  @Test func `a slow server is not a silent one`() async throws {
    // A server of a busy machine may be silent for seconds before it answers.
    let site = try await signed.open(attempts: 3, stallTimeout: .seconds(8))
    inject(.slow(piece: file.bytes / 8, pause: 1.2))
    try await site.download(file, to: target)
    #expect(isRight && ranges.count == 1)
  }

  // MARK: - Ranges

  @Test(arguments: [TestServer.Behavior.ignoresRanges, .shiftsRanges(by: 7), .omitsValidators])
  func `a server with other ranges starts over or continues, and the file is right`(
    behavior: TestServer.Behavior
  ) async throws {
    signed.server.always(behavior, at: "/\(file.path)")
    inject(.ends(after: third), behavior, behavior)
    try await site.download(file, to: target)
    #expect(isRight)
    #expect(try leftFiles() == ["Tiny.mbtiles"])
  }

  /// Without `If-Range` only the response or the hash shows the change, so another request is needed.
  @Test(arguments: [
    (nil, true, 2), (TestServer.Behavior.ignoresIfRange, true, 3), (.ignoresIfRange, false, 3),
    (.omitsValidators, false, 3),
  ])
  func `a file that changes during its download is not mixed`(
    behavior: TestServer.Behavior?, hasTag: Bool, requests: Int
  ) async throws {
    let right = try signed.site.appending(path: file.path).data
    try signed.change(file.path) { $0 = Data(repeating: 7, count: right.count) }
    inject(.ends(after: third))
    let impatient = try await signed.open(attempts: 1)
    await expectError(.network, "1 attempts failed. Try again later.") {
      try await impatient.download(file, to: target)
    }
    if !hasTag { try part.appendingPathExtension("etag").remove() }

    try signed.change(file.path) { $0 = right }
    signed.server.always(behavior, at: "/\(file.path)")
    try await signed.open().download(file, to: target)
    #expect(isRight && ranges.count == requests)
    #expect(ranges[1] != nil)
  }

  @Test func `a part that is too long or wrong starts over`() async throws {
    try signed.folder.file("charts").makeFolder()
    for count in [10, file.bytes, file.bytes + 1] {
      try? target.remove()
      try Data(repeating: 7, count: count).write(to: part)
      try await site.download(file, to: target)
      #expect(isRight)
    }
  }

  // MARK: - Wrong files

  @Test func `a wrong file leaves nothing under the final name, and an old file in place`() async throws {
    let right = try signed.site.appending(path: file.path).data
    let changes: [(words: String, change: (inout Data) -> Void)] = [
      ("its SHA-256 is", { $0[$0.count / 2] ^= 1 }),
      ("the server has \(file.bytes + 4) bytes instead of \(file.bytes)", { $0.append(Data("more".utf8)) }),
      ("the server has 900 bytes instead of \(file.bytes)", { $0 = $0.prefix(900) }),
    ]
    for old in [nil, Data("the old edition".utf8)] {
      try old?.write(to: target)
      for (words, change) in changes {
        try signed.change(file.path, change)
        await expectError(.integrity, words) { try await site.download(file, to: target) }
        #expect((try? target.data) == old)
        try signed.change(file.path) { $0 = right }
      }
    }
    signed.server.hide("/\(file.path)")
    await expectError(.missing, "Open the site again") { try await site.download(file, to: target) }
    signed.server.hide("/\(file.path)", false)
    try await site.download(file, to: target)
    #expect(isRight)
  }

  @Test func `a page of a captive portal is refused`() async throws {
    inject(.page("<html>Welcome to the airport</html>"))
    await expectError(.integrity, "bytes instead of") { try await site.download(file, to: target) }
  }

  @Test func `a gzip with other contents is refused`() async throws {
    func file(_ id: String) throws -> Catalog.File {
      try #require(site.catalog.offer(of: id, at: SignedSite.then).inForce?.files.first)
    }
    var mixed = try file(SignedSite.database)
    mixed.gzip = try file("sample-nasr/openefb").gzip
    await expectError(.integrity, "unpacking \(mixed.path): its size or hash is wrong") {
      try await site.download(mixed, to: target)
    }
    mixed = try file(SignedSite.database)
    mixed.bytes -= 1
    await expectError(.integrity, "it has more than") { try await site.download(mixed, to: target) }
    #expect(try leftFiles().allSatisfy { $0.contains(".part") })
  }

  // MARK: - Cancellation and the disk

  @Test func `a cancelled download keeps its bytes and continues`() async throws {
    let site = try await signed.open(stallTimeout: .seconds(120))
    // On a busy machine, the test goes on seconds after the first bytes came.
    inject(.slow(piece: file.bytes / 3, pause: 40))
    let (stream, arrivals) = AsyncStream<Int>.makeStream()
    let task = Samples.shared { [file, target] in
      try await site.download(file, to: target) { arrivals.yield($0.received) }
    }
    for await count in stream where count > file.bytes / 4 { break }
    task.cancel()
    // Not after the task: until then its connection uses a processor.
    signed.server.hangUp()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!target.exists)
    try await site.download(file, to: target)
    #expect(isRight && ranges.count == 2 && ranges[1] != nil)
  }

  @Test func `a second download to the same file is refused while the first runs`() async throws {
    // On a busy machine, the test goes on seconds after the first bytes came.
    inject(.slow(piece: file.bytes / 3, pause: 40))
    let (stream, arrivals) = AsyncStream<Int>.makeStream()
    async let first: Void = site.download(file, to: target) { arrivals.yield($0.received) }
    for await _ in stream { break }
    await expectError(.busy, "another download writes this file") {
      try await site.download(file, to: target)
    }
    signed.server.hangUp()
    try await first
    #expect(isRight)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a full disk is an error with its remedy`() async throws {
    try signed.folder.file("charts").makeFolder()
    try FileManager.default.createSymbolicLink(atPath: part.path, withDestinationPath: "/dev/full")
    await expectError(.disk, "the disk is full. Free some space") {
      try await site.download(file, to: target)
    }
    #expect(!target.exists)
  }

  @Test func `a file that is larger than the free space is refused before its download`() async throws {
    var file = file
    file.bytes = 1 << 60
    await expectError(.disk, "bytes free. Free some space") { try await site.download(file, to: target) }
    #expect(ranges.isEmpty)
  }

  @Test func `a target below a file is an error`() async throws {
    try Data().write(to: signed.folder.file("charts"))
    await expectError(.disk, "downloading blobs/") { try await site.download(try site.tiles(), to: target) }
  }
}
