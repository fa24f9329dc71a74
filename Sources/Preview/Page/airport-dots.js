// Draws all airports of the cycle as small dots, where there are too many for symbols of their own.

import { colorOf } from "./elements.js";
import { screenPoint, worldPoint, worldSide } from "./mercator.js";
import { getJSON, say } from "./words.js";

/** Beyond this zoom every airport of the view has a symbol. */
const lastZoom = 11;

export class AirportDots {
  constructor(map) {
    this.map = map;
    this.dots = [];
    this.canvas = new OffscreenCanvas(1, 1);
  }

  /** Loads the airports of a cycle, or removes all dots. */
  async show(cycle) {
    const address = cycle?.database && !cycle.database.problem ? cycle.id : null;
    if (address === this.shown) return;
    [this.shown, this.dots] = [address, []];
    if (!address) return;
    try {
      const { dots } = await getJSON("/dots.json", { cycle: address });
      if (this.shown !== address) return;
      this.dots = dots.map(([, lat, lon, rank]) => ({ ...worldPoint(lon, lat), rank }));
      this.map.redraw();
    } catch (error) {
      say(error.message);
    }
  }

  draw(context, view, size, scale) {
    if (this.dots.length === 0 || view.zoom >= lastZoom) return;
    const { width, height } = context.canvas;
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    const pen = this.canvas.getContext("2d", { willReadFrequently: true });
    this.paint(pen, screenPoint(view, size, { x: 0, y: 0 }), worldSide(view.zoom) * scale, view.zoom, scale);
    context.drawImage(this.canvas, 0, 0);
  }

  /** Sets pixels, which takes a tenth of the time of drawing thousands of circles. `corner` is the place of the world's corner. */
  paint(pen, corner, side, zoom, scale) {
    const { width, height } = this.canvas;
    const radius = Math.min(3, 0.2 + zoom * 0.27);
    const discs = ["--magenta-dot", "--magenta", "--blue"].map((name, rank) => (
      { color: bytesOf(pen, colorOf(name)), rows: disc((radius + rank * 0.5) * scale) }));
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    for (const { x, y, rank } of this.dots) {
      const top = corner.y * scale + y * side;
      if (top < 0 || top > height) continue;
      // The map may show the earth more than once.
      for (let left = ((corner.x * scale + x * side) % side + side) % side; left <= width; left += side) {
        stamp(pixels, width, height, Math.round(left), Math.round(top), discs[rank]);
      }
    }
    pen.putImageData(image, 0, 0);
  }
}

/** The rows of a circle around its middle, as the half of their widths. */
function disc(radius) {
  const reach = Math.floor(radius);
  return Array.from({ length: 2 * reach + 1 }, (_, index) => Math.floor(Math.sqrt(radius ** 2 - (index - reach) ** 2)));
}

function stamp(pixels, width, height, x, y, { color, rows }) {
  const first = y - (rows.length >> 1);
  for (let index = Math.max(0, -first); index < rows.length && first + index < height; index += 1) {
    const end = Math.min(width - 1, x + rows[index]);
    for (let column = Math.max(0, x - rows[index]); column <= end; column += 1) pixels[(first + index) * width + column] = color;
  }
}

/** The bytes of a CSS colour as the canvas stores them. */
function bytesOf(pen, color) {
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0];
}
