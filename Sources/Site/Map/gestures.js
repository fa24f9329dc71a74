// Turns the events of mouse, fingers, wheel and keyboard into movements of a map.

const CLICK_PIXELS = 6;
const KEY_PIXELS = 100;
const WHEEL_STEP = 240;
const TAP_MILLISECONDS = 300;
const FLING_MILLISECONDS = 40;

/** `map` has pan(right, down), fling(right, down) in pixels per millisecond, zoomBy(steps, point, isSmooth), home() and click(point). */
export class Gestures {
  #element;
  #map;
  #pointers = new Map();
  #travel = 0;
  #lastMove = { time: 0, right: 0, down: 0 };
  #lastTap = { time: 0, x: 0, y: 0 };

  constructor(element, map) {
    this.#element = element;
    this.#map = map;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.#up(event));
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  #point(event) {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#element.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 0) this.#travel = 0;
    this.#pointers.set(event.pointerId, this.#point(event));
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const point = this.#point(event);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    this.#pointers.set(event.pointerId, point);
    this.#travel += Math.hypot(point.x - before.x, point.y - before.y);
    if (others.length === 0) return this.#drag(before.x - point.x, before.y - point.y, event.timeStamp);
    const [other] = others;
    const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
    this.#map.pan((before.x - point.x) / 2, (before.y - point.y) / 2);
    const [wide, narrow] = [distance(point, other), distance(before, other)];
    if (wide > 1 && narrow > 1) this.#map.zoomBy(Math.log2(wide / narrow), middle, false);
  }

  #drag(right, down, time) {
    const elapsed = Math.max(1, time - this.#lastMove.time);
    this.#lastMove = { time, right: right / elapsed, down: down / elapsed };
    this.#map.pan(right, down);
  }

  #up(event) {
    const point = this.#pointers.get(event.pointerId);
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size > 0) return;
    if (event.type === "pointercancel") return;
    const { time, right, down } = this.#lastMove;
    if (this.#travel > CLICK_PIXELS) return event.timeStamp - time < FLING_MILLISECONDS ? this.#map.fling(right, down) : undefined;
    const isSecond =
      event.timeStamp - this.#lastTap.time < TAP_MILLISECONDS && distance(point, this.#lastTap) < 4 * CLICK_PIXELS;
    this.#lastTap = isSecond ? { time: 0, x: 0, y: 0 } : { time: event.timeStamp, ...point };
    if (isSecond) this.#map.zoomBy(event.shiftKey ? -1 : 1, point, true);
    else this.#map.click(point);
  }

  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1);
    // Browsers report a pinch on a touchpad as a wheel with the control key, in small steps.
    const steps = -pixels / (event.ctrlKey ? WHEEL_STEP / 4 : WHEEL_STEP);
    this.#map.zoomBy(Math.max(-1, Math.min(1, steps)), this.#point(event), false);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const moves = {
      ArrowLeft: [-KEY_PIXELS, 0], ArrowRight: [KEY_PIXELS, 0], ArrowUp: [0, -KEY_PIXELS], ArrowDown: [0, KEY_PIXELS],
    };
    const zooms = { "+": 1, "=": 1, "-": -1, _: -1 };
    if (moves[event.key]) this.#map.pan(...moves[event.key]);
    else if (zooms[event.key]) this.#map.zoomBy(zooms[event.key], null, true);
    else if (event.key === "Home") this.#map.home();
    else return;
    event.preventDefault();
  }
}

function distance(one, two) {
  return Math.hypot(one.x - two.x, one.y - two.y);
}
