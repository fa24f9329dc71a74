// The tiles of one archive: those on the screen are loaded, a few at a time, and the last ones are kept.

const REQUESTS_AT_A_TIME = 8;
const KEPT_TILES = 256;
const RETRY_MILLISECONDS = 5000;

const tileKey = ({ z, x, y }) => `${z}/${x}/${y}`;

export class TileCache {
  #archive;
  #decode;
  #changed;
  #failed;
  #tiles = new Map();
  #running = new Map();
  #wanted = [];
  #limit = KEPT_TILES;
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
    const key = tileKey({ z, x, y });
    const tile = this.#tiles.get(key);
    if (tile !== undefined) {
      this.#tiles.delete(key);
      this.#tiles.set(key, tile);
    }
    return tile;
  }

  /** Loads these tiles in this order, and stops loading all others. */
  want(tiles) {
    const unique = new Map(tiles.map((tile) => [tileKey(tile), tile]));
    for (const [key, control] of this.#running) if (!unique.has(key)) control.abort();
    // A screen can have more tiles than the cache; those must not replace each other in turn.
    this.#limit = Math.max(KEPT_TILES, 2 * unique.size);
    const now = Date.now();
    this.#wanted = [...unique].filter(([key]) =>
      !this.#tiles.has(key) && !this.#running.has(key) && !(now - this.#failures.get(key) < RETRY_MILLISECONDS));
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
    this.#tiles.set(key, tile);
    while (this.#tiles.size > this.#limit) {
      const oldest = this.#tiles.keys().next().value;
      this.#tiles.get(oldest)?.close?.();
      this.#tiles.delete(oldest);
    }
  }
}
