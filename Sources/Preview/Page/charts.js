// The charts' tiles and outlines, with a divider between two cycles.

import { worldPoint } from "./mercator.js";
import { OutlineLayer } from "./outline-layer.js";
import { RasterLayer } from "./raster-layer.js";
import { say } from "./words.js";

export class ChartLayers {
  constructor(map) {
    this.map = map;
    this.hidden = new Set();
    this.outlinesOn = true;
    this.opacity = 1;
    /** The share of the map on the left that shows the previous cycle. */
    this.share = 0;
    this.now = [];
    this.before = [];
    this.outlines = new OutlineLayer([]);
  }

  /** Shows a cycle's charts, and on the other side of the divider those of the previous cycle, if any. */
  show(cycle, before) {
    for (const layer of [...this.now, ...this.before]) layer.cache.want([]);
    this.now = this.layers(cycle);
    this.before = before ? this.layers(before) : [];
    this.outlines = new OutlineLayer(cycle.charts.map(outlined));
    this.map.redraw();
  }

  /** Charts with larger scales are on top. */
  layers(cycle) {
    for (const chart of cycle.charts.filter(({ problem }) => problem)) console.warn(`${cycle.id} ${chart.id}: ${chart.problem}`);
    const charts = cycle.charts.filter(({ problem, boxes }) => !problem && boxes.length > 0);
    return charts.sort((one, two) => one.maxZoom - two.maxZoom).map((chart) => new RasterLayer(
      new ServedArchive(`/tiles/${cycle.id}/${encodeURI(chart.id)}`), { ...chart, ...boxesOf(chart) },
      () => this.map.redraw(), (error) => say(`${chart.name}: ${error.message}`)));
  }

  setHidden(id, isHidden) {
    if (isHidden) this.hidden.add(id);
    else this.hidden.delete(id);
    this.map.redraw();
  }

  draw(context, view, size, scale) {
    this.drawSide(this.before, 0, this.share, context, view, size, scale);
    this.drawSide(this.now, this.share, 1, context, view, size, scale);
    const ids = this.outlines.boxes.map(({ product }) => product.id).filter((id) => this.outlinesOn && !this.hidden.has(id));
    this.outlines.filter = new Set(ids);
    this.outlines.draw(context, view, size, scale);
  }

  /** Draws the part of the map between two shares of its width. */
  drawSide(layers, from, to, context, view, size, scale) {
    context.save();
    context.beginPath();
    context.rect(from * size.width * scale, 0, (to - from) * size.width * scale, size.height * scale);
    context.clip();
    for (const layer of layers) {
      layer.opacity = this.opacity;
      if (this.hidden.has(layer.product.id)) layer.cache.want([]);
      else layer.draw(context, view, size, scale);
    }
    context.restore();
  }
}

/** A chart's archive, which the server reads. */
class ServedArchive {
  constructor(address) {
    this.address = address;
  }

  async tile(z, x, y, signal) {
    const answer = await fetch(`${this.address}/${z}/${x}/${y}`, { signal });
    if (answer.status === 204) return null;
    if (answer.ok) return answer.arrayBuffer();
    throw new Error((await answer.json()).error);
  }
}

/** The boxes of a chart in the form of the catalogue. */
export function boxesOf({ boxes }) {
  const boundingBoxes = boxes.map(([west, south, east, north]) => ({ west, south, east, north }));
  return { boundingBox: boundingBoxes[0], boundingBoxes };
}

function outlined(chart) {
  const rings = chart.outline.flatMap((ring) => pieces(ring, chart.boxes.length > 1));
  const paths = rings.map((ring) => ring.map(([longitude, latitude]) => worldPoint(longitude, latitude)));
  return { id: chart.id, name: chart.name, shape: "line", paths, ...boxesOf(chart) };
}

/** A ring as lines. Across 180 degrees, the edges there are left out, and the west comes after the east. */
function pieces(ring, isAcross) {
  if (!isAcross) return [ring];
  const isAtEnd = ([x]) => Math.abs(x) > 179.9999;
  const lines = [[]];
  ring.forEach((place, index) => {
    if (index > 0 && isAtEnd(place) && isAtEnd(ring[index - 1])) lines.push([]);
    lines.at(-1).push([place[0] < 0 ? place[0] + 360 : place[0], place[1]]);
  });
  return lines.filter((line) => line.length > 1);
}
