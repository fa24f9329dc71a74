internal import Foundation

/// How often each value of a column occurs, as long as there are not too many different ones; and about how many different
/// ones there are in any case.
///
/// Values go by a hash of their bytes, in a table of fixed size, so that counting millions of them takes no memory.
struct ValueCounts {
  /// With more different values than this none is frequent.
  private static let limit = 2048
  private static let slots = 4096
  /// Of the estimate: each value sets one of so many bits.
  private static let bits = 1 << 18

  private var keys = [UInt64](repeating: 0, count: ValueCounts.slots)
  private var counts = [Int](repeating: 0, count: ValueCounts.slots)
  private var values: [(slot: Int, text: String)] = []
  private var seen = [UInt64](repeating: 0, count: ValueCounts.bits / 64)
  private(set) var isOverfull = false

  /// - Parameter text: the value as text; asked for once for each different value.
  mutating func add(_ hash: UInt64, _ text: () -> String) {
    let bit = Int(hash & UInt64(ValueCounts.bits - 1))
    seen[bit >> 6] |= 1 << UInt64(bit & 63)
    guard !isOverfull else { return }
    var slot = Int(hash >> 32) & (ValueCounts.slots - 1)
    while counts[slot] > 0, keys[slot] != hash { slot = (slot + 1) & (ValueCounts.slots - 1) }
    if counts[slot] == 0 {
      guard values.count < ValueCounts.limit else {
        isOverfull = true
        return
      }
      keys[slot] = hash
      values.append((slot, text()))
    }
    counts[slot] += 1
  }

  /// Exact as long as there are few; else by the bits that are still unset.
  var differentValues: Double {
    guard isOverfull else { return Double(values.count) }
    let set = seen.reduce(0) { $0 + $1.nonzeroBitCount }
    let bits = Double(ValueCounts.bits)
    return -bits * log(max(1, bits - Double(set)) / bits)
  }

  /// Nil where there are too many.
  var all: [(text: String, count: Int)]? {
    isOverfull ? nil : values.map { ($0.text, counts[$0.slot]) }
  }
}

/// A hash of bytes that is the same on every machine.
func stableHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return mixed(hash)
}

/// The bits of a number, spread over all of a hash.
func mixed(_ bits: UInt64) -> UInt64 {
  var hash = bits
  hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
  hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
  return hash ^ (hash >> 33)
}
