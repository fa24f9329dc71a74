/// Steele, Lea and Flood's small generator: the same numbers on every machine and with every library.
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator of its own for one cell of the world, whatever sheet asks.
  init(seed: UInt64, column: Int, row: Int) {
    let mixed = SplitMix64.mix(seed &+ UInt64(bitPattern: Int64(column)) &* 0x9E37_79B9_7F4A_7C15)
    state = SplitMix64.mix(mixed ^ UInt64(bitPattern: Int64(row)) &* 0xC2B2_AE3D_27D4_EB4F)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(state)
  }

  /// 0 up to, but not, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int(next() % UInt64(choices.count))] }

  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
