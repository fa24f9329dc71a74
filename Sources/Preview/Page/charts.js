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

/**
 * Returns the boxes of the charts where most charts are, next to each other. Charts on both sides of 180 degrees would otherwise
 * have a box around the whole earth, whose middle is empty; and a box around Guam, Alaska and Puerto Rico shows no chart well.
 */
export function home(charts) {
  const all = charts.map((chart) => extents(chart.boxes)[0]).filter(Boolean);
  if (all.length === 0) return [];
  const middle = ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2];
  const turned = (x, around) => x - 360 * Math.round((x - around) / 360);
  // A mosaic reaches from the Pacific to the Atlantic, with an empty middle.
  const covers = (box, [x, y]) =>
    Math.abs(turned(x, middle(box)[0]) - middle(box)[0]) <= (box[2] - box[0]) / 2 && box[1] <= y && y <= box[3];
  const isMost = (box) => all.filter((other) => covers(box, middle(other))).length > all.length / 2;
  const single = all.filter((box) => !isMost(box));
  const boxes = single.length > 0 ? single : all;
  // The place with the smallest sum of distances is a chart among the others.
  const far = ([x, y], [u, v]) => Math.min(Math.abs(turned(x, u) - u), 60) + Math.min(Math.abs(y - v), 60);
  const middles = boxes.map(middle);
  const sums = middles.map((one) => middles.reduce((sum, other) => sum + far(other, one), 0));
  const [x, y] = middles[sums.indexOf(Math.min(...sums))];
  const shifted = boxes.map((box) => {
    const shift = turned(middle(box)[0], x) - middle(box)[0];
    return [box[0] + shift, box[1], box[2] + shift, box[3]];
  });
  const group = connected(shifted, shifted[sums.indexOf(Math.min(...sums))]);
  if (group.length >= boxes.length / 2) return group;
  return shifted.filter((box) => Math.abs(middle(box)[0] - x) < 35 && Math.abs(middle(box)[1] - y) < 14);
}

/** Returns the boxes that are reached from one of them over gaps of less than two degrees. */
function connected(boxes, first) {
  const isNear = (one, other) => one[0] - other[2] < 2 && other[0] - one[2] < 2 && one[1] - other[3] < 2 && other[1] - one[3] < 2;
  const group = [first];
  let rest = boxes.filter((box) => box !== first);
  for (let index = 0; index < group.length; index += 1) {
    group.push(...rest.filter((box) => isNear(box, group[index])));
    rest = rest.filter((box) => !group.includes(box));
  }
  return group;
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
    this.map.on("zoomend", () => this.fitNames());
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
    for (const box of boxes) group.addLayer(nameLabel(chart, box));
    return group;
  }

  update() {
    const place = (group, isOn) => (isOn ? group.addTo(this.map) : group.remove());
    for (const side of Object.values(this.layers)) {
      for (const [id, group] of side) place(group, !this.hidden.has(id));
    }
    for (const [id, group] of this.outlines) place(group, this.outlinesOn && !this.hidden.has(id));
    this.fitNames();
  }

  /** Hides the names that are wider than their charts, which would cover the names of others. */
  fitNames() {
    const pixelsPerDegree = 256 * 2 ** this.map.getZoom() / 360;
    for (const group of this.outlines.values()) {
      group.eachLayer((layer) => {
        const { chartName, degrees } = layer.options;
        if (chartName) layer.setOpacity(degrees * pixelsPerDegree < chartName.length * nameWidth ? 0 : 1);
      });
    }
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

/** The width of a letter in a name, in pixels. */
const nameWidth = 7;

function nameLabel(chart, [west, , east, north]) {
  const html = el("span", {}, chart.name);
  const icon = L.divIcon({ className: "chart-name", html, iconSize: null, iconAnchor: [-6, -4] });
  return L.marker([north, west], {
    icon, pane: "outlines", interactive: false, keyboard: false, chartName: chart.name, degrees: east - west,
  });
}
