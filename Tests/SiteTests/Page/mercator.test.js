import test from "node:test";
import assert from "node:assert/strict";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const mercator = await import(`${modules}/mercator.js`);
const { homeBox } = await import(`${modules}/home-box.js`);
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

test("the tiles of an area across 180 degrees are on both sides, and no others", () => {
  const boundingBoxes = [{ west: -180, south: 50, east: -160, north: 60 }, { west: 170, south: 51, east: 180, north: 60 }];
  const box = mercator.wholeBox({ boundingBox: { west: -180, south: 50, east: 180, north: 60 }, boundingBoxes });
  assert.deepEqual(box, { west: 170, south: 50, east: 200, north: 60 });
  const area = mercator.worldBox(box);
  const columns = (longitude, zoom) => {
    const view = { ...mercator.worldPoint(longitude, 55), zoom };
    return [...new Set(mercator.tilesInView(view, size, 4, area).map(({ x }) => x))].sort((one, two) => one - two);
  };
  assert.deepEqual(columns(180, 4), [0, 15]);
  assert.deepEqual(columns(-179, 4), [0, 15]);
  assert.deepEqual(columns(0, 4), []);
  assert.deepEqual(columns(0, 1), [0, 15], "once for each tile, although the earth is on the screen more than once");
  assert.deepEqual(mercator.turnsInView({ x: 0.5, y: 0.5, zoom: 1 }, { width: 1500, height: 600 }, { left: 0.4, right: 0.5 }), [-1, 0, 1]);
});

test("the first view is where most charts are", () => {
  const chart = (west, south) => ({ west, south, east: west + 6, north: south + 4 });
  const mosaic = { west: -170, south: 18, east: -60, north: 70 };
  const states = [chart(-120, 36), chart(-114, 36), chart(-108, 36), chart(-120, 40), chart(-114, 40)];
  const around = { west: -120, south: 36, east: -102, north: 44 };
  assert.deepEqual(homeBox([mosaic, ...states, chart(144, 12), chart(-160, 20)]), around);
  const aleutians = [{ west: 169, south: 51, east: 179, north: 54 }, { west: 178, south: 51, east: 188, north: 54 }];
  assert.deepEqual(homeBox([...aleutians, { west: -173, south: 52, east: -163, north: 56 }]), { west: 169, south: 51, east: 197, north: 56 });
  assert.deepEqual(homeBox([mosaic]), mosaic);
  assert.equal(homeBox([]), undefined);
});

test("half of the way to a view keeps the point that both show at one place", () => {
  const view = { ...mercator.worldPoint(-122, 37.5), zoom: 9 };
  const pointer = { x: 700, y: 100 };
  const held = mercator.pointUnder(view, size, pointer);
  const half = mercator.between(view, mercator.zoomed(view, size, pointer, 12), 0.5);
  const after = mercator.screenPoint(half, size, held);
  near(after.x, pointer.x, 1e-6);
  near(after.y, pointer.y, 1e-6);
  near(half.zoom, 10.5);
  near(mercator.between({ x: 0.99, y: 0.5, zoom: 3 }, { x: 0.01, y: 0.5, zoom: 3 }, 0.5).x, 1);
});

test("neighbouring tiles share an edge at whole pixels", () => {
  const [one, two] = [{ left: 10.3, top: 0, side: 101.7 }, { left: 112, top: 0, side: 101.7 }].map((tile) => pixelPlace(tile, 1.5));
  assert.equal(one.left + one.width, two.left);
});
