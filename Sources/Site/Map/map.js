import { byID } from "./elements.js";
import { between, normalized, panned, position, turned, viewOf, worldPoint, worldSide, zoomed } from "./mercator.js";
import { Gestures } from "./gestures.js";

const GLIDE_MILLISECONDS = 250;
const GLIDE_SCREENS = 4;
const REST_MILLISECONDS = 150;

/** The map: a canvas, a view, and layers from the bottom to the top. */
export class ChartMap {
  #canvas;
  #frame = 0;
  #glide = 0;
  #home;
  #rest = 0;
  view;
  size = { width: 1, height: 1 };
  layers = [];
  /** May have rested() when the view has been still for a moment, and clicked(point). */
  listeners = {};

  constructor(canvas, home) {
    this.#canvas = canvas;
    this.#home = home;
    this.#measure();
    this.view = viewOf(home, this.size);
    new Gestures(canvas, this);
    new ResizeObserver(() => {
      if (this.#measure()) this.#changed();
      else this.redraw();
    }).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  /** Returns whether the size is another one than before. */
  #measure() {
    const { width, height } = this.size;
    this.size = { width: this.#canvas.clientWidth || 1, height: this.#canvas.clientHeight || 1 };
    return width !== this.size.width || height !== this.size.height;
  }

  get scale() {
    return window.devicePixelRatio || 1;
  }

  redraw() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const scale = this.scale;
    const [width, height] = [Math.round(this.size.width * scale), Math.round(this.size.height * scale)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, width, height);
    // The high quality takes several times as long.
    context.imageSmoothingQuality = this.#rest === 0 ? "high" : "low";
    for (const layer of this.layers) layer.draw(context, this.view, this.size, scale);
  }

  #changed() {
    this.redraw();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#rest = 0;
      this.redraw();
      this.listeners.rested?.();
    }, REST_MILLISECONDS);
  }

  setView(view) {
    this.view = normalized(view);
    this.#changed();
  }

  /** The position in the middle. */
  get center() {
    return position(this.view);
  }

  show(longitude, latitude, zoom) {
    this.setView({ ...worldPoint(longitude, latitude), zoom });
  }

  fit(box) {
    this.glide(viewOf(box, this.size));
  }

  home() {
    this.fit(this.#home);
  }

  pan(right, down) {
    this.#stop();
    this.setView(panned(this.view, right, down));
  }

  /** Goes on with a drag for a moment, from a speed in pixels per millisecond. */
  fling(right, down) {
    if (!isCalm()) this.glide(panned(this.view, (right * GLIDE_MILLISECONDS) / 2, (down * GLIDE_MILLISECONDS) / 2));
  }

  /** Zooms around a point on the screen, or around the middle. */
  zoomBy(steps, point, isSmooth) {
    this.#stop();
    const anchor = point ?? { x: this.size.width / 2, y: this.size.height / 2 };
    if (!isSmooth) return this.setView(zoomed(this.view, this.size, anchor, this.view.zoom + steps));
    this.glide(zoomed(this.view, this.size, anchor, Math.round(this.view.zoom + steps)));
  }

  /** Moves to a view in a short time. A view that is far away appears at once. */
  glide(view) {
    this.#stop();
    const [from, to, start] = [this.view, normalized(view), performance.now()];
    const pixels = Math.hypot(turned(to.x - from.x), to.y - from.y) * worldSide(Math.min(from.zoom, to.zoom));
    const isFar = pixels > GLIDE_SCREENS * this.size.width;
    if (isFar || isCalm()) return this.setView(to);
    const step = (now) => {
      const done = Math.min(1, Math.max(0, (now - start) / GLIDE_MILLISECONDS));
      this.setView(done < 1 ? between(from, to, 1 - (1 - done) ** 2) : to);
      this.#glide = done < 1 ? requestAnimationFrame(step) : 0;
    };
    this.#glide = requestAnimationFrame(step);
  }

  #stop() {
    cancelAnimationFrame(this.#glide);
    this.#glide = 0;
  }

  click(point) {
    this.listeners.clicked?.(point);
  }
}

/** Whether the person wants no motion. */
function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Connects a map with the buttons of its page. */
export function connectButtons(map) {
  const actions = { "zoom-in": () => map.zoomBy(1, null, true), "zoom-out": () => map.zoomBy(-1, null, true), "zoom-all": () => map.home() };
  for (const [id, action] of Object.entries(actions)) byID(id).addEventListener("click", action);
}
