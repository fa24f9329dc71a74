// Reads PMTiles version 3 by HTTP range requests.
// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

const HEADER_BYTES = 127;
const FIRST_BYTES = 16384;
const DEEPEST_DIRECTORY = 4;
const KEPT_DIRECTORIES = 64;
/** A server without ranges sends the whole archive. More than this is not loaded. */
const LARGEST_WHOLE = 64 << 20;
const TILE_TYPES = ["unknown", "mvt", "png", "jpeg", "webp", "avif"];
const COMPRESSIONS = ["unknown", "none", "gzip", "brotli", "zstd"];

export class PMTilesError extends Error {}

/** The place of a tile on the Hilbert curves of all zooms. */
export function tileNumber(z, x, y) {
  let number = (4 ** z - 1) / 3;
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const [right, below] = [(x & side) > 0 ? 1 : 0, (y & side) > 0 ? 1 : 0];
    number += side * side * ((3 * right) ^ below);
    if (below === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
  }
  return number;
}

export function decodeHeader(bytes) {
  const magic = String.fromCharCode(...bytes.subarray(0, 7));
  if (bytes.length < HEADER_BYTES || magic !== "PMTiles" || bytes[7] !== 3) {
    throw new PMTilesError("it is not a PMTiles archive of version 3");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (at) => Number(view.getBigUint64(at, true));
  const degrees = (at) => view.getInt32(at, true) / 1e7;
  return {
    root: { offset: long(8), length: long(16) },
    metadata: { offset: long(24), length: long(32) },
    leavesOffset: long(40),
    tilesOffset: long(56),
    directoryCompression: COMPRESSIONS[bytes[97]] ?? "unknown",
    tileCompression: COMPRESSIONS[bytes[98]] ?? "unknown",
    tileType: TILE_TYPES[bytes[99]] ?? "unknown",
    minZoom: bytes[100],
    maxZoom: bytes[101],
    box: { west: degrees(102), south: degrees(106), east: degrees(110), north: degrees(114) },
  };
}

export function decodeDirectory(bytes) {
  let at = 0;
  const next = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      if (at >= bytes.length || factor > 2 ** 56) throw new PMTilesError("a directory is damaged");
      const byte = bytes[at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  const count = next();
  if (count > bytes.length) throw new PMTilesError("a directory is damaged");
  const entries = Array.from({ length: count }, () => ({ first: 0, run: 0, length: 0, offset: 0 }));
  let number = 0;
  for (const entry of entries) entry.first = number += next();
  for (const entry of entries) entry.run = next();
  for (const entry of entries) entry.length = next();
  entries.forEach((entry, index) => {
    const value = next();
    const before = entries[index - 1];
    if (value === 0 && !before) throw new PMTilesError("a directory is damaged");
    entry.offset = value === 0 ? before.offset + before.length : value - 1;
  });
  return entries;
}

/** The entry that contains a tile, or the leaf directory that may; undefined if there is none. */
export function entryOf(entries, number) {
  let [low, high] = [0, entries.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (entries[middle].first <= number) low = middle + 1;
    else high = middle - 1;
  }
  const entry = entries[high];
  return entry && (entry.run === 0 || number < entry.first + entry.run) ? entry : undefined;
}

export async function decompress(bytes, compression) {
  if (compression === "none" || compression === "unknown") return bytes;
  if (compression !== "gzip") throw new PMTilesError(`it is compressed with ${compression}, which this page does not read`);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads ranges of a file on a web server. */
export class RangeReader {
  #address;
  #request;
  #whole = null;

  constructor(address, request = (...all) => fetch(...all)) {
    this.#address = address;
    this.#request = request;
  }

  async read(offset, length, signal) {
    if (this.#whole) return this.#whole.slice(offset, offset + length);
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await this.#request(this.#address, { headers: { Range: range }, signal });
    if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) throw new PMTilesError(`the server answers ${response.status}`);
    if (!(Number(response.headers.get("Content-Length") ?? Infinity) <= LARGEST_WHOLE)) {
      response.body?.cancel();
      throw new PMTilesError("the server ignores range requests, so a map of this size cannot be shown");
    }
    this.#whole = new Uint8Array(await response.arrayBuffer());
    return this.#whole.slice(offset, offset + length);
  }
}

export class PMTilesArchive {
  #reader;
  #opened = null;
  #directories = new Map();

  constructor(reader) {
    this.#reader = reader;
  }

  /** The header. It is requested once; after a failure the next call tries again. */
  async header() {
    return (await this.#open()).header;
  }

  /** What its metadata say of its publisher; undefined if they say nothing. */
  async attribution() {
    const { metadata, directoryCompression } = await this.header();
    const bytes = await decompress(await this.#reader.read(metadata.offset, metadata.length), directoryCompression);
    return JSON.parse(new TextDecoder().decode(bytes)).attribution;
  }

  /** The bytes of a tile, decompressed; null if the archive does not have it. */
  async tile(z, x, y, signal) {
    const { header, root } = await this.#open();
    if (z < header.minZoom || z > header.maxZoom) return null;
    const number = tileNumber(z, x, y);
    let entries = root;
    for (let depth = 0; depth < DEEPEST_DIRECTORY; depth++) {
      const entry = entryOf(entries, number);
      if (!entry) return null;
      if (entry.run > 0) {
        const bytes = await this.#reader.read(header.tilesOffset + entry.offset, entry.length, signal);
        return decompress(bytes, header.tileCompression);
      }
      entries = await this.#leaf(header, entry);
    }
    throw new PMTilesError("its directories are nested too deep");
  }

  #open() {
    this.#opened ??= this.#readRoot().catch((error) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #readRoot() {
    const start = await this.#reader.read(0, FIRST_BYTES);
    const header = decodeHeader(start);
    const { offset, length } = header.root;
    const packed =
      offset + length <= start.length ? start.subarray(offset, offset + length) : await this.#reader.read(offset, length);
    return { header, root: decodeDirectory(await decompress(packed, header.directoryCompression)) };
  }

  /** A leaf directory serves many tiles, so no request for a single tile cancels it. */
  #leaf(header, entry) {
    const known = this.#directories.get(entry.offset);
    if (known) return known;
    const leaf = this.#reader
      .read(header.leavesOffset + entry.offset, entry.length)
      .then((bytes) => decompress(bytes, header.directoryCompression))
      .then(decodeDirectory);
    leaf.catch(() => this.#directories.delete(entry.offset));
    this.#directories.set(entry.offset, leaf);
    if (this.#directories.size > KEPT_DIRECTORIES) this.#directories.delete(this.#directories.keys().next().value);
    return leaf;
  }
}
