import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { TileCache } = await import(`${modules}/tile-cache.js`);

const tiles = (count, z = 10) => Array.from({ length: count }, (_, x) => ({ z, x, y: 0 }));
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

/** An archive whose requests end when the test says so. */
function slowArchive() {
  const open = [];
  return {
    open,
    tile: (z, x, y, signal) => new Promise((resolve, reject) => {
      open.push({ x, signal, resolve, reject });
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    }),
  };
}

test("a few tiles are requested at a time, in the order in which they are wanted", async () => {
  const archive = slowArchive();
  const [arrived, failures] = [[], []];
  const cache = new TileCache(archive, (bytes) => bytes, () => arrived.push(1), (error) => failures.push(error));
  cache.want(tiles(20));
  assert.deepEqual(archive.open.map(({ x }) => x), [0, 1, 2, 3, 4, 5, 6, 7]);
  archive.open[3].resolve("three");
  await settled();
  assert.equal(archive.open.length, 9);
  assert.equal(cache.get(10, 3, 0), "three");
  assert.equal(cache.get(10, 4, 0), undefined);
  cache.want([{ z: 10, x: 3, y: 0 }, { z: 10, x: 4, y: 0 }, { z: 11, x: 99, y: 0 }]);
  assert.equal(archive.open.filter(({ signal }) => signal.aborted).length, 7, "what left the screen is cancelled");
  await settled();
  assert.equal(archive.open.at(-1).x, 99);
  assert.equal(archive.open.length, 10, "neither a kept tile nor one under way is requested again");
  assert.deepEqual([arrived.length, failures], [1, []], "a cancelled request is no failure");
});

test("an absent tile is remembered, and a failure is reported once", async () => {
  let requests = 0;
  const archive = { tile: async (z, x) => { requests++; if (x === 1) throw new Error("offline"); return null; } };
  const failures = [];
  const cache = new TileCache(archive, (bytes) => bytes, () => {}, (error) => failures.push(error.message));
  for (let count = 0; count < 3; count++) {
    cache.want(tiles(2));
    await settled();
  }
  assert.equal(requests, 2);
  assert.deepEqual(failures, ["offline"]);
  assert.equal(cache.get(10, 0, 0), null);
  assert.equal(cache.get(10, 1, 0), undefined);
});

test("all tiles of a large screen are kept, and of all archives together the oldest are closed", async () => {
  let requests = 0;
  const closed = [];
  const archive = { tile: async (z, x) => { requests++; return x; } };
  const [cache, other] = [0, 1].map(() => new TileCache(archive, (x) => ({ close: () => closed.push(x) }), () => {}, assert.fail));
  for (let count = 0; count < 3; count++) {
    cache.want(tiles(800));
    await settled();
  }
  assert.equal(requests, 800);
  assert.deepEqual(closed, []);
  cache.want([]);
  other.want(tiles(10, 11));
  await settled();
  assert.ok(closed.length >= 288 && other.get(11, 9, 0), "then the oldest go");
  assert.equal(other.get(10, 799, 0), undefined, "each archive has tiles of its own");
});
