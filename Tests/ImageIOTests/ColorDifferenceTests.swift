import ImageIO
import Testing

@Suite("Differences of colours")
struct ColorDifferenceTests {
  @Test(
    "CIEDE2000 by hand: grays differ by their lightness alone, scaled by how far it is from the middle",
    arguments: [(0, 0, 0.0), (0, 255, 100.0), (119, 121, 0.78)] as [(UInt8, UInt8, Double)])
  func grays(one: UInt8, other: UInt8, expected: Double) {
    let found = difference(RGB(red: one, green: one, blue: one), RGB(red: other, green: other, blue: other))
    #expect(abs(found - expected) < 0.02, "\(found)")
  }

  @Test("it is the same in both directions, and nothing from a colour to itself")
  func symmetry() {
    var state: UInt32 = 7
    func random() -> RGB {
      state = state &* 1_664_525 &+ 1_013_904_223
      return RGB(red: UInt8(state >> 24), green: UInt8(state >> 16 & 255), blue: UInt8(state >> 8 & 255))
    }
    for _ in 0..<200 {
      let (one, other) = (random(), random())
      #expect(difference(one, one) == 0)
      #expect(abs(difference(one, other) - difference(other, one)) < 0.01)
    }
  }

  @Test("inks of charts are far apart, and what nobody tells apart is near")
  func inks() {
    let (blue, magenta) = (RGB(red: 24, green: 66, blue: 150), RGB(red: 158, green: 32, blue: 104))
    #expect(difference(blue, magenta) > 25)
    #expect(difference(magenta, RGB(red: 160, green: 34, blue: 104)) < 1)
  }

  @Test(
    "CIEDE2000 of inks, as an independent program computes it",
    arguments: [
      (0x9E2068, 0x184296, 30.2), (0x9E2068, 0x784828, 31.2), (0x9E2068, 0x6E2896, 16.6),
      (0x14783C, 0x008080, 20.4), (0xE67814, 0xD21414, 24.5), (0x35262A, 0x322E26, 11.4),
    ])
  func reference(one: Int, other: Int, expected: Double) {
    let found = difference(rgb(one), rgb(other))
    #expect(abs(found - expected) < 0.2, "\(found)")
  }

  private func rgb(_ number: Int) -> RGB {
    RGB(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
  }

  private func difference(_ one: RGB, _ other: RGB) -> Double {
    LabColor(one).difference(to: LabColor(other))
  }
}
