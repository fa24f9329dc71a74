// BLAKE2b (RFC 7693) without a key. JavaScript has no integers of 64 bits that are fast, so each word is two of 32 bits, the low
// one first.

const initial = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

/** The order of the message's words in each round. Rounds 10 and 11 repeat the first two. */
const schedule = [
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
];

/** The words that each of the eight mixings of a round changes: four columns, then four diagonals. */
const mixings = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];

const blockBytes = 128;

/** Adds word `b` of `from` to word `a` of `v`. */
function add(v: Uint32Array, a: number, from: Uint32Array, b: number): void {
  const low = v[2 * a] + from[2 * b];
  v[2 * a] = low;
  v[2 * a + 1] += from[2 * b + 1] + (low > 0xffffffff ? 1 : 0);
}

/** Combines word `b` into word `a` by exclusive or, and rotates `a` to the right. */
function xorRotate(v: Uint32Array, a: number, b: number, bits: 16 | 24 | 32 | 63): void {
  const low = v[2 * a] ^ v[2 * b];
  const high = v[2 * a + 1] ^ v[2 * b + 1];
  if (bits === 32) {
    v[2 * a] = high;
    v[2 * a + 1] = low;
  } else if (bits === 63) {
    v[2 * a] = (low << 1) | (high >>> 31);
    v[2 * a + 1] = (high << 1) | (low >>> 31);
  } else {
    v[2 * a] = (low >>> bits) | (high << (32 - bits));
    v[2 * a + 1] = (high >>> bits) | (low << (32 - bits));
  }
}

function mix(v: Uint32Array, [a, b, c, d]: number[], words: Uint32Array, first: number, second: number): void {
  add(v, a, v, b);
  add(v, a, words, first);
  xorRotate(v, d, a, 32);
  add(v, c, v, d);
  xorRotate(v, b, c, 24);
  add(v, a, v, b);
  add(v, a, words, second);
  xorRotate(v, d, a, 16);
  add(v, c, v, d);
  xorRotate(v, b, c, 63);
}

/** @param count The bytes of the message up to the end of this block. */
function compress(state: Uint32Array, words: Uint32Array, count: number, isLast: boolean): void {
  const v = new Uint32Array(32);
  v.set(state);
  v.set(initial, 16);
  v[24] ^= count;
  v[25] ^= Math.floor(count / 0x100000000);
  if (isLast) {
    v[28] = ~v[28];
    v[29] = ~v[29];
  }
  for (let round = 0; round < 12; round += 1) {
    const order = schedule[round % 10];
    mixings.forEach((places, i) => mix(v, places, words, order[2 * i], order[2 * i + 1]));
  }
  for (let i = 0; i < 16; i += 1) state[i] ^= v[i] ^ v[i + 16];
}

/**
 * Returns the BLAKE2b hash of a message.
 *
 * @param length The bytes of the hash: 1 to 64.
 */
export function blake2b(message: Uint8Array, length = 64): Uint8Array {
  const state = initial.slice();
  state[0] ^= 0x01010000 ^ length;
  const block = new Uint8Array(blockBytes);
  const view = new DataView(block.buffer);
  const words = new Uint32Array(blockBytes / 4);
  const blocks = Math.max(1, Math.ceil(message.length / blockBytes));
  for (let index = 0; index < blocks; index += 1) {
    const end = Math.min(message.length, (index + 1) * blockBytes);
    block.fill(0);
    block.set(message.subarray(index * blockBytes, end));
    for (let i = 0; i < words.length; i += 1) words[i] = view.getUint32(4 * i, true);
    compress(state, words, end, index === blocks - 1);
  }
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => hash.setUint32(4 * i, word, true));
  return new Uint8Array(hash.buffer).slice(0, length);
}
