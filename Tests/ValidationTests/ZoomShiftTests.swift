import ImageIO
import Testing

@testable import ChartpipeKit

/// The measured shift of a zoom against the zoom above it.
@Suite struct ZoomShiftTests {
  private static let cells = TileSurvey.cells

  /// Measures tiles with random cells of 100 levels and up to `contrast` more, which are moved east by a share of a cell and differ
  /// by noise of up to a level.
  private static func measured(
    contrast: UInt8, movedBy share: Double
  ) throws -> (length: Double, error: Double) {
    var random = Randomness()
    var shift = TilesAgree.ZoomShift()
    for _ in 0..<2 {
      let parent = (0..<cells * cells).flatMap { _ in
        [UInt8](repeating: 100 + UInt8(random.next() % UInt64(contrast + 1)), count: 3) + [255]
      }
      for row in 0..<cells {
        for column in 1..<cells - 1 {
          let place = (row * cells + column) * 4
          let slope = (Double(parent[place + 4]) - Double(parent[place - 4])) / 2
          let apart = Int64((4 * share * slope).rounded()) + Int64(random.next() % 9) - 4
          shift.add(SIMD4(repeating: apart), in: parent, column, row)
        }
      }
    }
    return try #require(shift.cells)
  }

  @Test func `is far larger than its error where tiles are moved`() throws {
    let found = try Self.measured(contrast: 60, movedBy: 0.1)
    #expect(abs(found.length - 0.1) < 0.01)
    #expect(found.length > 10 * found.error)
  }

  @Test func `is not certain where the cells barely differ`() throws {
    let found = try Self.measured(contrast: 1, movedBy: 0)
    #expect(found.length < 4 * found.error)
    #expect(found.error > 0.02, "as large as the shift that is refused")
  }
}

/// The same numbers on every run.
private struct Randomness: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
