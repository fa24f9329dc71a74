import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const site = process.env.CHARTPIPE_PAGE_SITE;
const { frequencyRows, readAirport } = await import(`${modules}/airport-card.js`);
const { PMTilesArchive } = await import(`${modules}/pmtiles.js`);
const { worldPoint } = await import(`${modules}/mercator.js`);

const product = JSON.parse(readFileSync(`${site}/catalog.json`, "utf8")).products.find(({ id }) => id === "sample-nasr/vector");
const bytes = readFileSync(`${site}/${product.files.find(({ path }) => path.endsWith(".pmtiles")).path}`);
const archive = new PMTilesArchive({ read: async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)) });

test("a card has the runways of the airport and its position in the deepest tiles", async () => {
  // A point as a view of the whole state places it.
  const { runways, latitude, longitude, ctafFrequency } = await readAirport({ archive, product }, "KPAO", worldPoint(-122.11, 37.46));
  assert.deepEqual(runways.map(({ id, length, width, surface }) => [id, length, width, surface]), [["13/31", 2443, 70, "asphalt"]]);
  assert.ok(Math.abs(latitude - 37.4611) < 1e-4 && Math.abs(longitude + 122.1151) < 1e-4);
  assert.equal(ctafFrequency, 118.6);
});

test("runways in several tiles are listed once, the longest first, and another turn of the earth has the same tiles", async () => {
  const { x, y } = worldPoint(-122.3748, 37.6188);
  const { runways } = await readAirport({ archive, product }, "KSFO", { x: x + 1, y });
  assert.deepEqual(runways.map(({ id }) => id), ["10L/28R", "10R/28L", "01R/19L", "01L/19R"]);
});

test("without tiles, a card has the place of the click", async () => {
  const empty = { tile: async () => null };
  const { runways, latitude, longitude } = await readAirport({ archive: empty, product }, "KPAO", worldPoint(-122, 37));
  assert.deepEqual(runways, []);
  assert.ok(Math.abs(latitude - 37) < 1e-9 && Math.abs(longitude + 122) < 1e-9);
});

test("frequencies are listed by their use, in the order of the tiles", () => {
  assert.deepEqual(frequencyRows({ frequencies: "ctaf 118.6; ground 125.0; ground 121.65; atis 135.275" }),
    [["CTAF", "118.6"], ["Ground", "125.0, 121.65"], ["ATIS", "135.275"]]);
  assert.deepEqual(frequencyRows({ ctafFrequency: 122.8, unicomFrequency: 123 }), [["CTAF", "122.8"], ["UNICOM", "123.0"]]);
  assert.deepEqual(frequencyRows({}), []);
});
