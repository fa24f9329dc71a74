import test from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const { ageText, LiveChannel, snapshotState } = await import(`${modules}/live.js`);
const { FeatureLayer, mapFeatures } = await import(`${modules}/feature-layer.js`);
const { screenPoint, worldPoint } = await import(`${modules}/mercator.js`);

const read = async (name) => JSON.parse(await readFile(`Tests/Live/${name}`));
const live = await read("live.json");
const TFRS = "tfr/tfr";
const then = Date.parse("2026-11-27T18:02:00Z");

test("the page finds the states that the clients find", async () => {
  for (const { id, now, state, reason, age } of await read("states.json")) {
    const found = snapshotState(live, id, Date.parse(now));
    assert.equal(found.reason, reason, `${id} at ${now}`);
    if (state === "current") assert.equal(Math.max(0, Date.parse(now) - found.observed), age * 1000);
  }
  assert.ok(snapshotState(null, TFRS, then).reason);
  for (const key of ["effectiveDate", "expirationDate", "fetched"]) {
    const products = live.products.map((product) => ({ ...product, [key]: "soon" }));
    assert.ok(snapshotState({ ...live, products }, TFRS, then).reason, key);
  }
});

test("an age is in minutes and hours", () => {
  assert.deepEqual([-200, 59, 60, 3599, 7380].map((seconds) => ageText(0, seconds * 1000)), ["just now", "just now", "1 min ago", "59 min ago", "2 h 3 min ago"]);
});

/** A channel whose server answers by path; a missing answer is an error of the network. */
function channel(answers) {
  globalThis.fetch = async (path) => answers[path]?.() ?? Promise.reject(new Error("no network"));
  return new LiveChannel([TFRS], mapFeatures);
}
const [{ path }] = live.products[0].files;
const features = { features: [{ geometry: null, properties: { notam: "0/0000" } }] };
const json = (value) => () => Response.json(value);

test("a site without live.json has no live channel", async () => {
  for (const status of [403, 404, 410]) assert.equal(await channel({ "live.json": () => new Response("", { status }) }).load(), false);
});

test("a snapshot is current only with its file", async () => {
  const answers = { "live.json": json(live), [path]: json(features) };
  const own = channel(answers);
  assert.ok(await own.load());
  assert.deepEqual(own.state(TFRS, then).document, [{ properties: { notam: "0/0000" } }]);
  assert.equal(own.state(TFRS, then + 30 * 60_000).reason, "the list of snapshots has expired");
  assert.equal(own.state(TFRS, then - 30 * 60_000).reason, "the clock of this device is wrong");
  for (const broken of [() => new Response("", { status: 404 }), json({}), () => new Response("<html>"), undefined]) {
    const other = channel({ ...answers, [path]: broken });
    await other.load();
    assert.equal(other.state(TFRS, then).reason, "its file cannot be read");
  }
});

test("an error of the network keeps what there is, and a list that is gone or unreadable does not", async () => {
  const answers = { "live.json": json(live), [path]: json(features) };
  const own = channel(answers);
  await own.load();
  for (const answer of [undefined, () => new Response("", { status: 503 }), json({ ...live, serial: live.serial - 1, products: [] })]) {
    answers["live.json"] = answer;
    assert.ok(await own.load());
    assert.ok(own.state(TFRS, then).document);
  }
  for (const answer of [() => new Response("", { status: 404 }), () => new Response("<html>"), json({ ...live, format: "other" }), json({ ...live, products: null })]) {
    answers["live.json"] = json(live);
    await own.load();
    answers["live.json"] = answer;
    await own.load();
    assert.equal(own.state(TFRS, then).reason, "live.json cannot be read");
  }
});

test("areas and points are found under a finger, also on the other side of 180 degrees", () => {
  const square = (west) => [[west, 0], [west + 2, 0], [west + 2, 2], [west, 2], [west, 0]];
  const hole = [[0.5, 0.5], [1.5, 0.5], [1.5, 1.5], [0.5, 1.5], [0.5, 0.5]];
  const all = mapFeatures({ features: [
    { geometry: { type: "Polygon", coordinates: [square(0), hole] }, properties: "ring" },
    { geometry: { type: "MultiPolygon", coordinates: [[square(10)], [square(-179.9)]] }, properties: "two" },
    { geometry: { type: "Point", coordinates: [0.2, 0.2] }, properties: "near" },
    { geometry: { type: "Point", coordinates: [0.3, 0.2] }, properties: "far" },
    { geometry: null, properties: "nowhere" },
  ] });
  const layer = new FeatureLayer(() => all, () => () => ({}));
  const [view, size] = [{ ...worldPoint(1, 1), zoom: 6 }, { width: 800, height: 600 }];
  const at = (longitude, latitude) => layer.at(screenPoint(view, size, worldPoint(longitude, latitude)), view, size).map(({ properties }) => properties);
  assert.deepEqual(at(0.2, 0.2).sort(), ["near", "ring"]);
  assert.deepEqual(at(1, 1), []);
  assert.deepEqual(at(11, 1), ["two"]);
  const west = { ...worldPoint(179.5, 1), zoom: 6 };
  assert.deepEqual(layer.at(screenPoint(west, size, worldPoint(180.5, 1)), west, size).map(({ properties }) => properties), ["two"]);
  for (const geometry of [{ type: "Circle" }, { type: "Point", coordinates: ["x", 1] }, { type: "Polygon" }, { type: "Polygon", coordinates: [] }]) {
    assert.throws(() => mapFeatures({ features: [{ geometry, properties: {} }] }));
  }
});
