import { tilesInView, wholeBox, worldBox } from "./mercator.js";
import { TileCache } from "./tile-cache.js";
import { decodeVectorTile } from "./mvt.js";
import { drawPaths } from "./paths.js";
import { TakenPlaces } from "./taken-places.js";
import { VECTOR_STYLES } from "./vector-style.js";

const VECTOR_STEPS_OUT = 1;
const REACH = 12;
/** How much smaller symbols and lines are when a view is far out. */
const shrink = (zoom) => Math.min(1, Math.max(0.4, (zoom - 3) / 7));

/** Draws the points, lines and areas of an archive on a canvas. */
export class VectorLayer {
  constructor(archive, product, changed, failed) {
    this.archive = archive;
    this.product = product;
    this.area = worldBox(wholeBox(product));
    /** The `icao` of the airport that is marked. */
    this.chosen = null;
    this.cache = new TileCache(archive, decodeVectorTile, changed, failed);
    this.shown = [];
  }

  draw(context, view, size, scale) {
    this.shown = [];
    const labels = [];
    const { minZoom, maxZoom } = this.product;
    if (view.zoom < minZoom - VECTOR_STEPS_OUT) return this.cache.want([]);
    const zoom = Math.max(minZoom, Math.min(maxZoom, Math.floor(view.zoom)));
    const tiles = tilesInView(view, size, zoom, this.area);
    this.cache.want(tiles);
    const loaded = tiles
      .map((tile) => ({ tile, layers: this.cache.get(tile.z, tile.x, tile.y) }))
      .filter(({ layers }) => layers);
    for (const style of VECTOR_STYLES) {
      for (const { tile, layers } of loaded) {
        const layer = layers.get(style.layer);
        if (layer) this.#drawLayer(context, style, layer, tile, scale, view.zoom, labels);
      }
    }
    drawLabels(context, labels.reverse(), size.width * scale, scale);
  }

  /** The nearest point within a finger's reach, with its layer and properties; undefined if there is none. */
  pointAt(screen) {
    const near = this.shown
      .map((point) => ({ ...point, distance: Math.hypot(point.x - screen.x, point.y - screen.y) }))
      .filter((point) => point.distance <= REACH);
    return near.sort((one, two) => one.distance - two.distance)[0];
  }

  #drawLayer(context, style, layer, tile, scale, zoom, labels) {
    const unit = (tile.side * scale) / layer.extent;
    const [left, top] = [tile.left * scale, tile.top * scale];
    const place = ([x, y]) => [left + x * unit, top + y * unit];
    context.save();
    // The shapes reach beyond the edge of their tile, so that lines meet; there, the neighbour draws them.
    context.beginPath();
    context.rect(Math.round(left), Math.round(top), Math.ceil(tile.side * scale), Math.ceil(tile.side * scale));
    if (layer.features.some(({ shape }) => shape !== "point")) context.clip();
    for (const feature of layer.features) {
      const look = style.look(feature.properties);
      if (feature.shape === "point") this.#drawPoints(context, feature, look, layer, place, scale, zoom, style.layer, labels);
      else drawPaths(context, feature, look, place, scale * shrink(zoom));
    }
    context.restore();
  }

  #drawPoints(context, feature, look, layer, place, scale, zoom, name, labels) {
    for (const [point] of feature.paths) {
      if (Math.min(...point) < 0 || Math.max(...point) >= layer.extent) continue;
      const [x, y] = place(point);
      this.shown.push({ x: x / scale, y: y / scale, layer: name, properties: feature.properties });
      const radius = look.radius * scale * shrink(zoom);
      context.beginPath();
      if (look.symbol === "peak") {
        [[-0.6, 1], [0, -1], [0.6, 1]].forEach(([right, down]) => context.lineTo(x + right * radius, y + down * radius));
      } else {
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fillStyle = look.fill;
        context.fill();
      }
      const isChosen = this.chosen !== null && feature.properties.icao === this.chosen;
      context.lineWidth = (isChosen ? 4 : 1.5) * scale;
      context.strokeStyle = isChosen ? "#ffd33d" : look.stroke;
      context.stroke();
      if (look.label && zoom >= look.labelZoom) labels.push({ text: look.label, x, y: y + radius, color: look.stroke });
    }
  }
}

/** Draws the labels, the most important first, without those that would cover an earlier one or end at the edge of the canvas. */
function drawLabels(context, labels, width, scale) {
  const height = 11 * scale;
  context.font = `600 ${height}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineWidth = 3 * scale;
  context.strokeStyle = "rgba(255, 255, 255, 0.9)";
  const places = new TakenPlaces();
  for (const { text, x, y, color } of labels) {
    const half = context.measureText(text).width / 2 + scale;
    if (x < half || x > width - half || !places.take({ x: x - half, y, width: 2 * half, height: height + 2 * scale })) continue;
    context.strokeText(text, x, y + 2 * scale);
    context.fillStyle = color;
    context.fillText(text, x, y + 2 * scale);
  }
}
