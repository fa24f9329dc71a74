import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const modules = process.env.CHARTPIPE_PAGE_MODULES;
const site = process.env.CHARTPIPE_PAGE_SITE;
const { VectorLayer } = await import(`${modules}/vector-layer.js`);
const { PMTilesArchive } = await import(`${modules}/pmtiles.js`);
const { tilesInView, worldPoint } = await import(`${modules}/mercator.js`);
const { VECTOR_GROUPS, VECTOR_STYLES } = await import(`${modules}/vector-style.js`);

const product = JSON.parse(readFileSync(`${site}/catalog.json`, "utf8")).products.find(({ id }) => id === "sample-nasr/vector");
const bytes = readFileSync(`${site}/${product.files.find(({ path }) => path.endsWith(".pmtiles")).path}`);
const archive = new PMTilesArchive({ read: async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)) });
const [size, view] = [{ width: 600, height: 400 }, { ...worldPoint(-122.1151, 37.4611), zoom: 10 }];

/** Draws Palo Alto. Returns the layer, the context, the color and width of each line, and the labels that drawLabels() has drawn. */
async function draw({ isOver = false, isDark = false, hidden = [] }) {
  const page = { isOverCharts: () => isOver, isDark: () => isDark, isShown: (group) => !hidden.includes(group) };
  const layer = new VectorLayer(archive, product, () => {}, assert.fail, page);
  const [lines, texts] = [[], []];
  const context = new Proxy({ measureText: () => ({ width: 30 }), globalAlpha: 1 }, {
    get: (own, name) => {
      if (name === "stroke") return () => lines.push({ color: own.strokeStyle, width: own.lineWidth, alpha: own.globalAlpha });
      if (name === "fillText") return (text) => texts.push(text);
      return name in own ? own[name] : () => {};
    },
  });
  const tiles = tilesInView(view, size, product.maxZoom, layer.area);
  layer.draw(context, view, size, 1);
  while (tiles.some(({ z, x, y }) => layer.cache.get(z, x, y) === undefined)) await new Promise((resolve) => setTimeout(resolve, 5));
  lines.length = 0;
  layer.draw(context, view, size, 1);
  return { layer, context, lines, texts };
}

const GROUPS = VECTOR_GROUPS.map(({ id }) => id);

test("a click finds an airport on a chart, although the map draws none, and rather than another point beside it", async () => {
  const { layer, lines } = await draw({ hidden: GROUPS });
  assert.deepEqual(lines, []);
  assert.equal(layer.pointAt({ x: 303, y: 196 }).properties.icao, "KPAO");
  assert.equal(layer.pointAt({ x: 311, y: 200 }), undefined);
  layer.shown.push({ x: 306, y: 200, layer: "fixes", properties: {}, reach: 16 });
  assert.equal(layer.pointAt({ x: 304, y: 200 }).properties.icao, "KPAO");
});

test("over a chart lines are thinner and have a light edge, in the colours of a chart", async () => {
  const hidden = GROUPS.filter((id) => id !== "airspaces");
  const [below, over] = [await draw({ hidden }), await draw({ hidden, isOver: true, isDark: true })];
  const blue = (lines) => lines.filter(({ color }) => color === "#1f4f9a");
  assert.ok(blue(below.lines).length > 0 && blue(below.lines).length === blue(over.lines).length);
  const widest = (lines) => Math.max(...lines.map(({ width }) => width));
  assert.ok(widest(blue(over.lines)) < widest(blue(below.lines)));
  const edges = over.lines.filter(({ color }) => color === "#ffffff");
  const drawn = over.lines.filter(({ color, alpha }) => color !== "#ffffff" && alpha === 1);
  assert.ok(edges.length === drawn.length && widest(edges) > widest(drawn) && below.lines.every(({ color }) => color !== "#ffffff"));
  assert.ok(over.lines.indexOf(edges.at(-1)) < over.lines.indexOf(drawn[0]), "no edge covers a line");
});

test("a label is drawn whole, or not at all where a chart covers its place", async () => {
  const { layer, context, texts } = await draw({});
  assert.deepEqual(texts, [], "the chart would cover a part of it");
  const [x, y] = layer.labels.find(({ text }) => text === "KPAO").at;
  layer.drawLabels(context, size, 1, () => false);
  assert.ok(texts.includes("KPAO") && texts.length > 1);
  texts.length = 0;
  layer.drawLabels(context, size, 1, (...place) => place[0] === x && place[1] === y);
  assert.ok(!texts.includes("KPAO") && texts.length > 0);
});

test("in the dark, what is not over a chart has other colours", async () => {
  const { lines } = await draw({ isDark: true });
  assert.ok(lines.length > 0 && lines.every(({ color }) => !["#1f4f9a", "#9a2a6b"].includes(color)));
});

test("each layer belongs to a switch, and each switch has a legend", () => {
  assert.deepEqual(new Set(VECTOR_STYLES.map(({ group }) => group)), new Set(GROUPS));
  const drawn = VECTOR_STYLES.map(({ layer }) => layer);
  assert.ok(VECTOR_GROUPS.every(({ legend }) => legend.length > 0 && legend.every(([, layer]) => drawn.includes(layer))));
});
