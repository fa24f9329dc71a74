import Core
import ImageIO
import Testing

@testable import ChartpipeKit

@Suite struct InkRuleTests {
  private func isAccepted(_ expected: RGB, _ found: RGB) -> Bool {
    let sample = InkComparison.Sample(
      ink: expected, column: 0, row: 0, tile: TileID(zoom: 0, column: 0, row: 0), expected: expected,
      found: found, difference: LabColor(expected).difference(to: LabColor(found)), purity: 0, share: 1)
    return sample.difference <= TilesInks.limits.place(sample)
  }

  @Test func `a grey may be a few levels off in one channel, and a coloured ink may not be another one`() {
    // The tolerance of a palette allows 15 levels over the three channels.
    let grey = RGB(red: 0x99, green: 0x9D, blue: 0x83)
    #expect(isAccepted(grey, RGB(red: 0x9B, green: 0x91, blue: 0x84)))
    #expect(!isAccepted(grey, RGB(red: 0x9B, green: 0x89, blue: 0x84)))
    let (magenta, purple) = (RGB(red: 158, green: 32, blue: 104), RGB(red: 104, green: 32, blue: 158))
    #expect(!isAccepted(magenta, purple))
    #expect(!isAccepted(RGB(red: 0, green: 110, blue: 60), RGB(red: 0, green: 110, blue: 110)))
  }
}
