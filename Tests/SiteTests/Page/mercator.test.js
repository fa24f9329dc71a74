import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const mercator = await import(`${modules}/mercator.js`);
const { pixelPlace } = await import(`${modules}/raster-layer.js`);
const size = { width: 800, height: 600 };

const near = (one, two, tolerance = 1e-9) => assert.ok(Math.abs(one - two) < tolerance, `${one} is not ${two}`);

test("a position becomes a world point and back", () => {
  for (const [longitude, latitude] of [[0, 0], [-122.1151, 37.4611], [179.9, -84], [-180, 85]]) {
    const back = mercator.position(mercator.worldPoint(longitude, latitude));
    near(back.longitude, longitude);
    near(back.latitude, latitude);
  }
  assert.deepEqual(mercator.worldPoint(0, 0), { x: 0.5, y: 0.5 });
  near(mercator.worldPoint(0, 85.051128779806604).y, 0);
  near(mercator.worldPoint(0, 90).y, 0);
});

test("a zoom keeps the place under the pointer", () => {
  const view = { ...mercator.worldPoint(-122, 37.5), zoom: 9 };
  const pointer = { x: 123, y: 456 };
  const held = mercator.pointUnder(view, size, pointer);
  const after = mercator.screenPoint(mercator.zoomed(view, size, pointer, 11.3), size, held);
  near(after.x, pointer.x, 1e-6);
  near(after.y, pointer.y, 1e-6);
});

test("a view stays on the world, and goes on in the east and west", () => {
  const view = mercator.panned({ x: 0.9, y: 0.5, zoom: 1 }, 256, -5000);
  near(view.x, 0.4);
  assert.equal(view.y, 0);
  assert.equal(mercator.normalized({ x: 0, y: 0, zoom: 99 }).zoom, mercator.LARGEST_ZOOM);
});

test("a box fills the screen, also across 180 degrees", () => {
  for (const box of [{ west: -123, south: 37, east: -121, north: 38 }, { west: 170, south: 50, east: -160, north: 60 }]) {
    const view = mercator.viewOf(box, size);
    const area = mercator.worldBox(box);
    const shift = Math.round(area.left + (area.right - area.left) / 2 - view.x);
    const corner = mercator.screenPoint(view, size, { x: area.left - shift, y: area.top });
    const other = mercator.screenPoint(view, size, { x: area.right - shift, y: area.bottom });
    assert.ok(corner.x >= 23 && corner.y >= 23 && other.x <= 777 && other.y <= 577);
    assert.ok(other.x - corner.x > 700 || other.y - corner.y > 500);
  }
});

test("the tiles of a view cover the screen, the nearest first", () => {
  const view = { ...mercator.worldPoint(-122, 37.5), zoom: 10.4 };
  const tiles = mercator.tilesInView(view, size, 10);
  assert.ok(tiles.some(({ left, top }) => left <= 0 && top <= 0));
  assert.ok(tiles.some(({ left, top, side }) => left + side >= 800 && top + side >= 600));
  assert.deepEqual(tiles.map(({ distance }) => distance), tiles.map(({ distance }) => distance).sort((one, two) => one - two));
  const middle = tiles[0];
  assert.deepEqual([middle.x, middle.y], [164, 396]);
});

test("a view across 180 degrees has tiles of both sides", () => {
  const view = { ...mercator.worldPoint(180, 52), zoom: 4 };
  const columns = new Set(mercator.tilesInView(view, size, 4).map(({ x }) => x));
  assert.ok(columns.has(15) && columns.has(0));
});

test("a tile touches a box that crosses 180 degrees on both sides", () => {
  const area = mercator.worldBox({ west: 170, south: 50, east: -160, north: 60 });
  const row = Math.floor(mercator.worldPoint(0, 55).y * 16);
  assert.ok(mercator.touches({ z: 4, x: 15, y: row }, area));
  assert.ok(mercator.touches({ z: 4, x: 0, y: row }, area));
  assert.ok(!mercator.touches({ z: 4, x: 7, y: row }, area));
});

test("neighbouring tiles share an edge at whole pixels", () => {
  const [one, two] = [{ left: 10.3, top: 0, side: 101.7 }, { left: 112, top: 0, side: 101.7 }].map((tile) => pixelPlace(tile, 1.5));
  assert.equal(one.left + one.width, two.left);
});
