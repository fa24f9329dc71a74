import { byID, element } from "./elements.js";
import { wholeBox } from "./mercator.js";
import { homeBox } from "./home-box.js";
import { PMTilesArchive, RangeReader } from "./pmtiles.js";
import { RasterLayer } from "./raster-layer.js";
import { VectorLayer } from "./vector-layer.js";
import { OutlineLayer } from "./outline-layer.js";
import { GraticuleLayer } from "./graticule-layer.js";
import { ChartMap, connectButtons } from "./map.js";
import { ScaleLayer } from "./scale-layer.js";
import { cycleStanding, families, mapArchive, standings, validity } from "./catalogue.js";
import { Downloads } from "./downloads.js";
import { recipes } from "./recipes.js";

const MINUTE = 60_000;
const WORLD = { west: -170, south: -60, east: 170, north: 75 };

async function readCatalogue() {
  if (location.protocol === "file:") {
    throw new Error("a browser does not let a page from a file read other files; serve this folder with any web server and open the page there");
  }
  const response = await fetch("catalog.json", { cache: "no-cache" });
  if (!response.ok) throw new Error(`the server answers ${response.status} for catalog.json`);
  const catalogue = await response.json().catch(() => null);
  if (!catalogue) throw new Error("catalog.json is not JSON: another page, or a part of the file, came in its place");
  if (catalogue.format !== "chartpipe-catalog-1") throw new Error("catalog.json has a form that this page does not know");
  return catalogue;
}

function say(message) {
  byID("message").textContent = message;
  byID("message").hidden = !message;
}

/** Says which archives cannot be shown, and why the first of them cannot. */
function complaints() {
  const failed = new Map();
  return (product, error) => {
    failed.set(product.id, failed.get(product.id) ?? { name: product.name, reason: error.message });
    const [first] = failed.values();
    const others = failed.size - 1;
    say(`${first.name}: ${first.reason}.${others > 0 ? ` ${others} more of the map cannot be shown.` : ""}`);
  };
}

/** Makes the layers of the products that a map can read, the largest area at the bottom, vector tiles on top. */
function makeLayers(products, redraw, list) {
  const area = (product) => {
    const { west, south, east, north } = wholeBox(product);
    return (east - west) * (north - south);
  };
  const isVector = (product) => product.format === "vectortiles";
  const complain = complaints();
  const ordered = [...products].sort((one, two) => isVector(one) - isVector(two) || area(two) - area(one));
  return ordered.map((product, index) => {
    const failed = (error) => complain(product, error);
    const archive = new PMTilesArchive(new RangeReader(mapArchive(product).path));
    const layer = new (isVector(product) ? VectorLayer : RasterLayer)(archive, product, redraw, failed);
    // A mosaic has the pixels of its charts, so they are hidden at first.
    layer.isShown = isVector(product) || !ordered.some((other) => other.includes?.includes(product.id));
    list.append(layerSwitch(layer, `layer-${index}`, redraw));
    return layer;
  });
}

function layerSwitch(layer, id, redraw) {
  const box = element("input", { type: "checkbox", id, checked: layer.isShown, onchange: () => { layer.isShown = box.checked; redraw(); } });
  return element("label", { for: id }, box, layer.product.name);
}

/** Draws a layer only while it is shown. */
function optional(layer) {
  return { draw: (...all) => (layer.isShown ? layer.draw(...all) : layer.cache.want([])) };
}

function describe(point) {
  const { icao, identifier, name, elevation, frequency, oas, heightAGL } = point.properties;
  const extra = elevation !== undefined ? `${elevation} ft` : frequency ?? (heightAGL !== undefined ? `${heightAGL} ft AGL` : "");
  return [icao ?? identifier ?? oas, name, extra].filter((part) => part !== undefined && part !== "").join(" · ");
}

function hashView() {
  const match = location.hash.match(/^#map=([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)$/);
  return match ? match.slice(1).map(Number) : null;
}

/** Says what is in force beside the title, and on the map if it is not the present cycle. */
function showStanding({ text, word }) {
  for (const place of [byID("standing"), byID("notice")]) [place.textContent, place.className] = [text, word];
  byID("notice").hidden = word === "current";
}

/** Loads the page again when a date passes while it is open: it shows what was in force before. */
function watchDates(catalogue, loaded) {
  const shown = standings(catalogue, loaded);
  const check = () => standings(catalogue, Date.now()) === shown || location.reload();
  setInterval(check, MINUTE);
  document.addEventListener("visibilitychange", check);
}

function start(catalogue) {
  const now = Date.now();
  showStanding(cycleStanding(catalogue, now));
  watchDates(catalogue, now);
  const shown = families(catalogue, now).flatMap(({ items }) => items.map(({ product }) => product));
  const charts = shown.filter((product) => product.kind === "chart" && product.boundingBox)
    .map((product) => ({ ...product, standing: validity(product, now) }));
  const placed = shown.filter((product) => product.boundingBox);
  const map = startMap(charts, placed);
  const choose = (product) => {
    map.outlines.chosen = product.id;
    downloads.show(product.id);
    map.chart.fit(wholeBox(product));
  };
  const downloads = new Downloads(byID("downloads"), catalogue, now, choose);
  map.chosen = (product) => downloads.show(product.id);
  byID("search").addEventListener("input", ({ target }) => {
    map.outlines.filter = downloads.search(target.value);
    byID("nothing").hidden = map.outlines.filter?.size !== 0;
    map.chart.redraw();
  });
  byID("recipes").append(...recipes(catalogue));
  if (shown.length === 0) say("Nothing is published here yet.");
  document.documentElement.dataset.ready = "true";
}

/** Returns the map, its outlines, and a place for what happens when a person clicks an outline. */
function startMap(charts, placed) {
  const chart = new ChartMap(byID("map"), homeBox((charts.length > 0 ? charts : placed).map(wholeBox)) ?? WORLD);
  const made = { outlines: new OutlineLayer(charts), chosen: () => {}, chart };
  const layers = makeLayers(placed.filter(mapArchive), () => chart.redraw(), byID("layers"));
  byID("layer-box").hidden = layers.length === 0;
  if (layers.length === 0 && placed.length > 0) say("The map has outlines only: a browser can read PMTiles, and here are other archives to download.");
  chart.layers = [new GraticuleLayer(), ...layers.map(optional), made.outlines, new ScaleLayer()];
  chart.listeners = {
    rested: () => {
      const { longitude, latitude } = chart.center;
      history.replaceState(null, "", `#map=${chart.view.zoom.toFixed(2)}/${latitude.toFixed(4)}/${longitude.toFixed(4)}`);
    },
    clicked: (point) => click(point, made, layers),
  };
  connectButtons(chart);
  const view = hashView();
  if (view) chart.show(view[2], view[1], view[0]);
  return made;
}

/** A click shows the point of a vector layer, and the charts at that place: each click on it the next larger one. */
function click(point, made, layers) {
  const vector = layers.filter((layer) => layer.isShown && layer.pointAt).map((layer) => layer.pointAt(point)).find(Boolean);
  say(vector ? describe(vector) : "");
  const found = made.outlines.productsAt(point, made.chart.view, made.chart.size);
  const next = found[(found.findIndex(({ id }) => id === made.outlines.chosen) + 1) % found.length];
  made.outlines.chosen = next?.id ?? null;
  if (next) made.chosen(next);
  made.chart.redraw();
}

readCatalogue().then(start).catch((error) => {
  byID("standing").textContent = "";
  say(`This site cannot be shown: ${error.message}.`);
});
