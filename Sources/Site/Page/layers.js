import { byID, element } from "./elements.js";
import { pointUnder, turnsInView, wholeBox } from "./mercator.js";
import { drawPaths, drawPoint } from "./paths.js";
import { RasterLayer } from "./raster-layer.js";
import { VectorLayer } from "./vector-layer.js";
import { mapColors, VECTOR_GROUPS, VECTOR_STYLES } from "./vector-style.js";
import { openArchive } from "./preview.js";

const SAMPLE = { width: 26, height: 14 };
/** Of how many archives the map names the publishers. */
const CREDITS = 4;

export const isVector = (product) => product.format === "vectortiles";
const darkScheme = () => matchMedia("(prefers-color-scheme: dark)");

/** The layers of the products that the map can read, the largest area at the bottom, and the box with their switches and the legend. */
export class Layers {
  #hidden = new Set();
  #switched = new Set();
  #archives = [];
  #preview;
  #failed;
  redraw = () => {};

  /** `failed(product, error)` is called for each tile that cannot be shown. */
  constructor(preview, failed) {
    [this.#preview, this.#failed] = [preview, failed];
    darkScheme().addEventListener("change", () => byID("layers").querySelectorAll("canvas").forEach(drawSample));
  }

  isShown(id) {
    return !this.#hidden.has(id);
  }

  make(products) {
    const area = (product) => {
      const { west, south, east, north } = wholeBox(product);
      return (east - west) * (north - south);
    };
    const opened = products.map((product) => ({ product, archive: openArchive(product, this.#preview) })).filter(({ archive }) => archive);
    opened.sort(({ product: one }, { product: two }) => area(two) - area(one));
    const [rasters, vectors] = [false, true].map((wanted) => opened.filter(({ product }) => isVector(product) === wanted));
    if (vectors.length > 0) this.#addGroups(vectors.map(({ product }) => product), rasters.length > 0);
    if (rasters.length > 0) this.addSwitch("outlines", "Outlines of charts", "Charts");
    for (const { product } of rasters) {
      // A mosaic has the pixels of its charts, so they are hidden at first.
      this.addSwitch(product.id, product.name, "Charts", opened.some((other) => other.product.includes?.includes(product.id)));
    }
    const page = { isOverCharts: () => this.isOverCharts, isDark: () => darkScheme().matches, isShown: (id) => this.isShown(id) };
    const layers = [...rasters, ...vectors].map(({ product, archive }) => {
      const all = [archive, product, () => this.redraw(), (error) => this.#failed(product, error)];
      const layer = isVector(product) ? new VectorLayer(...all, page) : this.#optional(new RasterLayer(...all));
      this.#archives.push({ layer, archive });
      return layer;
    });
    return layers;
  }

  /** Whether vector tiles are drawn over the charts. Otherwise they are below, where there is no chart. */
  get isOverCharts() {
    return this.#switched.has("over") && this.isShown("over");
  }

  /** Draws a layer only while it is shown. */
  #optional(layer) {
    const draw = layer.draw.bind(layer);
    layer.draw = (...all) => (this.isShown(layer.product.id) ? draw(...all) : layer.cache.want([]));
    return layer;
  }

  /** The switches of what the vector tiles have, with their legend. Over charts they are off at first. */
  #addGroups(products, hasCharts) {
    if (hasCharts) this.addSwitch("over", "Draw it over the charts", "Map data", true);
    for (const { id, name, legend } of VECTOR_GROUPS) {
      const isThere = VECTOR_STYLES.some(({ layer, group }) => group === id && products.some(({ build }) => build?.counts?.[layer] > 0));
      if (isThere) this.addSwitch(id, name, "Map data").append(element("p", { class: "legend" }, legend.map(legendEntry)));
    }
  }

  /** Adds a switch below a title. Returns its row. */
  addSwitch(id, name, title, isHidden = false) {
    if (this.#switched.has(id)) return element("div");
    if (isHidden) this.#hidden.add(id);
    this.#switched.add(id);
    const box = element("input", { type: "checkbox", checked: !isHidden, "data-layer": id, onchange: () => {
      this.#hidden[box.checked ? "delete" : "add"](id);
      this.redraw();
    } });
    const row = element("div", { class: "switch" }, element("label", {}, box, name));
    this.#fieldset(title).append(row);
    byID("layer-box").hidden = false;
    return row;
  }

  #fieldset(title) {
    const known = [...byID("layers").children].find((one) => one.dataset.title === title);
    if (known) return known;
    const made = element("fieldset", { "data-title": title }, element("legend", {}, title));
    byID("layers").append(made);
    return made;
  }

  /** The zoom below which no layer draws anything. */
  get firstZoom() {
    return this.#archives.length === 0 ? 0 : Math.min(...this.#archives.map(({ layer }) => layer.firstZoom));
  }

  /** Whether the map can draw a product. */
  has(id) {
    return this.#archives.some(({ layer }) => layer.product.id === id);
  }

  /** Switches a product on that has a switch of its own. */
  switchOn(id) {
    const box = byID("layers").querySelector(`[data-layer="${CSS.escape(id)}"]`);
    if (box && !box.checked) box.click();
  }

  /** The shown charts at a place, the uppermost last. */
  chartsAt({ x, y }) {
    return this.#archives.map(({ layer }) => layer).filter(({ product, area }) => !isVector(product) && this.isShown(product.id)
      && area.left <= x && x <= area.right && area.top <= y && y <= area.bottom).map(({ product }) => product);
  }

  /** The largest zoom at which a shown chart has the pixels of a place; undefined where there is no chart. */
  sharpestZoom(place) {
    const charts = this.chartsAt(place);
    return charts.length === 0 ? undefined : Math.max(...charts.map(({ maxZoom }) => maxZoom));
  }

  /** The products that are drawn in a view. */
  productsInView(view, size) {
    const hasGroups = VECTOR_GROUPS.some(({ id }) => this.#switched.has(id) && this.isShown(id));
    return this.#inView(view, size).filter(({ layer }) => layer.firstZoom <= view.zoom && (hasGroups || !isVector(layer.product)))
      .map(({ layer }) => layer.product);
  }

  /** The archives in a view that a person has not hidden. */
  #inView(view, size) {
    const [{ y: top }, { y: bottom }] = [0, size.height].map((y) => pointUnder(view, size, { x: 0, y }));
    return this.#archives.filter(({ layer: { product, area } }) => (isVector(product) || this.isShown(product.id))
      && area.top < bottom && area.bottom > top && turnsInView(view, size, area).length > 0);
  }

  /** What the archives in a view say of their publishers. */
  async credits(view, size) {
    const shown = this.#inView(view, size);
    const texts = await Promise.all(shown.slice(0, CREDITS).map(({ archive }) => archive.attribution?.().catch(() => undefined)));
    return [...new Set(texts.filter(Boolean))];
  }
}

function legendEntry([name, layer, properties]) {
  const sample = element("canvas", { "aria-hidden": "true", "data-legend": JSON.stringify({ layer, properties }) });
  drawSample(sample);
  return element("span", {}, sample, name);
}

/** Draws a look of the legend in the colours of the present scheme. */
function drawSample(canvas) {
  const { layer, properties } = JSON.parse(canvas.dataset.legend);
  const scale = Math.max(2, window.devicePixelRatio || 1);
  [canvas.width, canvas.height] = [SAMPLE.width * scale, SAMPLE.height * scale];
  const context = canvas.getContext("2d");
  const look = VECTOR_STYLES.find((style) => style.layer === layer).look(properties, mapColors(darkScheme().matches));
  const [right, bottom] = [canvas.width - 2 * scale, canvas.height - 2 * scale];
  const area = [[2 * scale, 2 * scale], [right, 2 * scale], [right, bottom], [2 * scale, bottom], [2 * scale, 2 * scale]];
  const line = [[0, canvas.height / 2], [canvas.width, canvas.height / 2]];
  if (look.radius) drawPoint(context, look, [canvas.width / 2, canvas.height / 2], scale, 1.5 * scale);
  else drawPaths(context, { shape: "area", paths: [look.fill ? area : line] }, look, (point) => point, scale);
}
