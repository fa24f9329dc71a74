import { normalized, panned, pointUnder, position, viewOf, worldPoint, zoomed } from "./mercator.js";
import { Gestures } from "./gestures.js";

const GLIDE_MILLISECONDS = 200;

/** The map: a canvas, a view, and layers from the bottom to the top. */
export class ChartMap {
  #canvas;
  #frame = 0;
  #glide = 0;
  #home;
  #listeners;
  view;
  size = { width: 1, height: 1 };
  layers = [];

  /** `listeners` has moved(position, zoom) and clicked(point). */
  constructor(canvas, home, listeners) {
    this.#canvas = canvas;
    this.#home = home;
    this.#listeners = listeners;
    this.#measure();
    this.view = viewOf(home, this.size);
    new Gestures(canvas, this);
    new ResizeObserver(() => {
      this.#measure();
      this.redraw();
    }).observe(canvas);
  }

  #measure() {
    this.size = { width: this.#canvas.clientWidth || 1, height: this.#canvas.clientHeight || 1 };
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
    context.imageSmoothingQuality = "high";
    for (const layer of this.layers) layer.draw(context, this.view, this.size, scale);
  }

  setView(view) {
    this.view = normalized(view);
    this.redraw();
    this.#listeners.moved(position(this.view), this.view.zoom);
  }

  show(longitude, latitude, zoom) {
    this.setView({ ...worldPoint(longitude, latitude), zoom });
  }

  fit(box) {
    this.#stop();
    this.setView(viewOf(box, this.size));
  }

  home() {
    this.fit(this.#home);
  }

  pan(right, down) {
    this.#stop();
    this.setView(panned(this.view, right, down));
  }

  /** Zooms around a point on the screen, or around the middle. */
  zoomBy(steps, point, isSmooth) {
    this.#stop();
    const anchor = point ?? { x: this.size.width / 2, y: this.size.height / 2 };
    const to = isSmooth ? Math.round(this.view.zoom + steps) : this.view.zoom + steps;
    if (!isSmooth || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return this.setView(zoomed(this.view, this.size, anchor, to));
    }
    const [from, start] = [this.view.zoom, performance.now()];
    const step = (now) => {
      const done = Math.min(1, Math.max(0, (now - start) / GLIDE_MILLISECONDS));
      this.setView(zoomed(this.view, this.size, anchor, from + (to - from) * done));
      this.#glide = done < 1 ? requestAnimationFrame(step) : 0;
    };
    this.#glide = requestAnimationFrame(step);
  }

  #stop() {
    cancelAnimationFrame(this.#glide);
    this.#glide = 0;
  }

  click(point) {
    this.#listeners.clicked(point, position(pointUnder(this.view, this.size, point)));
  }
}
