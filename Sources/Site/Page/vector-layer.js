import { tilesInView, wholeBox, worldBox } from "./mercator.js";
import { TileCache } from "./tile-cache.js";
import { decodeVectorTile } from "./mvt.js";
import { drawPaths, drawPoint } from "./paths.js";
import { TakenPlaces } from "./taken-places.js";
import { mapColors, VECTOR_STYLES } from "./vector-style.js";

const VECTOR_STEPS_OUT = 1;
const REACH = 16;
/** The reach of what is not drawn, such as an airport that a chart shows. */
const HIDDEN_REACH = 8;
/** By how many pixels an airport may be farther from a click than another point. */
const AIRPORT_LEAD = 8;
/** How much smaller symbols and lines are when a view is far out. */
const shrink = (zoom) => Math.min(1, Math.max(0.4, (zoom - 3) / 7));
/** Over a chart, what is drawn is thinner, with a light edge. */
const THINNER = 0.75;
const HALO = 2.4;

/** Draws the points, lines and areas of an archive on a canvas. */
export class VectorLayer {
  #page;
  #halo;

  /** `page` has isOverCharts(), isDark() and isShown(group). */
  constructor(archive, product, changed, failed, page) {
    this.archive = archive;
    this.product = product;
    this.area = worldBox(wholeBox(product));
    this.#page = page;
    this.cache = new TileCache(archive, decodeVectorTile, changed, failed);
    this.shown = [];
    this.labels = [];
  }

  /** The zoom below which it draws nothing. */
  get firstZoom() {
    return this.product.minZoom - VECTOR_STEPS_OUT;
  }

  draw(context, view, size, scale) {
    this.shown = [];
    this.labels = [];
    const { minZoom, maxZoom } = this.product;
    if (view.zoom < this.firstZoom) return this.cache.want([]);
    const zoom = Math.max(minZoom, Math.min(maxZoom, Math.floor(view.zoom)));
    const tiles = tilesInView(view, size, zoom, this.area);
    this.cache.want(tiles);
    const loaded = tiles
      .map((tile) => ({ tile, layers: this.cache.get(tile.z, tile.x, tile.y) }))
      .filter(({ layers }) => layers);
    const isOver = this.#page.isOverCharts();
    const pen = {
      scale, isOver, labels: this.labels, zoom: view.zoom, size: scale * shrink(view.zoom) * (isOver ? THINNER : 1), colors: mapColors(this.#page.isDark() && !isOver),
    };
    for (const style of VECTOR_STYLES) {
      const parts = loaded.flatMap(({ tile, layers }) => (layers.has(style.layer) ? [{ tile, layer: inView(layers.get(style.layer), style, view.zoom) }] : []));
      const isShown = this.#page.isShown(style.group);
      // A click on a chart's own symbol finds an airport too.
      if (isShown || style.layer === "airports") parts.forEach((part) => this.#addPoints(style.layer, part, isShown ? REACH : HIDDEN_REACH));
      if (!isShown) continue;
      if (isOver) parts.forEach((part) => drawPart(context, style, part, { ...pen, isHalo: true }));
      parts.forEach((part) => drawPart(context, style, part, pen));
    }
    this.#halo = pen.colors.halo;
  }

  /**
   * Draws the labels of what draw() has drawn, the most important first, each whole and with its symbol. Left out are those of places that a
   * chart covers, and those that would cover an earlier one or end at the edge of the canvas.
   */
  drawLabels(context, size, scale, isCovered) {
    const free = this.labels.filter(({ at: [x, y] }) => !isCovered(x, y));
    // Over a chart, symbols are whole already.
    if (!this.#page.isOverCharts()) free.forEach(({ drawSymbol }) => drawSymbol());
    drawTexts(context, free.reverse(), size.width * scale, scale, this.#halo);
  }

  /** The nearest point within a finger's reach, with its layer and properties; undefined if there is none. */
  pointAt(screen) {
    const near = this.shown
      .map((point) => ({ ...point, distance: Math.hypot(point.x - screen.x, point.y - screen.y) }))
      .filter(({ reach, distance }) => distance <= reach);
    const rank = ({ layer, distance }) => distance - (layer === "airports" ? AIRPORT_LEAD : 0);
    return near.sort((one, two) => rank(one) - rank(two))[0];
  }

  #addPoints(name, { tile, layer }, reach) {
    const unit = tile.side / layer.extent;
    for (const { shape, paths, properties } of layer.features) {
      if (shape !== "point") continue;
      for (const [[x, y]] of paths.filter(([point]) => isInTile(point, layer))) {
        this.shown.push({ x: tile.left + x * unit, y: tile.top + y * unit, layer: name, properties, reach });
      }
    }
  }
}

/** A layer without the features that a view of this zoom does not show. */
const inView = (layer, { from }, zoom) =>
  from ? { ...layer, features: layer.features.filter(({ properties }) => from(properties) <= zoom) } : layer;

/** Whether a point belongs to its tile, not to the edge of the tile beside it. */
const isInTile = (point, { extent }) => Math.min(...point) >= 0 && Math.max(...point) < extent;

/** Draws a layer of one tile, or only the light edges of what it has. */
function drawPart(context, style, { tile, layer }, pen) {
  const unit = (tile.side * pen.scale) / layer.extent;
  const [left, top] = [tile.left * pen.scale, tile.top * pen.scale];
  const place = ([x, y]) => [left + x * unit, top + y * unit];
  context.save();
  // The shapes reach beyond the edge of their tile, so that lines meet; there, the neighbour draws them.
  context.beginPath();
  context.rect(Math.round(left), Math.round(top), Math.ceil(tile.side * pen.scale), Math.ceil(tile.side * pen.scale));
  if (layer.features.some(({ shape }) => shape !== "point")) context.clip();
  for (const feature of layer.features) {
    const look = style.look(feature.properties, pen.colors);
    if (feature.shape === "point") drawPoints(context, feature, look, layer, place, pen);
    else if (!pen.isHalo) drawPaths(context, feature, look, place, pen.size);
    else if (!look.opacity) drawPaths(context, feature, halo(look, pen), place, pen.size);
  }
  context.restore();
}

const halo = ({ width }, { colors, size, scale }) => ({ stroke: colors.halo, width: width + (HALO * scale) / size, opacity: 0.65 });

function drawPoints(context, feature, look, layer, place, { scale, isOver, isHalo, labels, zoom, size, colors }) {
  for (const point of feature.paths.map(([first]) => first).filter((one) => isInTile(one, layer))) {
    const at = place(point);
    const edge = 1.5 * scale * (isOver ? THINNER : 1);
    if (isHalo) {
      drawPoint(context, { ...look, fill: null, stroke: colors.halo }, at, size, edge + HALO * scale);
      continue;
    }
    // The chart's own symbol stays visible in a ring.
    const drawSymbol = () => drawPoint(context, isOver ? { ...look, fill: null } : look, at, size, edge);
    drawSymbol();
    if (look.label && zoom >= look.labelZoom) labels.push({ text: look.label, at, y: at[1] + look.radius * size, color: look.stroke, drawSymbol });
  }
}

function drawTexts(context, labels, width, scale, edge) {
  const height = 11 * scale;
  context.font = `600 ${height}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineJoin = "round";
  context.lineWidth = 3 * scale;
  context.strokeStyle = edge;
  const places = new TakenPlaces();
  for (const { text, at: [x], y, color } of labels) {
    const half = context.measureText(text).width / 2 + scale;
    if (x < half || x > width - half || !places.take({ x: x - half, y, width: 2 * half, height: height + 2 * scale })) continue;
    context.strokeText(text, x, y + 2 * scale);
    context.fillStyle = color;
    context.fillText(text, x, y + 2 * scale);
  }
}
