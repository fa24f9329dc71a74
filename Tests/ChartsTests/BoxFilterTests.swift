import ImageIO
import Testing

@testable import Charts

@Suite("Lower zooms from their children")
struct BoxFilterTests {
  private func mean(_ pixels: [UInt8]) -> [UInt8] {
    RGBAImage(width: 2, height: 2, pixels: pixels).halved().pixels
  }

  @Test("opaque pixels are averaged and rounded to the nearest")
  func opaque() {
    #expect(
      mean([10, 0, 255, 255, 11, 0, 255, 255, 11, 0, 255, 255, 11, 2, 254, 255]) == [11, 1, 255, 255])
    #expect(mean([1, 1, 1, 255, 0, 1, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]) == [0, 1, 0, 255])
  }

  @Test("a transparent pixel has no say in the colour, only in the alpha")
  func halfTransparent() {
    let red: [UInt8] = [200, 10, 20, 255]
    let nothing: [UInt8] = [0, 0, 0, 0]
    #expect(mean(red + red + nothing + nothing) == [200, 10, 20, 128])
    #expect(mean(nothing + nothing + nothing + red) == [200, 10, 20, 64])
    #expect(mean(nothing + nothing + nothing + nothing) == nothing)
  }

  @Test("colours are weighed by their alphas")
  func weighed() {
    #expect(
      mean([100, 0, 0, 255, 200, 0, 0, 85, 0, 0, 0, 0, 0, 0, 0, 0]) == [125, 0, 0, 85])
  }

  @Test("the faintest pixel leaves a trace, so that no tile loses its parent")
  func trace() {
    #expect(mean([9, 8, 7, 1] + [UInt8](repeating: 0, count: 12)) == [9, 8, 7, 1])
  }

  @Test("each quarter goes to its own place")
  func places() {
    var image = RGBAImage(width: 4, height: 4)
    for row in 0..<4 {
      for column in 0..<4 {
        let value = UInt8((row / 2) * 2 + column / 2 + 1)
        let start = (row * 4 + column) * 4
        image.pixels.replaceSubrange(start..<start + 4, with: [value, value, value, 255])
      }
    }
    #expect(image.halved().pixels.enumerated().filter { $0.offset % 4 == 0 }.map(\.element) == [1, 2, 3, 4])
  }
}
