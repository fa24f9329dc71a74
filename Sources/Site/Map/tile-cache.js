// The tiles of archives: those on the screen are loaded, a few at a time, and the last ones are kept.

const REQUESTS_AT_A_TIME = 8;
const KEPT_TILES = 512;
const RETRY_MILLISECONDS = 5000;

/** The tiles of all archives, the least recently used first. */
const keptTiles = new Map();
let wantedTiles = 0;
let lastCache = 0;

const tileKey = ({ z, x, y }) => `${z}/${x}/${y}`;

export class TileCache {
  #archive;
  #decode;
  #changed;
  #failed;
  #running = new Map();
  #wanted = [];
  #wantedCount = 0;
  #number = lastCache++;
  /** When a tile could not be loaded. */
  #failures = new Map();

  /**
   * decode(bytes) makes what is drawn; changed() is called for each tile that arrives, failed(error) for each that does not.
   */
  constructor(archive, decode, changed, failed) {
    this.#archive = archive;
    this.#decode = decode;
    this.#changed = changed;
    this.#failed = failed;
  }

  /** A loaded tile; null for one that does not exist, undefined for one that is not loaded. */
  get(z, x, y) {
    const key = `${this.#number} ${tileKey({ z, x, y })}`;
    const tile = keptTiles.get(key);
    if (tile !== undefined) {
      keptTiles.delete(key);
      keptTiles.set(key, tile);
    }
    return tile;
  }

  /** Loads these tiles in this order, and stops loading all others. */
  want(tiles) {
    const unique = new Map(tiles.map((tile) => [tileKey(tile), tile]));
    for (const [key, control] of this.#running) if (!unique.has(key)) control.abort();
    wantedTiles += unique.size - this.#wantedCount;
    this.#wantedCount = unique.size;
    const now = Date.now();
    this.#wanted = [...unique].filter(([key]) =>
      !keptTiles.has(`${this.#number} ${key}`) && !this.#running.has(key) && !(now - this.#failures.get(key) < RETRY_MILLISECONDS));
    this.#start();
  }

  #start() {
    while (this.#running.size < REQUESTS_AT_A_TIME && this.#wanted.length > 0) {
      const [key, tile] = this.#wanted.shift();
      const control = new AbortController();
      this.#running.set(key, control);
      this.#load(key, tile, control.signal).finally(() => {
        this.#running.delete(key);
        this.#start();
      });
    }
  }

  async #load(key, tile, signal) {
    try {
      const bytes = await this.#archive.tile(tile.z, tile.x, tile.y, signal);
      this.#keep(key, bytes ? await this.#decode(bytes) : null);
      this.#failures.delete(key);
      this.#changed();
    } catch (error) {
      if (signal.aborted) return;
      this.#failures.set(key, Date.now());
      this.#failed(error);
    }
  }

  #keep(key, tile) {
    keptTiles.set(`${this.#number} ${key}`, tile);
    // A screen can have more tiles than are kept; those must not replace each other in turn.
    while (keptTiles.size > Math.max(KEPT_TILES, 2 * wantedTiles)) {
      const [oldest, old] = keptTiles.entries().next().value;
      old?.close?.();
      keptTiles.delete(oldest);
    }
  }
}
