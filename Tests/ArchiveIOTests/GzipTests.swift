import ArchiveIO
import Testing

@Suite struct GzipTests {
  private static let text = Array(String(repeating: "a chart and another chart ", count: 400).utf8)

  @Test(arguments: [[], [7], text])
  func `decompresses what it compressed`(bytes: [UInt8]) throws {
    let packed = try Gzip.compress(bytes)
    #expect(try Gzip.decompress(packed, limit: bytes.count) == bytes)
    #expect(packed == (try Gzip.compress(bytes)))
  }

  @Test func `gzip contains no time`() throws {
    let packed = try Gzip.compress(Self.text)
    #expect(packed.count < Self.text.count / 10)
    #expect(packed[0..<8] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "no name and no time")
  }

  @Test func `compresses a file to the same bytes each time or returns nil`() throws {
    let packed = try #require(try Self.text.withUnsafeBytes { try Gzip.compress($0, limit: 9600) })
    #expect(try Gzip.decompress(packed, limit: Self.text.count) == Self.text)
    #expect(packed[0..<8] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "no name and no time")
    #expect(try Self.text.withUnsafeBytes { try Gzip.compress($0, limit: packed.count + 32) } == packed)
    #expect(try Self.text.withUnsafeBytes { try Gzip.compress($0, limit: packed.count - 1) } == nil)
    #expect(try [UInt8](repeating: 1, count: 9).withUnsafeBytes { try Gzip.compress($0, limit: 0) } == nil)
  }

  @Test func `does not decompress more than the limit`() throws {
    let packed = try Gzip.compress(Self.text)
    #expect(throws: GzipError.tooLarge) { try Gzip.decompress(packed, limit: Self.text.count - 1) }
  }

  @Test func `damaged data is an error`() throws {
    let packed = try Gzip.compress(Self.text)
    #expect(throws: GzipError.damaged) { try Gzip.decompress([], limit: 100) }
    #expect(throws: GzipError.damaged) { try Gzip.decompress(Array(packed.dropLast(3)), limit: 1 << 30) }
    for place in [0, 30, packed.count - 6] {
      var broken = packed
      broken[place] ^= 0x55
      #expect(throws: GzipError.self) { try Gzip.decompress(broken, limit: 1 << 30) }
    }
    // A few bytes that declare two gigabytes.
    let claim = packed.dropLast(4) + [0, 0, 0, 0x7F]
    #expect(throws: GzipError.damaged) { try Gzip.decompress(Array(claim), limit: .max) }
  }
}
