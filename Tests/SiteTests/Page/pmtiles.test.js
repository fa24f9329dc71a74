import test from "node:test";
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { join } from "node:path";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { PMTilesArchive, RangeReader, decodeDirectory, decodeHeader, entryOf, tileNumber } = await import(`${modules}/pmtiles.js`);
const { decodeVectorTile } = await import(`${modules}/mvt.js`);

/** Archives that the program built; without them these tests are skipped. */
const site = process.env.CHARTPIPE_PAGE_SITE;

async function publishedArchives() {
  const names = await readdir(join(site, "blobs"), { recursive: true });
  return Promise.all(names.filter((name) => name.endsWith(".pmtiles")).map((name) => readFile(join(site, "blobs", name))));
}

/** What a web server answers, and the requests that it got. */
function server(bytes, { ranges = true, length = true } = {}) {
  const requests = [];
  const request = async (address, { headers, signal }) => {
    signal?.throwIfAborted();
    requests.push(headers.Range);
    const [first, last] = headers.Range.match(/\d+/g).map(Number);
    if (ranges) return new Response(bytes.subarray(first, last + 1), { status: 206 });
    return new Response(bytes, { status: 200, headers: length ? { "Content-Length": String(bytes.length) } : {} });
  };
  return { requests, reader: new RangeReader("a.pmtiles", request) };
}

test("tiles have the numbers of the specification", () => {
  const known = [[0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 2], [1, 1, 1, 3], [1, 1, 0, 4], [2, 0, 0, 5], [12, 3423, 1763, 19078479]];
  for (const [z, x, y, number] of known) assert.equal(tileNumber(z, x, y), number);
  const all = new Set();
  for (let x = 0; x < 16; x++) for (let y = 0; y < 16; y++) all.add(tileNumber(4, x, y));
  assert.equal(all.size, 256);
  assert.equal(Math.min(...all), 85);
  assert.equal(Math.max(...all), 340);
});

test("a directory is read, with runs and tiles that follow each other", () => {
  // 3 entries; numbers 5, 7, 300; runs 1, 0, 2; lengths 10, 20, 30; offsets 0, then the one before, then 100.
  const entries = decodeDirectory(Uint8Array.from([3, 5, 2, 0xa5, 0x02, 1, 0, 2, 10, 20, 30, 1, 0, 101]));
  assert.deepEqual(entries, [
    { first: 5, run: 1, length: 10, offset: 0 },
    { first: 7, run: 0, length: 20, offset: 10 },
    { first: 300, run: 2, length: 30, offset: 100 },
  ]);
  assert.equal(entryOf(entries, 4), undefined);
  assert.equal(entryOf(entries, 5).offset, 0);
  assert.equal(entryOf(entries, 6), undefined);
  assert.equal(entryOf(entries, 299).offset, 10, "a leaf directory may have it");
  assert.equal(entryOf(entries, 301).offset, 100);
  assert.equal(entryOf(entries, 302), undefined);
});

test("damaged archives are refused", () => {
  assert.throws(() => decodeHeader(new Uint8Array(127)), /not a PMTiles archive/);
  assert.throws(() => decodeHeader(new TextEncoder().encode("<html>")), /not a PMTiles archive/);
  for (const bytes of [[], [0x80], [200, 1], [1, 5, 1, 10, 0], Array(20).fill(0xff)]) {
    assert.throws(() => decodeDirectory(Uint8Array.from(bytes)), /damaged/);
  }
});

test("published archives are read by ranges", { skip: !site }, async () => {
  const archives = await publishedArchives();
  assert.ok(archives.length > 0);
  for (const bytes of archives) {
    const { requests, reader } = server(bytes);
    const archive = new PMTilesArchive(reader);
    const header = await archive.header();
    assert.deepEqual(requests, ["bytes=0-16383"]);
    const count = 2 ** header.minZoom;
    const x = Math.floor(((header.box.west + header.box.east) / 720 + 0.5) * count);
    const sine = Math.sin(((header.box.south + header.box.north) / 360) * Math.PI);
    const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * count);
    const tile = await archive.tile(header.minZoom, x, y);
    if (header.tileType === "webp") assert.equal(new TextDecoder().decode(tile.subarray(8, 12)), "WEBP");
    if (header.tileType === "png") assert.equal(new TextDecoder().decode(tile.subarray(1, 4)), "PNG");
    if (header.tileType === "mvt") assert.ok(decodeVectorTile(tile).size > 0);
    assert.ok(tile.length > 0 && requests.length === 2);
    assert.equal(await archive.tile(header.minZoom, count - 1, count - 1), null);
    assert.equal(await archive.tile(header.maxZoom + 1, 0, 0), null);
    assert.equal(requests.length, 2, "an absent tile costs no request");
  }
});

test("a server without ranges is asked once, and for small archives only", { skip: !site }, async () => {
  const [bytes] = await publishedArchives();
  const { requests, reader } = server(bytes, { ranges: false });
  const archive = new PMTilesArchive(reader);
  const { minZoom } = await archive.header();
  await archive.tile(minZoom, 0, 0);
  assert.equal(requests.length, 1);
  const large = server(bytes, { ranges: false, length: false });
  await assert.rejects(new PMTilesArchive(large.reader).header(), /ignores range requests/);
});

test("leaf directories are read once", async () => {
  // The root names one leaf, which has the tile 0/0/0 with the bytes "ok", compressed.
  const tile = gzipSync("ok");
  const leaf = Uint8Array.from([1, 0, 1, tile.length, 1]);
  const root = Uint8Array.from([1, 0, 0, leaf.length, 1]);
  const bytes = new Uint8Array(127 + root.length + leaf.length + tile.length);
  bytes.set(new TextEncoder().encode("PMTiles"));
  bytes[7] = 3;
  const view = new DataView(bytes.buffer);
  const put = (at, value) => view.setBigUint64(at, BigInt(value), true);
  put(8, 127), put(16, root.length), put(40, 127 + root.length), put(56, 127 + root.length + leaf.length);
  bytes.set([1, 2, 1], 97);
  bytes.set([...root, ...leaf, ...tile], 127);
  const { requests, reader } = server(bytes);
  const archive = new PMTilesArchive(reader);
  for (let count = 0; count < 2; count++) assert.equal(new TextDecoder().decode(await archive.tile(0, 0, 0)), "ok");
  assert.equal(requests.length, 4, "the start, the leaf, and the tile twice");
});

test("an archive names its publisher, and a published one has a name", { skip: !site }, async () => {
  for (const bytes of await publishedArchives()) {
    assert.match(await new PMTilesArchive(server(bytes).reader).attribution(), /^(Synthetic chart|FAA), not for navigation$/);
  }
});
