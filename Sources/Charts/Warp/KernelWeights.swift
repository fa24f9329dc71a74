/// The weights of cubic convolution (a = -1/2) for each of 256 positions between two pixels.
struct KernelWeights: Sendable {
  static let phases = 256
  static let one = 1 << 14

  /// Even.
  let taps: Int
  /// By phase. Each phase's weights add up to `one` exactly, so that an even colour stays what it is.
  let values: [Int16]

  /// - Parameter scale: in `RowScales.unit`s; the kernel is as much wider.
  init(scale: Int) {
    let width = Double(scale) / Double(RowScales.unit)
    let taps = 2 * Int((2 * width).rounded(.up))
    self.taps = taps
    values = (0..<KernelWeights.phases).flatMap { phase in
      let place = Double(phase) / Double(KernelWeights.phases)
      return KernelWeights.rounded(
        (0..<taps).map { KernelWeights.cubic((Double($0 - (taps / 2 - 1)) - place) / width) })
    }
  }

  private static func cubic(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
    return x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0
  }

  /// What rounding leaves over goes to the largest weight, which it changes least.
  private static func rounded(_ weights: [Double]) -> [Int16] {
    let sum = weights.reduce(0, +)
    var whole = weights.map { Int(($0 / sum * Double(one)).rounded()) }
    if let largest = whole.indices.max(by: { whole[$0] < whole[$1] }) {
      whole[largest] += one - whole.reduce(0, +)
    }
    return whole.map { Int16(clamping: $0) }
  }
}
