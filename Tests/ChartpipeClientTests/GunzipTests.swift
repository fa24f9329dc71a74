import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// gzip by Python's zlib, unpacked.
struct GunzipTests {
  /// Writes the gzip of some data in several forms, and prints nothing.
  private static let program = """
    import gzip, io, random, sys, zlib
    folder = sys.argv[1]
    random.seed(7)
    datas = {
      "empty": b"", "short": b"a", "zeros": bytes(300_000), "noise": random.randbytes(200_000),
      "text": b" ".join(str(i * i).encode() for i in range(60_000)),
      "mixed": b"".join(random.choice([b"abc" * 99, random.randbytes(77), bytes(33_000)]) for _ in range(60)),
    }
    for name, data in datas.items():
      open(f"{folder}/{name}", "wb").write(data)
      for level in (0, 1, 9):
        open(f"{folder}/{name}.level{level}", "wb").write(gzip.compress(data, level, mtime=0))
      for strategy in (zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE):
        packer = zlib.compressobj(6, zlib.DEFLATED, 31, 9, strategy)
        half = packer.compress(data[:len(data) // 2]) + packer.flush(zlib.Z_FULL_FLUSH)
        open(f"{folder}/{name}.strategy{strategy}", "wb").write(half + packer.compress(data[len(data) // 2:]) + packer.flush())
      named = io.BytesIO()
      with gzip.GzipFile("chart.sqlite", "wb", fileobj=named) as file: file.write(data)
      open(f"{folder}/{name}.members", "wb").write(named.getvalue() + gzip.compress(b"more"))
    """

  private let gunzip = Gunzip(
    file: Catalog.FileReference(path: "blobs/a.gz", sha256: CatalogText.hash("0"), bytes: 0))

  private func unpacked(_ data: Data) throws -> Data {
    var whole = Data()
    try gunzip.unpack(data) { whole.append(contentsOf: $0) }
    return whole
  }

  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let ending = try Python.run(GunzipTests.program, [folder.url.path])
    try #require(ending.status == 0, "\(ending.errors)")
    return folder
  }

  @Test func `all forms of blocks and members unpack to the same bytes`() throws {
    let folder = try folder()
    let names = try files(below: folder.url)
    try #require(names.count == 6 * 8)
    for name in names where name.contains(".") {
      let original = try folder.file(String(name.prefix { $0 != "." })).data
      let expected = name.hasSuffix(".members") ? original + Data("more".utf8) : original
      #expect(try unpacked(try folder.file(name).data) == expected, "\(name)")
    }
  }

  @Test func `a cut gzip is refused at every length`() throws {
    let folder = try folder()
    let packed = try folder.file("short.level9").data
    for count in 0..<packed.count {
      #expect(throws: ChartpipeError.self, "\(count) bytes") { try unpacked(packed.prefix(count)) }
    }
    let error = #expect(throws: ChartpipeError.self) { try unpacked(Data("SQLite format 3".utf8)) }
    #expect(error?.reason == "the download is not a gzip")
  }

  /// Damage may go unnoticed here, since the caller verifies the hash. It must not trap, hang or use unlimited memory.
  @Test func `damaged data never trap`() throws {
    var random = SystemRandomNumberGenerator()
    let folder = try folder()
    for name in ["text.level9", "mixed.level1", "noise.strategy4", "text.members"] {
      let good = try folder.file(name).data.prefix(6000)
      for _ in 0..<300 {
        var bad = good
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bad[Int.random(in: 0..<bad.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var count = 0
        try? gunzip.unpack(bad) { bytes in
          count += bytes.count
          guard count < 1 << 20 else { throw CancellationError() }
        }
      }
    }
  }
}
