import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { RasterLayer } = await import(`${modules}/raster-layer.js`);
const { worldPoint } = await import(`${modules}/mercator.js`);

globalThis.createImageBitmap = async (blob) => ({ width: 256, name: await blob.text() });

test("where only a finer chart ends, the coarser one continues beside it", async () => {
  // A mosaic of zooms 5 to 7 around the middle of the map, whose finest zoom has only the tile in the north-west of it.
  const has = ({ z, x, y }) => z < 7 || (x === 63 && y === 63);
  const archive = { tile: async (z, x, y) => (has({ z, x, y }) ? new TextEncoder().encode(`${z}/${x}/${y}`) : null) };
  const product = { minZoom: 5, maxZoom: 7, boundingBox: { west: -10, south: -10, east: 10, north: 10 } };
  const layer = new RasterLayer(archive, product, () => {}, assert.fail);
  const view = { ...worldPoint(0, 0), zoom: 7 };
  const drawn = [];
  const context = { drawImage: ({ name }, ...places) => drawn.push([name, places.slice(-4).join()]) };
  for (let round = 0; round < 5; round++) {
    drawn.length = 0;
    layer.draw(context, view, { width: 512, height: 512 }, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(new Set(drawn.map(([name, place]) => `${name} at ${place}`)), new Set([
    "7/63/63 at 0,0,256,256", "6/32/31 at 256,0,256,256", "6/31/32 at 0,256,256,256", "6/32/32 at 256,256,256,256",
  ]));
});
