// Draws the most important airports of the view as symbols, all others as small dots, and at large zooms the runways as lines.

import { AirportDots } from "./airport-dots.js";
import { byID, colorOf, element } from "./elements.js";
import { screenPoint, turnsInView, worldPoint } from "./mercator.js";
import { PathLayer } from "./path-layer.js";
import { boxText } from "./place.js";
import { getJSON, grouped, say } from "./words.js";

/** The zoom at which a runway is longer than its airport's dot. */
const runwayZoom = 12.5;
const runwayLooks = [{ stroke: "#10161d", width: 7, opacity: 0.9 }, { stroke: "#ffffff", width: 3 }];

export class Airports {
  constructor(map, choose) {
    this.map = map;
    this.choose = choose;
    this.isOn = true;
    this.cycle = null;
    this.chosen = null;
    /** From the bottom to the top. */
    this.symbols = [];
    this.dots = new AirportDots(map);
    this.runways = new PathLayer();
  }

  show(cycle) {
    this.cycle = cycle;
    this.symbols = [];
    this.load();
  }

  setOn(isOn) {
    this.isOn = isOn;
    this.load();
  }

  /** Marks one of the symbols. */
  setChosen(icao) {
    this.chosen = icao;
    this.map.redraw();
  }

  async load() {
    this.request?.abort();
    this.dots.show(this.isOn ? this.cycle : null);
    if (!this.isOn || !this.cycle?.database || this.cycle.database.problem) return this.fill([]);
    this.request = new AbortController();
    const showsRunways = this.map.view.zoom >= runwayZoom;
    try {
      const answer = await getJSON("/airports.json", {
        cycle: this.cycle.id, box: boxText(this.map), limit: this.room(), runways: showsRunways ? 1 : 0,
      }, this.request.signal);
      this.fill(answer.airports);
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  /** The largest number of symbols: about one for each 64 x 64 pixels, and fewer where the map shows a continent. */
  room() {
    const { size, view } = this.map;
    const side = view.zoom < 4 ? 120 : 64;
    return Math.min(300, Math.max(20, Math.round(size.width * size.height / side ** 2)));
  }

  /** Takes the airports of the view, the most important first. */
  fill(airports) {
    this.symbols = airports.map(symbolOf).reverse();
    this.runways.show(airports.flatMap(({ runways }) => runways ?? []).map(([, south, west, north, east]) => (
      { paths: [[[west, south], [east, north]]], shape: "line", looks: runwayLooks })));
    this.list(airports);
    this.map.redraw();
  }

  draw(context, view, size, scale) {
    this.dots.draw(context, view, size, scale);
    this.runways.draw(context, view, size, scale);
    const isChosen = ({ airport }) => airport.icao === this.chosen;
    const colors = { blue: colorOf("--blue"), magenta: colorOf("--magenta") };
    for (const symbol of this.symbols) if (!isChosen(symbol)) this.drawSymbol(context, symbol, colors, scale);
    for (const symbol of this.symbols) if (isChosen(symbol)) this.drawSymbol(context, symbol, colors, scale, true);
  }

  drawSymbol(context, symbol, colors, scale, isChosen = false) {
    context.fillStyle = symbol.airport.tower ? colors.blue : colors.magenta;
    context.strokeStyle = isChosen ? "#ffd33d" : "#ffffff";
    context.lineWidth = (isChosen ? 4 : 1.75) * scale;
    for (const { x, y } of this.places(symbol)) {
      context.beginPath();
      context.arc(x * scale, y * scale, symbol.radius * scale, 0, 2 * Math.PI);
      context.globalAlpha = symbol.airport.use === "public" ? 0.95 : 0.55;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }
  }

  /** Where a symbol is on the screen, once for each turn of the earth. */
  places({ point }) {
    const { view, size } = this.map;
    const margin = 20 / size.width;
    return turnsInView(view, size, { left: point.x - margin, right: point.x + margin })
      .map((turn) => screenPoint(view, size, { x: point.x + turn, y: point.y }));
  }

  /** The airport under a point on the screen; undefined if there is none. */
  airportAt(point) {
    const distance = (symbol) => Math.min(...this.places(symbol).map(({ x, y }) => Math.hypot(x - point.x, y - point.y)));
    const near = this.symbols.map((symbol) => ({ symbol, away: distance(symbol) })).filter(({ symbol, away }) => away <= symbol.radius + 3);
    return near.sort((one, two) => one.away - two.away)[0]?.symbol.airport;
  }

  tipAt(point) {
    const airport = this.airportAt(point);
    return airport && `${airport.icao} ${airport.name}`;
  }

  /** Lists the airports for keyboards and screen readers. */
  list(airports) {
    byID("in-view-section").hidden = airports.length === 0;
    byID("in-view").replaceChildren(...airports.slice(0, 12).map((airport) => {
      const length = airport.longest ? `${grouped(airport.longest)} ft` : "";
      const open = () => this.choose(airport.icao);
      return element("li", {}, element("button", { type: "button", class: "name", onclick: open },
        element("span", {}, element("b", {}, airport.icao), ` ${airport.name}`), element("span", { class: "soft" }, length)));
    }));
  }
}

function symbolOf(airport) {
  const isSmall = airport.use !== "public" || airport.type !== "airport";
  const reach = matchMedia("(pointer: coarse)").matches ? 3 : 0;
  return { airport, point: worldPoint(airport.lon, airport.lat), radius: (isSmall ? 4 : 6) + reach };
}
