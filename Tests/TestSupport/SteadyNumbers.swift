/// Numbers without a pattern, the same in every run.
public struct SteadyNumbers: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: Int = 88_172_645_463_325_252) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  public mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  public mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }

  public mutating func byte() -> UInt8 { UInt8(below(256)) }

  /// Here, since such a loop is slow in the debug builds of the tests.
  public static func bytes(_ count: Int, seed: Int = 1) -> [UInt8] {
    var numbers = SteadyNumbers(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 32) }
  }
}
