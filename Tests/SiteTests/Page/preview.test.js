import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { openArchive, withNeatline } = await import(`${modules}/preview.js`);
const { PMTilesArchive } = await import(`${modules}/pmtiles.js`);
const { position } = await import(`${modules}/mercator.js`);

const product = { files: [{ path: "blobs/ab/ab.mbtiles" }, { path: "blobs/cd/cd.pmtiles" }] };

test("a site's map reads PMTiles, and that of a preview what its server reads", () => {
  assert.ok(openArchive(product) instanceof PMTilesArchive);
  assert.equal(openArchive({ files: product.files.slice(0, 1) }), undefined);
  const preview = { archives: { "blobs/ab/ab.mbtiles": {} } };
  assert.ok(!(openArchive(product, preview) instanceof PMTilesArchive));
  assert.equal(openArchive(product, { archives: {} }), undefined);
});

test("the server of a preview reads the tiles of MBTiles", async () => {
  const archive = openArchive(product, { archives: { "blobs/ab/ab.mbtiles": {} } });
  const asked = [];
  const answers = [new Response(new Uint8Array([1, 2])), new Response(null, { status: 204 }), Response.json({ error: "it is damaged" }, { status: 500 })];
  globalThis.fetch = async (address) => {
    asked.push(address);
    return answers.shift();
  };
  assert.deepEqual(await archive.tile(3, 1, 2), new Uint8Array([1, 2]));
  assert.equal(await archive.tile(3, 1, 3), null);
  await assert.rejects(archive.tile(3, 1, 4), /it is damaged/);
  assert.deepEqual(asked, ["tiles/blobs/ab/ab.mbtiles/3/1/2", "tiles/blobs/ab/ab.mbtiles/3/1/3", "tiles/blobs/ab/ab.mbtiles/3/1/4"]);
});

test("an outline is the neatline, without edges at 180 degrees", () => {
  const degrees = (chart) => chart.paths.map((path) => path.map((point) => {
    const { longitude, latitude } = position(point);
    return [Math.round(longitude), Math.round(latitude)];
  }));
  const withRings = (neatline) => ({ archives: { "blobs/ab/ab.mbtiles": { neatline } } });
  assert.equal(withNeatline(product, undefined), product);
  assert.equal(withNeatline(product, withRings([])), product);
  assert.deepEqual(degrees(withNeatline(product, withRings([[[1, 2], [3, 2], [3, 4], [1, 2]]]))), [[[1, 2], [3, 2], [3, 4], [1, 2]]]);
  const across = { ...product, boundingBoxes: [{}, {}] };
  const west = [[180, 50], [170, 50], [170, 60], [180, 60], [180, 50]];
  const east = [[-180, 50], [-180, 60], [-170, 60], [-170, 50], [-180, 50]];
  assert.deepEqual(degrees(withNeatline(across, withRings([west, east]))), [
    [[180, 50], [170, 50], [170, 60], [180, 60]], [[180, 60], [190, 60], [190, 50], [180, 50]],
  ]);
});
