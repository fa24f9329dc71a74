import { byID, element } from "./elements.js";
import { pointUnder, wholeBox } from "./mercator.js";
import { homeBox } from "./home-box.js";
import { RasterLayer } from "./raster-layer.js";
import { VectorLayer } from "./vector-layer.js";
import { OutlineLayer } from "./outline-layer.js";
import { GraticuleLayer } from "./graticule-layer.js";
import { ChartMap, connectButtons } from "./map.js";
import { ScaleLayer } from "./scale-layer.js";
import { chosenCycle, cycleStanding, editionsAtBeginning, families, searchWords, standings, validity } from "./catalogue.js";
import { openArchive, withNeatline } from "./preview.js";
import { Swipe } from "./swipe.js";
import { openCard, readAirport, showCard } from "./airport-card.js";
import { LiveView } from "./live-view.js";
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

/** The layers of the products that the map can read, the largest area at the bottom, vector tiles on top, and what is hidden. */
class Layers {
  #hidden = new Set();
  #switched = new Set();
  #preview;
  #complain = complaints();
  redraw = () => {};

  constructor(preview) {
    this.#preview = preview;
    this.addSwitch("outlines", "Outlines of charts");
  }

  isShown(id) {
    return !this.#hidden.has(id);
  }

  make(products) {
    const area = (product) => {
      const { west, south, east, north } = wholeBox(product);
      return (east - west) * (north - south);
    };
    const opened = products.map((product) => ({ product, archive: openArchive(product, this.#preview) })).filter(({ archive }) => archive);
    opened.sort(({ product: one }, { product: two }) => isVector(one) - isVector(two) || area(two) - area(one));
    return opened.map(({ product, archive }) => {
      // A mosaic has the pixels of its charts, so they are hidden at first.
      this.addSwitch(product.id, product.name, !isVector(product) && opened.some((other) => other.product.includes?.includes(product.id)));
      const failed = (error) => this.#complain(product, error);
      return this.#optional(new (isVector(product) ? VectorLayer : RasterLayer)(archive, product, () => this.redraw(), failed));
    });
  }

  /** Draws a layer only while it is shown. */
  #optional(layer) {
    const draw = layer.draw.bind(layer);
    layer.draw = (...all) => (this.isShown(layer.product.id) ? draw(...all) : layer.cache.want([]));
    return layer;
  }

  addSwitch(id, name, isHidden = false) {
    if (this.#switched.has(id)) return;
    if (isHidden) this.#hidden.add(id);
    this.#switched.add(id);
    const box = element("input", { type: "checkbox", checked: !isHidden, "data-layer": id, onchange: () => {
      this.#hidden[box.checked ? "delete" : "add"](id);
      this.redraw();
    } });
    byID("layers").append(element("label", {}, box, name));
  }
}

const isVector = (product) => product.format === "vectortiles";

function describe(point) {
  const { identifier, name, frequency, oas, heightAGL } = point.properties;
  const extra = frequency ?? (heightAGL !== undefined ? `${heightAGL} ft AGL` : "");
  return [identifier ?? oas, name, extra].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** The view and the cycle in the page's address: #map=11.00/37.4600/-122.1100&cycle=2304 */
function readPlace() {
  const values = new URLSearchParams(location.hash.slice(1));
  const numbers = (values.get("map") ?? "").split("/").map(Number);
  return { view: numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : null, cycle: values.get("cycle") };
}

/** Puts the view and the cycle into the address, without an entry in the browser's history. */
function keepPlace({ view, center }, cycle) {
  const place = `#map=${view.zoom.toFixed(2)}/${center.latitude.toFixed(4)}/${center.longitude.toFixed(4)}`;
  history.replaceState(null, "", cycle ? `${place}&cycle=${cycle}` : place);
}

/** Says what is in force beside the title, and on the map if it is not the present cycle. */
function showStanding({ text, word }) {
  for (const place of [byID("standing"), byID("notice")]) [place.textContent, place.className] = [text, word];
  byID("notice").hidden = word === "current";
}

/** Lists what is not in a cycle, and what a preview cannot show. */
function showProblems(cycle, preview) {
  const held = (cycle?.held ?? []).map(({ id, rule }) => `Not in cycle ${cycle.id}: ${id}${rule ? ` (${rule})` : ""}`);
  const all = [...(preview?.problems ?? []), ...held];
  byID("problems").replaceChildren(...all.map((text) => element("li", {}, text)));
  byID("problems").hidden = all.length === 0;
}

/** Loads the page again when a date passes while it is open: it shows what was in force before. */
function watchDates(catalogue, loaded) {
  const shown = standings(catalogue, loaded);
  const check = () => standings(catalogue, Date.now()) === shown || location.reload();
  setInterval(check, MINUTE);
  document.addEventListener("visibilitychange", check);
}

/** The page: the map, the list of downloads, and what connects them. */
class Page {
  #catalogue;
  #chosen;
  #wantedCycle;
  #map;
  #outlines;
  #layers;
  #vectors;
  #live;
  #downloads;

  constructor(catalogue) {
    this.#catalogue = catalogue;
    const { preview } = catalogue;
    const now = Date.now();
    const { view, cycle } = readPlace();
    this.#wantedCycle = cycle;
    this.#chosen = chosenCycle(catalogue, cycle ?? preview?.start, now);
    if (preview) document.title = byID("title").textContent = "Chartpipe preview";
    showStanding(cycleStanding(catalogue, now, this.#chosen.cycle));
    showProblems(this.#chosen.cycle, preview);
    watchDates(catalogue, now);
    const groups = families(catalogue, this.#chosen.time);
    const shown = groups.flatMap(({ items }) => items.map(({ product }) => product));
    this.#startMap(shown, now, view);
    this.#downloads = new Downloads(byID("downloads"), groups, now, (product) => this.#choose(product));
    this.#connect();
    byID("recipes").append(...recipes(catalogue));
    if (shown.length === 0) say("Nothing is published here yet.");
  }

  #startMap(shown, now, view) {
    const { preview } = this.#catalogue;
    const placed = shown.filter((product) => product.boundingBox);
    const charts = placed.filter(({ kind }) => kind === "chart")
      .map((product) => ({ ...withNeatline(product, preview), standing: validity(product, now) }));
    const map = this.#map = new ChartMap(byID("map"), homeBox((charts.length > 0 ? charts : placed).map(wholeBox)) ?? WORLD);
    this.#outlines = new OutlineLayer(charts);
    this.#layers = new Layers(preview);
    const layers = this.#layers.make(placed);
    this.#vectors = layers.filter(({ product }) => isVector(product));
    byID("layer-box").hidden = layers.length === 0;
    if (layers.length === 0 && placed.length > 0) say("The map has outlines only: a browser can read PMTiles, and here are other archives to download.");
    const outlines = { draw: (...all) => this.#layers.isShown("outlines") && this.#outlines.draw(...all) };
    const swipe = new Swipe(layers.filter(({ product }) => !isVector(product)), () => map.redraw());
    this.#live = new LiveView({ isShown: (id) => this.#layers.isShown(id), redraw: () => map.redraw(), open: (cards) => openCard(cards) });
    map.layers = [new GraticuleLayer(), swipe, ...this.#vectors, outlines, ...this.#live.layers, new ScaleLayer()];
    this.#layers.redraw = () => {
      map.redraw();
      this.#live.update();
    };
    this.#live.start(({ id, name }) => {
      this.#layers.addSwitch(id, name);
      byID("layer-box").hidden = false;
    });
    map.listeners = { rested: () => keepPlace(map, this.#wantedCycle), clicked: (point) => this.#click(point) };
    connectButtons(map);
    this.#offerCycles(swipe);
    if (view) map.show(view[2], view[1], view[0]);
  }

  /** Shows the choice of a cycle and the comparison with the cycle before it, where there is more than one. */
  #offerCycles(swipe) {
    const { cycles, cycle, before } = this.#chosen;
    byID("cycle").append(...cycles.map(({ id }) => element("option", { value: id, selected: id === cycle.id }, `Cycle ${id}`)));
    byID("cycle").hidden = cycles.length < 2;
    byID("cycle").addEventListener("change", ({ target }) => {
      keepPlace(this.#map, target.value);
      location.reload();
    });
    byID("compare").hidden = !before;
    if (!before) return;
    [byID("swipe-before").textContent, byID("swipe-now").textContent] = [before.id, cycle.id];
    let layers;
    byID("compare-on").addEventListener("change", ({ target }) => {
      layers ??= this.#layers.make(editionsAtBeginning(this.#catalogue, before).filter(({ kind, boundingBox }) => kind === "chart" && boundingBox));
      swipe.show(target.checked ? layers : null);
    });
  }

  #connect() {
    const search = byID("search");
    search.addEventListener("input", () => {
      const filter = this.#outlines.filter = this.#downloads.search(search.value);
      const airports = this.#findAirports(search.value);
      byID("airports").replaceChildren(...airports.map((point) => element("li", {},
        element("button", { type: "button", class: "name", onclick: () => this.#openAirport(point, true) }, describeAirport(point)))));
      byID("nothing").hidden = filter?.size !== 0 || airports.length > 0;
      this.#map.redraw();
    });
    search.addEventListener("keydown", ({ key }) => key === "Enter" && byID("airports").querySelector("button")?.click());
  }

  #choose(product) {
    this.#outlines.chosen = product.id;
    this.#downloads.show(product.id);
    this.#map.fit(wholeBox(product));
  }

  /** The first airports on the map that have all words of a search. */
  #findAirports(text) {
    const words = searchWords(text);
    if (words.length === 0) return [];
    const points = this.#vectors.filter(({ product }) => this.#layers.isShown(product.id)).flatMap((vector) =>
      vector.shown.filter(({ layer }) => layer === "airports").map((point) => ({ ...point, vector })));
    const found = points.filter(({ properties: { icao, faaID, name, city } }) => {
      const all = [icao, faaID, name, city].join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    });
    return found.slice(0, 8);
  }

  /** A click shows the point of a vector layer and what is live there, or the charts at that place: each click on it the next larger one. */
  #click(point) {
    const near = this.#vectors.filter(({ product }) => this.#layers.isShown(product.id))
      .map((vector) => ({ ...vector.pointAt(point), vector })).find(({ layer }) => layer);
    const isAirport = near?.layer === "airports";
    const cards = this.#live.cardsAt(point, this.#map.view, this.#map.size);
    say(near && !isAirport ? describe(near) : "");
    const found = this.#outlines.productsAt(point, this.#map.view, this.#map.size);
    const next = found[(found.findIndex(({ id }) => id === this.#outlines.chosen) + 1) % found.length];
    this.#outlines.chosen = next?.id ?? null;
    if (next) this.#downloads.show(next.id, !isAirport && cards.length === 0);
    if (isAirport) this.#openAirport(near, false, cards);
    else if (cards.length > 0) openCard(cards);
    this.#map.redraw();
  }

  async #openAirport({ vector, properties, x, y }, goesThere = false, cards = []) {
    const mark = (icao) => {
      vector.chosen = icao;
      this.#map.redraw();
    };
    mark(properties.icao);
    try {
      const airport = { ...properties, ...await readAirport(vector, properties.icao, pointUnder(this.#map.view, this.#map.size, { x, y })) };
      const goThere = () => this.#map.show(airport.longitude, airport.latitude, Math.max(this.#map.view.zoom, 12));
      showCard(airport, goThere, cards, () => mark(null));
      if (goesThere) goThere();
    } catch (error) {
      say(`${properties.icao}: ${error.message}.`);
    }
  }
}

const describeAirport = ({ properties: { icao, name } }) => `${icao} ${name}`;

readCatalogue().then((catalogue) => {
  new Page(catalogue);
  document.documentElement.dataset.ready = "true";
}).catch((error) => {
  byID("standing").textContent = "";
  say(`This site cannot be shown: ${error.message}.`);
});
