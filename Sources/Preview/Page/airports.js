// Draws the most important airports of the view as symbols, all others as small dots, and at large zooms the runways as lines.

import { AirportDots } from "./airport-dots.js";
import { byID, el, getJSON, grouped, near, say } from "./words.js";

/** The zoom at which a runway is longer than its airport's dot. */
const runwayZoom = 12.5;

export class Airports {
  constructor(map, choose) {
    this.map = map;
    this.choose = choose;
    this.isOn = true;
    this.cycle = null;
    this.chosen = null;
    this.all = new AirportDots(map);
    this.dots = L.layerGroup().addTo(map);
    this.drawn = new Map();
    this.runways = L.layerGroup().addTo(map);
    this.renderers = {
      airports: L.svg({ pane: "airports", padding: 0.3 }), runways: L.svg({ pane: "runways", padding: 0.3 }),
    };
    map.on("moveend", () => this.load());
  }

  show(cycle) {
    this.cycle = cycle;
    this.clear();
    this.load();
  }

  clear() {
    this.dots.clearLayers();
    this.drawn.clear();
  }

  setOn(isOn) {
    this.isOn = isOn;
    this.load();
  }

  /** Marks one of the dots. */
  setChosen(icao) {
    this.chosen = icao;
    this.dots.eachLayer((dot) => dot.getElement()?.classList.toggle("chosen", dot.options.icao === icao));
  }

  async load() {
    this.request?.abort();
    this.all.show(this.isOn ? this.cycle : null);
    if (!this.isOn || !this.cycle?.database || this.cycle.database.problem) return this.draw([]);
    this.request = new AbortController();
    const showsRunways = this.map.getZoom() >= runwayZoom;
    try {
      const answer = await getJSON("/airports.json", {
        cycle: this.cycle.id, box: this.map.getBounds().pad(0.1).toBBoxString(), limit: this.room(),
        runways: showsRunways ? 1 : 0,
      }, this.request.signal);
      this.draw(answer.airports);
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  /** The largest number of symbols: about one for each 64 x 64 pixels, and fewer where the map shows a continent. */
  room() {
    const size = this.map.getSize();
    const side = this.map.getZoom() < 4 ? 120 : 64;
    return Math.min(300, Math.max(20, Math.round(size.x * size.y / side ** 2)));
  }

  draw(airports) {
    this.drawDots(airports);
    this.runways.clearLayers();
    this.setChosen(this.chosen);
    for (const airport of airports) this.drawRunways(airport);
    this.list(airports);
  }

  /** Keeps the symbols that are drawn already: creating elements takes most of the time. */
  drawDots(airports) {
    const wanted = new Map(airports.map((airport) => [`${airport.icao} ${near(airport.lon, this.map)}`, airport]));
    for (const [key, dot] of this.drawn) {
      if (wanted.has(key)) continue;
      dot.remove();
      this.dots.removeLayer(dot);
      this.drawn.delete(key);
    }
    // The most important airports come first and are drawn on top.
    for (const [key, airport] of [...wanted].reverse()) {
      if (this.drawn.has(key)) continue;
      const dot = this.dot(airport);
      this.drawn.set(key, dot);
      this.dots.addLayer(dot);
      dot.getElement()?.setAttribute("data-icao", airport.icao);
    }
  }

  dot(airport) {
    const kind = [airport.tower ? "towered" : "untowered", airport.use === "public" ? "public" : "private"];
    const isSmall = airport.use !== "public" || airport.type !== "airport";
    const reach = matchMedia("(pointer: coarse)").matches ? 3 : 0;
    const dot = L.circleMarker([airport.lat, near(airport.lon, this.map)], {
      renderer: this.renderers.airports, pane: "airports", radius: (isSmall ? 4 : 6) + reach,
      className: `airport ${kind.join(" ")}`, icao: airport.icao, bubblingMouseEvents: false,
    });
    dot.bindTooltip(el("span", {}, `${airport.icao} ${airport.name}`), { direction: "top", offset: [0, -6] });
    return dot.on("click", () => this.choose(airport.icao));
  }

  drawRunways(airport) {
    for (const [, south, west, north, east] of airport.runways ?? []) {
      const line = [[south, near(west, this.map)], [north, near(east, this.map)]];
      const style = { renderer: this.renderers.runways, pane: "runways", interactive: false };
      this.runways.addLayer(L.polyline(line, { ...style, className: "runway-edge" }));
      this.runways.addLayer(L.polyline(line, { ...style, className: "runway" }));
    }
  }

  /** Lists the airports for keyboards and screen readers. */
  list(airports) {
    byID("in-view-section").hidden = airports.length === 0;
    byID("in-view").replaceChildren(...airports.slice(0, 12).map((airport) => {
      const length = airport.longest ? `${grouped(airport.longest)} ft` : "";
      const open = () => this.choose(airport.icao);
      return el("li", {}, el("button", { type: "button", class: "name", onclick: open },
        el("span", {}, el("b", {}, airport.icao), ` ${airport.name}`), el("span", { class: "soft" }, length)));
    }));
  }
}
