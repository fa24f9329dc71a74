import { byID, element } from "./elements.js";

/** Draws charts, and with a divider on the map those of the cycle before on its left. */
export class Swipe {
  #now;
  #before = null;
  #share = 0.5;
  #knob = byID("swipe-knob");
  #redraw;
  #copy = element("canvas");

  constructor(now, redraw) {
    [this.#now, this.#redraw] = [now, redraw];
    this.#knob.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#knob.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Shows the divider between layers of the cycle before and the present ones, or hides it. */
  show(before) {
    for (const layer of this.#before ?? []) layer.cache.want([]);
    this.#before = before;
    byID("swipe").hidden = !before;
    this.#move(this.#share);
  }

  draw(context, view, size, scale) {
    if (!this.#before) return this.#drawPart(this.#now, 0, 1, context, view, size, scale);
    this.#drawPart(this.#before, 0, this.#share, context, view, size, scale);
    this.#drawPart(this.#now, this.#share, 1, context, view, size, scale);
  }

  /** A function from pixels of the canvas to whether a chart is there, by a small copy of the charts. */
  coverage(view, size, scale) {
    const step = 4 * scale;
    [this.#copy.width, this.#copy.height] = [Math.ceil(size.width / 4), Math.ceil(size.height / 4)];
    const context = this.#copy.getContext("2d", { willReadFrequently: true });
    context.scale(1 / step, 1 / step);
    this.draw(context, view, size, scale);
    const { data, width } = context.getImageData(0, 0, this.#copy.width, this.#copy.height);
    return (x, y) => data[4 * (Math.floor(y / step) * width + Math.floor(x / step)) + 3] > 0;
  }

  /** Draws the part of the map between two shares of its width. */
  #drawPart(layers, from, to, context, view, size, scale) {
    context.save();
    context.beginPath();
    context.rect(from * size.width * scale, 0, (to - from) * size.width * scale, size.height * scale);
    context.clip();
    for (const layer of layers) layer.draw(context, view, size, scale);
    context.restore();
  }

  #grab(event) {
    event.preventDefault();
    this.#knob.focus();
    this.#knob.setPointerCapture(event.pointerId);
    const frame = byID("map").getBoundingClientRect();
    const follow = (moved) => this.#move((moved.clientX - frame.left) / frame.width);
    this.#knob.addEventListener("pointermove", follow);
    this.#knob.addEventListener("lostpointercapture", () => this.#knob.removeEventListener("pointermove", follow), { once: true });
  }

  #press(event) {
    const steps = { ArrowLeft: -0.02, ArrowDown: -0.02, ArrowRight: 0.02, ArrowUp: 0.02, PageDown: -0.2, PageUp: 0.2 };
    const ends = { Home: 0, End: 1 };
    if (event.key in steps) this.#move(this.#share + steps[event.key]);
    else if (event.key in ends) this.#move(ends[event.key]);
    else return;
    event.preventDefault();
  }

  #move(share) {
    this.#share = Math.min(1, Math.max(0, share));
    byID("swipe").style.setProperty("--share", `${this.#share * 100}%`);
    this.#knob.setAttribute("aria-valuenow", Math.round(this.#share * 100));
    this.#redraw();
  }
}
