// Draws the airspace of the view as on a chart.

import { byID, element } from "./elements.js";
import { PathLayer } from "./path-layer.js";
import { boxText } from "./place.js";
import { airspaceLook } from "./vector-style.js";
import { getJSON, say } from "./words.js";

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

export class Airspace extends PathLayer {
  constructor(map) {
    super();
    this.map = map;
    this.cycle = null;
    byID("airspace-kinds").append(...kinds.map((kind) => this.choice(kind)));
  }

  choice(kind) {
    const tick = element("input", { type: "checkbox", checked: kind.isOn, onchange: () => {
      kind.isOn = tick.checked;
      this.load();
    } });
    return element("label", { class: `key ${kind.id}` }, tick, kind.name);
  }

  showCycle(cycle) {
    this.cycle = cycle;
    this.show([]);
    this.load();
  }

  async load() {
    this.request?.abort();
    const wanted = kinds.filter((kind) => kind.isOn && this.map.view.zoom >= kind.from);
    if (wanted.length === 0 || !this.cycle?.database || this.cycle.database.problem) return this.draws([]);
    this.request = new AbortController();
    try {
      const { features } = await getJSON("/airspace.json", {
        cycle: this.cycle.id, box: boxText(this.map), limit: 500, classes: wanted.flatMap((kind) => kind.classes).join(","),
      }, this.request.signal);
      // The most important come first.
      this.draws(features.reverse());
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  draws(features) {
    this.show(features.map(itemOf));
    this.map.redraw();
  }

  tipAt(point) {
    return this.itemAt(point, this.map, 5)?.tip;
  }
}

function itemOf({ geometry, properties }) {
  const { name, floor, ceiling, hours } = properties;
  const tip = [name, [floor, ceiling].filter(Boolean).join(" to "), hours].filter(Boolean).join(" · ");
  const paths = geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : geometry.coordinates;
  return { paths, shape: "area", looks: [airspaceLook({ class: properties.class, floorText: floor })], tip };
}
