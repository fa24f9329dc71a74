/// BLAKE2b-512 (RFC 7693) without a key. CryptoKit does not have it.
enum Blake2b {
  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  /// The order of the message's words in each round. Rounds 10 and 11 repeat the first two.
  private static let schedule: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  /// The words that each of the eight mixings of a round changes: four columns, then four diagonals.
  private static let mixings: [(Int, Int, Int, Int)] = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
  ]

  private static let blockBytes = 128
  private static let hashBytes = 64

  /// Returns the 64 bytes of the hash.
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    state[0] ^= 0x0101_0000 ^ UInt64(hashBytes)
    // An empty message has one block of zeros.
    let starts = stride(from: 0, to: max(1, message.count), by: blockBytes)
    for start in starts {
      let end = min(message.count, start + blockBytes)
      let words = (0..<16).map { littleEndianWord(of: message, at: start + 8 * $0) }
      compress(&state, words, count: UInt64(end), isLast: end == message.count)
    }
    return state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// Bytes after the end of the message are zero.
  private static func littleEndianWord(of message: [UInt8], at start: Int) -> UInt64 {
    var word: UInt64 = 0
    for (i, byte) in message.dropFirst(start).prefix(8).enumerated() { word |= UInt64(byte) << (8 * i) }
    return word
  }

  /// - Parameter count: The bytes of the message up to the end of this block.
  private static func compress(_ state: inout [UInt64], _ words: [UInt64], count: UInt64, isLast: Bool) {
    var v = state + initial
    v[12] ^= count
    if isLast { v[14] = ~v[14] }
    for round in 0..<12 {
      let order = schedule[round % 10]
      for (i, (a, b, c, d)) in mixings.enumerated() {
        mix(&v, a, b, c, d, words[order[2 * i]], words[order[2 * i + 1]])
      }
    }
    for i in state.indices { state[i] ^= v[i] ^ v[i + 8] }
  }

  private static func mix(
    _ v: inout [UInt64], _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ first: UInt64, _ second: UInt64
  ) {
    v[a] = v[a] &+ v[b] &+ first
    v[d] = (v[d] ^ v[a]).rotatedRight(by: 32)
    v[c] = v[c] &+ v[d]
    v[b] = (v[b] ^ v[c]).rotatedRight(by: 24)
    v[a] = v[a] &+ v[b] &+ second
    v[d] = (v[d] ^ v[a]).rotatedRight(by: 16)
    v[c] = v[c] &+ v[d]
    v[b] = (v[b] ^ v[c]).rotatedRight(by: 63)
  }
}

extension UInt64 {
  fileprivate func rotatedRight(by bits: UInt64) -> UInt64 { self >> bits | self << (64 - bits) }
}
