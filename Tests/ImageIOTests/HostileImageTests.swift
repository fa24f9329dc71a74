import ImageIO
import Testing

@Suite("Images that are broken or mean harm")
struct HostileImageTests {
  private let chart = Pictures.chart(width: 48, height: 40)

  private func tiles() throws -> [[UInt8]] {
    let palette = Pictures.palette(of: chart)
    let formats: [TileFormat] = [.png8(palette), .png32, .webp(quality: 70), .webpLossless(palette)]
    return try formats.map { try #require(try TileCodec($0).encode(chart)) }
  }

  @Test("a changed file is read or refused, within the limit, and never more")
  func mutations() throws {
    var random = SystemIndependentNumbers()
    for tile in try tiles() {
      for _ in 0..<750 {
        var changed = tile
        for _ in 0...random.next(below: 3) {
          changed[random.next(below: changed.count)] = UInt8(random.next(below: 256))
        }
        guard let image = try? TileImage.decode(changed, sideLimit: 512) else { continue }
        #expect(image.width <= 512 && image.height <= 512)
      }
    }
  }

  @Test("a file that ends early is an error at any length")
  func truncated() throws {
    for tile in try tiles() {
      for length in Array(stride(from: 0, to: tile.count - 1, by: 61)) {
        #expect(throws: ImageError.self) { try TileImage.decode(Array(tile.prefix(length))) }
      }
    }
  }

  @Test("a WebP larger than the limit is not unpacked")
  func largeWebP() throws {
    let tile = try #require(try TileCodec(.webp(quality: 50)).encode(chart))
    #expect(try TileImage.decode(tile, sideLimit: 48) == TileImage.decode(tile))
    let error = #expect(throws: ImageError.self) { try TileImage.decode(tile, sideLimit: 47) }
    #expect(error?.message == "the WebP has 48 x 40 pixels, more than may be read")
  }

  @Test("what is neither PNG nor WebP is refused")
  func otherKinds() {
    for text in ["", "RIFF", "RIFF....WAVEfmt ", "\u{7F}ELF", "<html>"] {
      #expect(throws: ImageError.self) { try TileImage.decode(Array(text.utf8)) }
    }
  }
}

/// The same numbers on every run.
private struct SystemIndependentNumbers {
  private var state: UInt32 = 2_611

  mutating func next(below limit: Int) -> Int {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int(state >> 8) % limit
  }
}
