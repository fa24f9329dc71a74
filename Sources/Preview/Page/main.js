// Connects the parts of the page, which all show the selected cycle.

import { Airports } from "./airports.js";
import { Airspace } from "./airspace.js";
import { hideCard, showCard } from "./airport-card.js";
import { bounds, ChartLayers, extents, home } from "./charts.js";
import { listCharts } from "./chart-list.js";
import { drawGraticule, keepPlace, makeMap, readPlace } from "./place.js";
import { Search } from "./search.js";
import { Swipe } from "./swipe.js";
import { byID, day, el, getJSON, near, say } from "./words.js";

class Page {
  constructor(site) {
    this.site = site;
    this.map = makeMap();
    this.layers = new ChartLayers(this.map);
    this.swipe = new Swipe(this.map);
    this.airports = new Airports(this.map, (icao) => this.open(icao));
    this.airspace = new Airspace(this.map);
    this.search = new Search((item) => this.goTo(item));
    drawGraticule(this.map);
    this.listen();
  }

  begin() {
    const place = readPlace();
    const known = this.site.cycles.find((cycle) => cycle.id === place.cycle)?.id;
    this.cycle = this.site.cycles.find((cycle) => cycle.id === (known ?? this.site.start));
    if (place.view) this.map.setView(place.view.center, place.view.zoom);
    else this.fit();
    this.fillCycles();
    if (this.cycle) this.show();
    if (place.airport && this.cycle?.database) this.open(place.airport, { goesThere: !place.view });
    this.map.on("moveend", () => this.keep());
    this.keep();
  }

  listen() {
    byID("cycle").addEventListener("change", (event) => {
      this.cycle = this.site.cycles.find((cycle) => cycle.id === event.target.value);
      this.show();
      this.keep();
      if (this.airport) this.open(this.airport.icao);
    });
    byID("compare-on").addEventListener("change", () => this.showCharts());
    byID("outlines-on").addEventListener("change", (event) => this.layers.setOutlines(event.target.checked));
    byID("airports-on").addEventListener("change", (event) => this.airports.setOn(event.target.checked));
    byID("opacity").addEventListener("input", (event) => this.layers.setOpacity(event.target.value / 100));
    byID("handle").addEventListener("click", () => this.raise(!document.body.classList.contains("raised")));
    new ResizeObserver(() => this.map.invalidateSize()).observe(byID("map"));
  }

  fillCycles() {
    const options = this.site.cycles.map((cycle) => el("option", { value: cycle.id }, `Cycle ${cycle.id}`));
    byID("cycle").replaceChildren(...options.reverse());
    byID("cycle").disabled = options.length < 2;
    if (options.length > 0) return;
    byID("cycle").hidden = true;
    byID("standing").textContent = "Nothing is staged here yet. Stage a cycle, then load this page again.";
  }

  show() {
    byID("cycle").value = this.cycle.id;
    showStanding(this.cycle);
    const before = this.before();
    byID("compare").hidden = !before;
    byID("compare-text").textContent = before ? `${before.id} on the left, ${this.cycle.id} on the right` : "";
    listCharts(this.cycle, this.layers, (chart) => this.goTo({ chart }));
    this.showCharts();
    this.airports.show(this.cycle);
    this.airspace.show(this.cycle);
    this.search.show(this.cycle);
  }

  showCharts() {
    const before = byID("compare-on").checked ? this.before() : null;
    this.layers.show(this.cycle, before);
    this.swipe.show(before?.id, this.cycle.id);
  }

  /** The cycle before the selected one, if it has charts. */
  before() {
    const index = this.site.cycles.indexOf(this.cycle);
    return this.site.cycles.slice(0, index).findLast((cycle) => cycle.charts.length > 0);
  }

  /** Shows the charts, or the contiguous states for a site without charts, since the box of a database may be around the earth. */
  fit() {
    const boxes = home(this.cycle?.charts ?? []);
    const database = this.cycle?.database?.box;
    if (boxes.length === 0 && database && database[2] - database[0] < 180) boxes.push(database);
    if (boxes.length === 0) boxes.push([-125, 24, -66, 50]);
    const whole = boxes.map(bounds).reduce((sum, box) => sum.extend(box));
    this.map.fitBounds(whole, { padding: [16, 16], animate: false });
  }

  goTo({ airport, chart }) {
    if (airport) return this.open(airport.icao, { goesThere: true });
    this.raise(false);
    this.map.flyToBounds(bounds(extents(chart.boxes)[0]), { padding: [16, 16], duration: 0.6 });
  }

  async open(icao, { goesThere = false } = {}) {
    try {
      this.airport = await getJSON("/airport.json", { cycle: this.cycle.id, icao });
    } catch (error) {
      return say(error.message);
    }
    const fly = () => this.flyTo(this.airport);
    showCard(this.airport, fly, () => this.close());
    this.airports.setChosen(icao);
    this.raise(true);
    if (goesThere) fly();
    else this.uncover(this.airport);
    this.keep();
  }

  close() {
    this.airport = null;
    hideCard();
    this.airports.setChosen(null);
    this.raise(false);
    this.map.getContainer().focus({ preventScroll: true });
    this.keep();
  }

  flyTo({ lat, lon }) {
    if (lat === null) return;
    this.map.once("moveend", () => this.uncover({ lat, lon }));
    this.map.flyTo([lat, near(lon, this.map)], Math.max(this.map.getZoom(), 12), { duration: 0.8 });
  }

  /** Moves the map when a phone's panel would cover the place. */
  uncover({ lat, lon }) {
    const sheet = byID("panel").getBoundingClientRect();
    const map = byID("map").getBoundingClientRect();
    if (lat === null || sheet.width < map.width) return;
    const free = innerHeight - sheet.height - map.top;
    const { y } = this.map.latLngToContainerPoint([lat, near(lon, this.map)]);
    if (y > free - 30) this.map.panBy([0, y - free / 2]);
  }

  /** On a phone the panel slides up from the bottom. */
  raise(isUp) {
    document.body.classList.toggle("raised", isUp);
    byID("handle").setAttribute("aria-expanded", String(isUp));
  }

  keep() {
    keepPlace(this.map, this.cycle?.id ?? "", this.airport?.icao);
  }
}

function showStanding(cycle) {
  const now = Date.now();
  const [text, kind] =
    now >= Date.parse(cycle.expires) ? [`Expired on ${day(cycle.expires)}`, "expired"]
    : now < Date.parse(cycle.effective) ? [`Takes effect on ${day(cycle.effective)} at 0901Z`, "coming"]
    : [`In force until ${day(cycle.expires)}`, "current"];
  byID("standing").className = `standing ${kind}`;
  byID("standing").textContent = cycle.database ? text : `${text}. It has no database: no airports, no airspace.`;
  const problems = [
    cycle.problem, cycle.database?.problem,
    cycle.held.length > 0 ? `Held back in this cycle: ${cycle.held.map((held) => `${held.id} (${held.why})`).join(", ")}` : null,
    cycle.missing.length > 0 ? `Not made in this cycle: ${cycle.missing.join(", ")}` : null,
  ].filter(Boolean);
  for (const problem of problems) console.warn(`${cycle.id}: ${problem}`);
  byID("problem").textContent = problems.join(" ");
  byID("problem").hidden = problems.length === 0;
}

try {
  new Page(await getJSON("/site.json")).begin();
} catch (error) {
  byID("standing").textContent = "The preview cannot be shown.";
  say(error.message);
  throw error;
}
