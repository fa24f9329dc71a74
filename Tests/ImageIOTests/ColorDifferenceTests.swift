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

  private func difference(_ one: RGB, _ other: RGB) -> Double {
    LabColor(one).difference(to: LabColor(other))
  }
}
