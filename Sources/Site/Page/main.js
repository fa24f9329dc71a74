import { byID, element } from "./elements.js";
import { pointUnder, wholeBox, worldBox, worldPoint } from "./mercator.js";
import { homeBox } from "./home-box.js";
import { MarkLayer } from "./mark-layer.js";
import { OutlineLayer } from "./outline-layer.js";
import { GraticuleLayer } from "./graticule-layer.js";
import { ChartMap, connectButtons } from "./map.js";
import { ScaleLayer } from "./scale-layer.js";
import { areSameEditions, chosenCycle, chosenLater, cycleStanding, dayText, editionsAtBeginning, expiredText, families, heldText, missingCycle, productTag, readCatalogue, reasonOf, reload, standings, validity } from "./catalogue.js";
import { withNeatline } from "./preview.js";
import { isVector, Layers } from "./layers.js";
import { AirportList, MOST_FOUND } from "./airport-list.js";
import { Swipe } from "./swipe.js";
import { openCard, readAirport, showCard, showExpiryWarnings } from "./airport-card.js";
import { LiveView } from "./live-view.js";
import { Downloads } from "./downloads.js";
import { recipes } from "./recipes.js";

const MINUTE = 60_000;
const AIRPORT_ZOOM = 12;
const MARGIN = 4;
const FAR = "Zoom in to see what is on this map.";
const WORLD = { west: -170, south: -60, east: 170, north: 75 };

function say(message) {
  byID("message").textContent = message;
  byID("message").hidden = !message;
}

/** Says which archives cannot be shown, and why the first of them cannot. */
function complaints() {
  const failed = new Map();
  return (product, error) => {
    failed.set(product.id, failed.get(product.id) ?? { name: product.name, reason: reasonOf(error) });
    const [first] = failed.values();
    const others = failed.size - 1;
    say(`${first.name}: ${first.reason}.${others > 0 ? ` ${others} more of the map cannot be shown.` : ""}`);
  };
}

function describe(point) {
  const { identifier, name, frequency, oas, heightAGL } = point.properties;
  const extra = frequency ?? (heightAGL !== undefined ? `${heightAGL} ft AGL` : "");
  return [identifier ?? oas, name, extra].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** The view, the cycle, the airport and the comparison in the page's address: #map=11.00/37.4600/-122.1100&cycle=2304&airport=KPAO&compare=on */
function readPlace() {
  const values = new URLSearchParams(location.hash.slice(1));
  const numbers = (values.get("map") ?? "").split("/").map(Number);
  return { view: numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : null, cycle: values.get("cycle"), airport: values.get("airport"), compare: values.get("compare") };
}

/** Puts them into the address, without an entry in the browser's history. */
function keepPlace({ view, center }, others) {
  const place = `#map=${view.zoom.toFixed(2)}/${center.latitude.toFixed(4)}/${center.longitude.toFixed(4)}`;
  const rest = Object.entries(others).filter(([, value]) => value).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  history.replaceState(null, "", place + rest.join(""));
}

/** Lists what is not in the chosen cycle, what a preview cannot show, and a wrong address. */
function showProblems(catalogue, { cycle, time }, missing) {
  const held = (cycle?.held ?? []).map((one) => heldText(catalogue, cycle, one, time));
  const all = [missing, ...(catalogue.preview?.problems ?? []), ...held].filter(Boolean);
  byID("problems").replaceChildren(...all.map((text) => element("li", {}, text)));
  byID("problems").hidden = all.length === 0;
}

/**
 * Loads the page again when a date passes while it is open: it shows what was in force before. Until the site answers, `mark` shows what has
 * expired.
 */
function watchDates(catalogue, loaded, mark) {
  const shown = standings(catalogue, loaded);
  const check = () => {
    if (standings(catalogue, Date.now()) === shown) return;
    mark();
    reload().catch(() => say("A date of this page has passed. It shows what has expired, and loads itself again as soon as the site answers."));
  };
  setInterval(check, MINUTE);
  document.addEventListener("visibilitychange", check);
}

/** The rectangles of the map that its controls cover, with a margin. */
function controlPlaces() {
  const map = byID("map").getBoundingClientRect();
  return ["buttons", "layer-box"].map((id) => byID(id).getBoundingClientRect()).filter(({ width }) => width > 0)
    .map(({ x, y, width, height }) => ({ x: x - map.x - MARGIN, y: y - map.y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN }));
}

/** Whether the list is below the map, as on a telephone. */
const isNarrow = () => matchMedia("(max-width: 760px)").matches;

/** Scrolls to the map on a screen on which it is above the list. */
const revealMap = () => byID("place").scrollIntoView({ block: "nearest", behavior: "smooth" });

const isMappedChart = ({ kind, boundingBox }) => kind === "chart" && boundingBox;

/** The page: the map, the list of downloads, and what connects them. */
class Page {
  #catalogue;
  #loaded;
  #chosen;
  #wantedCycle;
  #compare;
  #map;
  #mark = new MarkLayer();
  #outlines;
  #layers;
  /** The products that the map can draw, without those of a comparison. */
  #drawn;
  #vectors;
  #airports;
  #airport;
  #live;
  #downloads;

  constructor(catalogue) {
    this.#catalogue = catalogue;
    const { preview } = catalogue;
    const now = this.#loaded = Date.now();
    const { view, cycle, airport, compare } = readPlace();
    [this.#airport, this.#compare] = [airport, compare];
    this.#chosen = chosenCycle(catalogue, cycle ?? preview?.start, now);
    const missing = missingCycle(this.#chosen, cycle);
    this.#wantedCycle = missing ? null : cycle;
    if (preview) document.title = byID("title").textContent = "Chartpipe preview";
    showProblems(catalogue, this.#chosen, missing);
    const groups = families(catalogue, this.#chosen.time);
    const shown = groups.flatMap(({ items }) => items.map(({ product }) => product));
    this.#airports = new AirportList(shown.find((product) => isVector(product) && product.files.some(({ role }) => role === "json")));
    if (this.#airports.isEmpty) byID("search").placeholder = "Chart or data";
    this.#startMap(shown, view);
    this.#downloads = new Downloads(byID("downloads"), groups, now, (product) => this.#choose(product));
    this.#markDates(now);
    watchDates(catalogue, now, () => this.#markDates(Date.now()));
    this.#connect();
    byID("recipes").append(...recipes(catalogue));
    if (shown.length === 0) say("Nothing is published here yet.");
    if (airport) this.#findAirport(airport, !view);
  }

  /** Says what is in force and what has expired at a time. */
  #markDates(now) {
    const chosen = chosenLater(this.#chosen, this.#loaded, now);
    const { text, word } = cycleStanding(this.#catalogue, now, chosen.cycle);
    [byID("standing").textContent, byID("standing").className] = [text, word];
    const tag = (product) => productTag(product, chosen, word, now);
    this.#downloads.mark(tag);
    for (const { product } of this.#outlines.boxes) product.tag = tag(product);
    showExpiryWarnings();
    this.#noteExpired();
    this.#map.redraw();
  }

  #startMap(shown, view) {
    const { preview } = this.#catalogue;
    const placed = shown.filter((product) => product.boundingBox);
    const charts = placed.filter(isMappedChart).map((product) => ({ ...withNeatline(product, preview) }));
    const map = this.#map = new ChartMap(byID("map"), homeBox((charts.length > 0 ? charts : placed).map(wholeBox)) ?? WORLD);
    this.#outlines = new OutlineLayer(charts, controlPlaces);
    byID("layer-box").addEventListener("toggle", () => map.redraw());
    const layers = this.#layers = new Layers(preview, complaints());
    const made = layers.make(placed);
    this.#drawn = made.map(({ product }) => product);
    this.#vectors = made.filter(({ product }) => isVector(product));
    if (made.length === 0 && placed.length > 0) say("The map has outlines only: a browser can read PMTiles, and here are other archives to download.");
    const outlines = { draw: (...all) => layers.isShown("outlines") && this.#outlines.draw(...all) };
    const swipe = new Swipe(made.filter(({ product }) => !isVector(product)), () => map.redraw());
    const labels = { draw: (context, view, size, scale) => {
      const isCovered = layers.isOverCharts || !this.#vectors.some((vector) => vector.labels.length > 0) ? () => false : swipe.coverage(view, size, scale);
      this.#vectors.forEach((vector) => vector.drawLabels(context, size, scale, isCovered));
    } };
    const vectors = (isOver) => ({ draw: (...all) => layers.isOverCharts === isOver && this.#vectors.forEach((vector) => vector.draw(...all)) });
    this.#live = new LiveView({ isShown: (id) => layers.isShown(id), redraw: () => map.redraw(), open: (cards) => openCard(cards) });
    map.layers = [new GraticuleLayer(), vectors(false), swipe, this.#mark, vectors(true), labels, outlines, ...this.#live.layers, new ScaleLayer()];
    layers.redraw = () => {
      map.redraw();
      this.#live.update();
      this.#noteExpired();
    };
    this.#live.start(({ id, name }) => layers.addSwitch(id, name, "Live"));
    map.listeners = { rested: () => this.#rested(), clicked: (point) => this.#click(point) };
    connectButtons(map);
    this.#offerCycles(swipe, shown.filter(isMappedChart));
    if (view) map.show(view[2], view[1], view[0]);
    else this.#describeView();
  }

  #rested() {
    this.#keepPlace();
    this.#describeView();
  }

  /** Names the publishers of what the view shows, and says that there is more if it is too far out. */
  async #describeView() {
    const { view, size } = this.#map;
    const isFar = view.zoom < this.#layers.firstZoom;
    this.#noteExpired();
    if (isFar && byID("message").hidden) say(FAR);
    else if (!isFar && byID("message").textContent === FAR) say("");
    const credits = await this.#layers.credits(view, size);
    byID("credits").textContent = ["Not for navigation", ...credits.map((text) => text.replace(/,? not for navigation/i, ""))].join(" · ");
  }

  /** Says on the map what of it has expired. */
  #noteExpired() {
    const { view, size } = this.#map;
    const text = expiredText(this.#layers.productsInView(view, size).filter((product) => this.#drawn.includes(product)), Date.now());
    // A screen reader would read the same text again at each change of the map.
    if (byID("expired").textContent === text) return;
    byID("expired").textContent = text;
    byID("expired").hidden = !text;
  }

  #keepPlace(cycle = this.#wantedCycle) {
    keepPlace(this.#map, { cycle, airport: this.#airport, compare: this.#compare });
  }

  /** Shows the choice of a cycle and the comparison with the cycle before it, where there is more than one. */
  #offerCycles(swipe, charts) {
    const { cycles, cycle, before } = this.#chosen;
    byID("cycle").append(...cycles.map(({ id }) => element("option", { value: id, selected: id === cycle.id }, `Cycle ${id}`)));
    byID("cycle").hidden = cycles.length < 2;
    byID("cycle").addEventListener("change", ({ target }) => {
      const wanted = target.value;
      reload(() => this.#keepPlace(wanted)).catch((error) => {
        target.value = cycle.id;
        say(`Cycle ${wanted} cannot be shown now: ${reasonOf(error)}.`);
      });
    });
    byID("compare").hidden = !before;
    if (!before) return;
    [byID("swipe-before").textContent, byID("swipe-now").textContent] = [before.id, cycle.id];
    const box = byID("compare-on");
    byID("compare").append(`Compare with ${before.id}`);
    const earlier = editionsAtBeginning(this.#catalogue, before).filter(isMappedChart);
    let layers;
    const compare = () => {
      if (box.checked) layers ??= this.#layers.make(earlier);
      swipe.show(box.checked ? layers : null);
      if (areSameEditions(earlier, charts)) say(box.checked ? `The charts of ${before.id} and ${cycle.id} are the same editions.` : "");
    };
    box.addEventListener("change", () => {
      this.#compare = box.checked ? "on" : null;
      this.#keepPlace();
      compare();
    });
    box.checked = this.#compare;
    if (box.checked) compare();
  }

  #connect() {
    const [search, list] = [byID("search"), byID("airports")];
    search.addEventListener("focus", () => this.#airports.airports().catch(() => {}));
    search.addEventListener("input", () => this.#search(search.value));
    const first = () => list.querySelector("button") ?? byID("downloads").querySelector(".product:not([hidden]) button.name");
    search.addEventListener("keydown", ({ key }) => key === "Enter" && search.value && first()?.click());
    byID("finder").addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const stops = [search, ...list.querySelectorAll("button")];
      stops[stops.indexOf(document.activeElement) + step]?.focus();
    });
    // A person has opened another address of this page; its own changes are silent.
    window.addEventListener("hashchange", () => reload().catch((error) => {
      this.#keepPlace();
      say(`That address cannot be shown now: ${reasonOf(error)}.`);
    }));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && !byID("card").hidden && byID("card").querySelector(".close").click());
  }

  /** Shows the products that have the words of a search, and the airports. */
  async #search(text) {
    const filter = this.#downloads.search(text);
    // A search for an airport leaves the charts on the map.
    this.#outlines.filter = filter?.size > 0 ? filter : null;
    this.#map.redraw();
    let [airports, problem] = [[], null];
    try {
      airports = await this.#airports.find(text);
    } catch (error) {
      problem = `Airports cannot be searched: ${reasonOf(error)}.`;
    }
    // A person may have typed on.
    if (text !== byID("search").value) return;
    byID("airports").replaceChildren(...airports.map((airport) => element("li", {},
      element("button", { type: "button", onclick: () => this.#goToAirport(airport) }, element("b", {}, airport.icao), ` ${airport.name}`),
      element("span", {}, [airport.city, airport.state].filter(Boolean).join(", ")))));
    const { product } = this.#airports;
    const past = airports.length > 0 && validity(product, Date.now()) === "expired" ? `. The data of airports expired on ${dayText(product.expirationDate)}.` : "";
    byID("found").textContent = problem ?? (filter ? foundText(airports.length, filter.size) + past : "");
  }

  #choose(product) {
    this.#outlines.chosen = product.id;
    this.#downloads.show(product.id, !isNarrow());
    this.#layers.switchOn(product.id);
    say(this.#absence(product));
    this.#map.fit(wholeBox(product));
    revealMap();
  }

  /** That the map cannot draw a chart, and what it shows in its place; empty for what it can draw. */
  #absence(product) {
    if (product.kind !== "chart" || this.#layers.has(product.id)) return "";
    const { left, right, top, bottom } = worldBox(wholeBox(product));
    const shown = this.#layers.chartsAt({ x: (left + right) / 2, y: (top + bottom) / 2 }).at(-1);
    return `${product.name} is for download only. The map shows ${shown ? shown.name : "its outline"}.`;
  }

  /** A click shows an airport, what is live there, or a chart at that place: each click on it the next larger one. */
  #click(point) {
    const near = this.#vectors.map((vector) => ({ ...vector.pointAt(point), vector })).find(({ layer }) => layer);
    const isAirport = near?.layer === "airports";
    const cards = this.#live.cardsAt(point, this.#map.view, this.#map.size);
    say(near && !isAirport ? describe(near) : "");
    if (isAirport) return this.#openAirport(near.vector, near.properties, pointUnder(this.#map.view, this.#map.size, near), cards);
    const found = this.#outlines.productsAt(point, this.#map.view, this.#map.size);
    const next = found[(found.findIndex(({ id }) => id === this.#outlines.chosen) + 1) % found.length];
    this.#outlines.chosen = next?.id ?? null;
    if (next && !near) say(this.#absence(next));
    if (next) this.#downloads.show(next.id, cards.length === 0 && !isNarrow());
    if (next && isNarrow()) cards.push(this.#downloads.card(next));
    if (cards.length > 0) openCard(cards);
    this.#map.redraw();
  }

  /** Shows an airport of the address. */
  async #findAirport(icao, goesThere) {
    const airport = await this.#airports.airport(icao).catch(() => undefined);
    if (!airport) {
      this.#select(null, null);
      return say(`No airport of this map is ${icao}.`);
    }
    this.#goToAirport(airport, goesThere);
  }

  #goToAirport(airport, goesThere = true) {
    const vector = this.#vectors.find(({ product }) => product.build?.counts?.airports > 0);
    if (goesThere) this.#showPlace(airport);
    this.#openAirport(vector, airport, worldPoint(airport.longitude, airport.latitude));
  }

  async #openAirport(vector, properties, place, cards = []) {
    this.#select(properties.icao, place);
    try {
      const airport = { ...properties, ...await readAirport(vector, properties.icao, place) };
      showCard(airport, vector.product, () => this.#goThere(airport), cards, () => this.#select(null, null));
      this.#select(airport.icao, worldPoint(airport.longitude, airport.latitude));
    } catch (error) {
      say(`${properties.icao}: ${reasonOf(error)}.`);
    }
  }

  #goThere(airport) {
    this.#showPlace(airport);
    revealMap();
  }

  #showPlace({ longitude, latitude }) {
    const zoom = Math.min(AIRPORT_ZOOM, this.#layers.sharpestZoom(worldPoint(longitude, latitude)) ?? AIRPORT_ZOOM);
    this.#map.show(longitude, latitude, Math.max(this.#map.view.zoom, zoom));
  }

  #select(icao, place) {
    [this.#airport, this.#mark.place] = [icao, place];
    this.#keepPlace();
    this.#map.redraw();
  }
}

const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

function foundText(airports, products) {
  if (airports + products === 0) return "Nothing has these words.";
  return [airports === MOST_FOUND ? `First ${airports} airports` : airports && counted(airports, "airport"), products && counted(products, "download")].filter(Boolean).join(", ");
}

readCatalogue().then((catalogue) => {
  new Page(catalogue);
  document.documentElement.dataset.ready = "true";
}).catch((error) => {
  byID("standing").textContent = "";
  say(`This site cannot be shown: ${reasonOf(error)}.`);
});
