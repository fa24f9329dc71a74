// Connects the parts of the page, which all show the selected cycle.

import { Airports } from "./airports.js";
import { Airspace } from "./airspace.js";
import { hideCard, showCard } from "./airport-card.js";
import { boxesOf, ChartLayers } from "./charts.js";
import { listCharts } from "./chart-list.js";
import { byID, element } from "./elements.js";
import { GraticuleLayer } from "./graticule-layer.js";
import { homeBox } from "./home-box.js";
import { ChartMap, connectButtons } from "./map.js";
import { panned, screenPoint, wholeBox, worldPoint } from "./mercator.js";
import { keepPlace, readPlace, showPlace, showTip, showTips } from "./place.js";
import { ScaleLayer } from "./scale-layer.js";
import { Search } from "./search.js";
import { Swipe } from "./swipe.js";
import { day, getJSON, say } from "./words.js";

class Page {
  constructor(site) {
    this.site = site;
    this.place = readPlace();
    const known = site.cycles.find((cycle) => cycle.id === this.place.cycle)?.id;
    this.cycle = site.cycles.find((cycle) => cycle.id === (known ?? site.start));
    this.map = new ChartMap(byID("map"), homeOf(this.cycle));
    this.charts = new ChartLayers(this.map);
    this.swipe = new Swipe(this.map, this.charts);
    this.airports = new Airports(this.map, (icao) => this.open(icao));
    this.airspace = new Airspace(this.map);
    this.search = new Search((item) => this.goTo(item));
    this.map.layers = [new GraticuleLayer(), this.charts, this.airspace, this.airports, new ScaleLayer()];
    this.listen();
  }

  begin() {
    const { view } = this.place;
    if (view) this.map.show(view.longitude, view.latitude, view.zoom);
    showPlace(this.map.center);
    this.fillCycles();
    if (this.cycle) this.show();
    if (this.place.airport && this.cycle?.database) this.open(this.place.airport, { goesThere: !view });
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
    const setting = (id, event, set) => byID(id).addEventListener(event, ({ target }) => {
      set(target);
      this.map.redraw();
    });
    setting("outlines-on", "change", ({ checked }) => (this.charts.outlinesOn = checked));
    setting("opacity", "input", ({ value }) => (this.charts.opacity = value / 100));
    setting("airports-on", "change", ({ checked }) => this.airports.setOn(checked));
    byID("handle").addEventListener("click", () => this.raise(!document.body.classList.contains("raised")));
    connectButtons(this.map);
    const layers = [this.airports, this.airspace];
    showTips(this.map, layers);
    this.map.listeners = {
      moved: () => {
        showPlace(this.map.center);
        showTip(this.map, layers, null);
      },
      rested: () => {
        for (const layer of layers) layer.load();
        this.keep();
      },
      clicked: (point) => {
        const airport = this.airports.airportAt(point);
        if (airport) this.open(airport.icao);
        else showTip(this.map, layers, point);
      },
    };
  }

  fillCycles() {
    const options = this.site.cycles.map((cycle) => element("option", { value: cycle.id }, `Cycle ${cycle.id}`));
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
    listCharts(this.cycle, this.charts, (chart) => this.goTo({ chart }));
    this.showCharts();
    this.airports.show(this.cycle);
    this.airspace.showCycle(this.cycle);
    this.search.show(this.cycle);
  }

  showCharts() {
    const before = byID("compare-on").checked ? this.before() : null;
    this.charts.show(this.cycle, before);
    this.swipe.show(before?.id, this.cycle.id);
  }

  /** The cycle before the selected one, if it has charts. */
  before() {
    const index = this.site.cycles.indexOf(this.cycle);
    return this.site.cycles.slice(0, index).findLast((cycle) => cycle.charts.length > 0);
  }

  goTo({ airport, chart }) {
    if (airport) return this.open(airport.icao, { goesThere: true });
    this.raise(false);
    this.map.fit(wholeBox(boxesOf(chart)));
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
    byID("map").focus({ preventScroll: true });
    this.keep();
  }

  flyTo({ lat, lon }) {
    if (lat === null) return;
    const view = { ...worldPoint(lon, lat), zoom: Math.max(this.map.view.zoom, 12) };
    this.map.glide(panned(view, 0, (this.map.size.height - this.freeHeight()) / 2));
  }

  /** Moves the map when a phone's panel would cover the place. */
  uncover({ lat, lon }) {
    if (lat === null) return;
    const { y } = screenPoint(this.map.view, this.map.size, worldPoint(lon, lat));
    const free = this.freeHeight();
    if (y > free - 30 && free < this.map.size.height) this.map.pan(0, y - free / 2);
  }

  /** The height of the map that a phone's raised panel does not cover. */
  freeHeight() {
    const sheet = byID("panel").getBoundingClientRect();
    const { width, height } = this.map.size;
    return sheet.width < width ? height : innerHeight - sheet.height - byID("map").getBoundingClientRect().top;
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

/** The box of the charts, or the contiguous states for a site without charts, since the box of a database may be around the earth. */
function homeOf(cycle) {
  const charts = homeBox((cycle?.charts ?? []).map(boxesOf).map(wholeBox).filter(Boolean));
  const [west, south, east, north] = cycle?.database?.box ?? [0, 0, 360, 0];
  return charts ?? (east - west < 180 ? { west, south, east, north } : { west: -125, south: 24, east: -66, north: 50 });
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
  // Under this name the browser's console reaches the page.
  globalThis.preview = new Page(await getJSON("/site.json"));
  preview.begin();
} catch (error) {
  byID("standing").textContent = "The preview cannot be shown.";
  say(error.message);
  throw error;
}
