// Draws all airports of the cycle as small dots on a canvas, where there are too many for symbols of their own.

import { getJSON, say } from "./words.js";

/** Beyond this zoom every airport of the view has a symbol. */
const lastZoom = 11;

export class AirportDots {
  constructor(map) {
    this.map = map;
    this.dots = [];
    this.canvas = L.DomUtil.create("canvas", "dots leaflet-zoom-animated", map.getPane("runways"));
    this.canvas.setAttribute("aria-hidden", "true");
    map.on("moveend viewreset resize", () => this.draw());
    map.on("zoomanim", (event) => this.animate(event));
    map.on("zoom", () => this.animate({ center: map.getCenter(), zoom: map.getZoom() }));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Loads the airports of a cycle, or removes all dots. */
  async show(cycle) {
    const address = cycle?.database && !cycle.database.problem ? cycle.id : null;
    if (address === this.shown) return;
    [this.shown, this.dots] = [address, []];
    this.draw();
    if (!address) return;
    try {
      const { dots } = await getJSON("/dots.json", { cycle: address });
      if (this.shown !== address) return;
      this.dots = dots.map(([, lat, lon, rank]) => ({ ...world(lat, lon), rank }));
      this.draw();
    } catch (error) {
      say(error.message);
    }
  }

  /** Draws the dots of the view and of a margin around it, so that a short drag shows no empty border. */
  draw() {
    const { map, canvas } = this;
    const isShown = this.dots.length > 0 && map.getZoom() < lastZoom;
    canvas.hidden = !isShown;
    if (!isShown) return;
    const size = map.getSize();
    const margin = size.multiplyBy(0.2).round();
    const [width, height] = [size.x + 2 * margin.x, size.y + 2 * margin.y];
    const density = devicePixelRatio > 1 ? 2 : 1;
    [canvas.width, canvas.height] = [width * density, height * density];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    this.corner = map.containerPointToLayerPoint([0, 0]).subtract(margin);
    this.at = { place: map.layerPointToLatLng(this.corner), zoom: map.getZoom() };
    L.DomUtil.setPosition(canvas, this.corner);
    this.paint(canvas.getContext("2d", { willReadFrequently: true }), width, height, density);
  }

  /** Sets pixels, which takes a tenth of the time of drawing thousands of circles. */
  paint(pen, width, height, density) {
    const scale = 256 * 2 ** this.map.getZoom();
    const origin = this.map.getPixelOrigin().add(this.corner);
    const radius = Math.min(3, 0.2 + this.map.getZoom() * 0.27);
    const style = getComputedStyle(this.canvas);
    const image = pen.createImageData(width * density, height * density);
    const pixels = new Uint32Array(image.data.buffer);
    const discs = ["--magenta-dot", "--magenta", "--blue"].map((name, rank) => (
      { color: colorOf(pen, style.getPropertyValue(name)), offsets: disc((radius + rank * 0.5) * density) }));
    for (const { x, y, rank } of this.dots) {
      const top = y * scale - origin.y;
      if (top < 0 || top > height) continue;
      // The map may show the earth more than once.
      for (let left = ((x * scale - origin.x) % scale + scale) % scale; left <= width; left += scale) {
        stamp(pixels, image.width, image.height, Math.round(left * density), Math.round(top * density), discs[rank]);
      }
    }
    pen.putImageData(image, 0, 0);
  }

  /** Scales the drawing together with the tiles until the zoom ends. */
  animate({ center, zoom }) {
    if (this.canvas.hidden || !this.at) return;
    const scale = this.map.getZoomScale(zoom, this.at.zoom);
    const origin = this.map.project(center, zoom).subtract(this.map.getSize().divideBy(2));
    const target = this.map.project(this.at.place, zoom).subtract(origin)
      .add(this.map.containerPointToLayerPoint([0, 0]));
    L.DomUtil.setTransform(this.canvas, target, scale);
  }
}

/** A place in Web Mercator, from 0 to 1. */
function world(lat, lon) {
  const sine = Math.sin(Math.max(-85, Math.min(85, lat)) * Math.PI / 180);
  return { x: lon / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** The pixels of a circle around its middle. */
function disc(radius) {
  const reach = Math.ceil(radius);
  const offsets = [];
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) if (x * x + y * y <= radius * radius) offsets.push([x, y]);
  }
  return offsets;
}

function stamp(pixels, width, height, x, y, { color, offsets }) {
  for (const [dx, dy] of offsets) {
    const [column, row] = [x + dx, y + dy];
    if (column >= 0 && column < width && row >= 0 && row < height) pixels[row * width + column] = color;
  }
}

/** The bytes of a CSS colour as the canvas stores them. */
function colorOf(pen, text) {
  pen.fillStyle = text;
  pen.fillRect(0, 0, 1, 1);
  const { data } = pen.getImageData(0, 0, 1, 1);
  pen.clearRect(0, 0, 1, 1);
  return new Uint32Array(data.buffer)[0];
}
