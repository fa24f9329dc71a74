// The charts' tiles and outlines.

import { el } from "./words.js";

/** Shows a chart across 180 degrees on both sides of the map, each time as a whole. */
export function extents(boxes) {
  if (boxes.length < 2) return boxes;
  const [one, two] = boxes[0][2] === 180 ? boxes : [boxes[1], boxes[0]];
  const south = Math.min(one[1], two[1]);
  const north = Math.max(one[3], two[3]);
  return [[one[0], south, two[2] + 360, north], [one[0] - 360, south, two[2], north]];
}

export const bounds = ([west, south, east, north]) => L.latLngBounds([south, west], [north, east]);

export class ChartLayers {
  constructor(map) {
    this.map = map;
    this.hidden = new Set();
    this.outlinesOn = true;
    this.opacity = 1;
    this.layers = { now: new Map(), before: new Map() };
    this.outlines = new Map();
    this.renderer = L.svg({ pane: "outlines", padding: 0.5 });
  }

  /** Shows a cycle's charts, and on the other side of the divider those of the previous cycle, if any. */
  show(cycle, before) {
    this.clear();
    for (const chart of cycle.charts) this.outlines.set(chart.id, this.outline(chart));
    this.fill("now", cycle);
    if (before) this.fill("before", before);
    this.update();
  }

  setHidden(id, isHidden) {
    if (isHidden) this.hidden.add(id);
    else this.hidden.delete(id);
    this.update();
  }

  setOutlines(areOn) {
    this.outlinesOn = areOn;
    this.update();
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const side of Object.values(this.layers)) {
      for (const group of side.values()) group.eachLayer((layer) => layer.setOpacity(opacity));
    }
  }

  clear() {
    const groups = [...this.layers.now.values(), ...this.layers.before.values(), ...this.outlines.values()];
    for (const group of groups) group.remove();
    this.layers.now.clear();
    this.layers.before.clear();
    this.outlines.clear();
  }

  fill(side, cycle) {
    for (const chart of cycle.charts) {
      if (chart.problem) console.warn(`${cycle.id} ${chart.id}: ${chart.problem}`);
      else this.layers[side].set(chart.id, this.tiles(cycle, chart, side));
    }
  }

  tiles(cycle, chart, pane) {
    const address = `/tiles/${cycle.id}/${encodeURI(chart.id)}/{z}/{x}/{y}`;
    return L.layerGroup(extents(chart.boxes).map((box) => L.tileLayer(address, {
      pane, bounds: bounds(box), opacity: this.opacity, zIndex: chart.maxZoom, maxZoom: 18,
      // At small zooms only outlines are drawn, since thousands of tiles would show little.
      minZoom: Math.max(0, chart.minZoom - 2), minNativeZoom: chart.minZoom, maxNativeZoom: chart.maxZoom,
    })));
  }

  outline(chart) {
    const boxes = extents(chart.boxes);
    const turns = boxes.length < 2 ? [null] : [1, -1];
    const lines = turns.flatMap((turn) => chart.outline.flatMap((ring) => pieces(ring, turn)));
    const style = { renderer: this.renderer, pane: "outlines", className: "outline", interactive: false };
    const group = L.layerGroup(lines.map((line) => L.polyline(line, style)));
    for (const box of boxes) group.addLayer(nameLabel(chart, [box[3], box[0]]));
    return group;
  }

  update() {
    const place = (group, isOn) => (isOn ? group.addTo(this.map) : group.remove());
    for (const side of Object.values(this.layers)) {
      for (const [id, group] of side) place(group, !this.hidden.has(id));
    }
    for (const [id, group] of this.outlines) place(group, this.outlinesOn && !this.hidden.has(id));
  }
}

/** Draws a ring as lines, without the edges at 180 degrees. */
function pieces(ring, turn) {
  if (turn === null) return [ring.map(([x, y]) => [y, x])];
  const shift = (x) => (turn > 0 ? (x < 0 ? x + 360 : x) : (x > 0 ? x - 360 : x));
  const isAtEnd = ([x]) => Math.abs(x) > 179.9999;
  const lines = [[]];
  ring.forEach((place, index) => {
    if (index > 0 && isAtEnd(place) && isAtEnd(ring[index - 1])) lines.push([]);
    lines.at(-1).push([place[1], shift(place[0])]);
  });
  return lines.filter((line) => line.length > 1);
}

function nameLabel(chart, place) {
  const html = el("span", {}, chart.name);
  const icon = L.divIcon({ className: "chart-name", html, iconSize: null, iconAnchor: [-6, -4] });
  return L.marker(place, { icon, pane: "outlines", interactive: false, keyboard: false });
}
