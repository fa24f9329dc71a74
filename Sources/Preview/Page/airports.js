// Draws the airports of the view as dots, and at large zooms their runways as lines.

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
    this.dots = L.layerGroup().addTo(map);
    this.runways = L.layerGroup().addTo(map);
    this.renderers = {
      airports: L.svg({ pane: "airports", padding: 0.3 }), runways: L.svg({ pane: "runways", padding: 0.3 }),
    };
    map.on("moveend", () => this.load());
  }

  show(cycle) {
    this.cycle = cycle;
    this.load();
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

  /** The largest number of airports to draw: about one for each 40 x 40 pixels. */
  room() {
    const size = this.map.getSize();
    return Math.min(600, Math.max(40, Math.round(size.x * size.y / 1600)));
  }

  draw(airports) {
    this.dots.clearLayers();
    this.runways.clearLayers();
    // The most important airports come first and are drawn on top.
    for (const airport of [...airports].reverse()) this.dots.addLayer(this.dot(airport));
    this.dots.eachLayer((dot) => dot.getElement()?.setAttribute("data-icao", dot.options.icao));
    this.setChosen(this.chosen);
    for (const airport of airports) this.drawRunways(airport);
    this.list(airports);
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
