// Draws the airspace of the view as outlines in the chart's colours.

import { byID, el, getJSON, say } from "./words.js";

const kinds = [
  { id: "bravo", name: "B", classes: ["bravo"], from: 5, isOn: true },
  { id: "charlie", name: "C", classes: ["charlie"], from: 6, isOn: true },
  { id: "delta", name: "D", classes: ["delta"], from: 7, isOn: true },
  { id: "echo", name: "E", classes: ["echo"], from: 8, isOn: false },
  {
    id: "special", name: "special use", from: 6, isOn: true,
    classes: ["prohibited", "restricted", "warning", "alert", "moa", "nationalSecurity", "other"],
  },
];

export class Airspace {
  constructor(map) {
    this.map = map;
    this.cycle = null;
    this.shapes = L.layerGroup().addTo(map);
    this.drawn = new Map();
    this.renderer = L.svg({ pane: "airspace", padding: 0.3 });
    map.on("moveend", () => this.load());
    byID("airspace-kinds").append(...kinds.map((kind) => this.choice(kind)));
  }

  choice(kind) {
    const tick = el("input", { type: "checkbox", onchange: () => {
      kind.isOn = tick.checked;
      this.load();
    } });
    tick.checked = kind.isOn;
    return el("label", { class: `key ${kind.id}` }, tick, kind.name);
  }

  show(cycle) {
    this.cycle = cycle;
    this.clear();
    this.load();
  }

  clear() {
    this.shapes.clearLayers();
    this.drawn.clear();
  }

  async load() {
    this.request?.abort();
    const wanted = kinds.filter((kind) => kind.isOn && this.map.getZoom() >= kind.from);
    if (wanted.length === 0 || !this.cycle?.database || this.cycle.database.problem) return this.clear();
    this.request = new AbortController();
    try {
      this.draw(await getJSON("/airspace.json", {
        cycle: this.cycle.id, box: this.map.getBounds().pad(0.1).toBBoxString(), limit: 500,
        classes: wanted.flatMap((kind) => kind.classes).join(","),
      }, this.request.signal));
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  /** Keeps the shapes that are drawn already. */
  draw(answer) {
    const turn = 360 * Math.round(this.map.getCenter().lng / 360);
    const wanted = new Map(answer.features.map((feature) => [`${feature.id} ${turn}`, feature]));
    for (const [key, shape] of this.drawn) {
      if (wanted.has(key)) continue;
      this.shapes.removeLayer(shape);
      this.drawn.delete(key);
    }
    for (const [key, feature] of wanted) {
      if (this.drawn.has(key)) continue;
      const shape = this.shape(feature, turn);
      this.drawn.set(key, shape);
      this.shapes.addLayer(shape);
    }
  }

  shape(feature, turn) {
    const style = {
      renderer: this.renderer, pane: "airspace", fill: false, className: `airspace ${kindOf(feature).id}`,
    };
    return L.geoJSON(feature, { style, coordsToLatLng: ([x, y]) => L.latLng(y, x + turn) })
      .bindTooltip(el("span", {}, describe(feature.properties)), { sticky: true });
  }
}

const kindOf = (feature) => kinds.find((kind) => kind.classes.includes(feature.properties.class)) ?? kinds.at(-1);

function describe({ name, floor, ceiling, hours }) {
  const heights = [floor, ceiling].filter(Boolean).join(" to ");
  return [name, heights, hours].filter(Boolean).join(" · ");
}
