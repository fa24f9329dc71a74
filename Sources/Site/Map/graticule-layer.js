import { colorOf } from "./elements.js";
import { pointUnder, position, screenPoint, worldPoint } from "./mercator.js";

/** The degrees between two lines, by zoom. */
const GRATICULE_STEPS = [30, 30, 20, 10, 10, 5, 2, 2, 1, 0.5];

/** Draws meridians and parallels, for orientation where there is no chart. */
export class GraticuleLayer {
  draw(context, view, size, scale) {
    const step = GRATICULE_STEPS[Math.floor(view.zoom)] ?? 0.25;
    const [first, last] = [{ x: 0, y: 0 }, { x: size.width, y: size.height }].map((corner) => position(pointUnder(view, size, corner)));
    const line = Math.max(1, Math.round(scale));
    const pixels = (value) => Math.round(value * scale);
    context.fillStyle = colorOf("--graticule");
    for (let longitude = Math.ceil(first.longitude / step) * step; longitude <= last.longitude; longitude += step) {
      context.fillRect(pixels(screenPoint(view, size, worldPoint(longitude, 0)).x), 0, line, pixels(size.height));
    }
    for (let latitude = Math.ceil(Math.max(last.latitude, -85) / step) * step; latitude <= Math.min(first.latitude, 85); latitude += step) {
      context.fillRect(0, pixels(screenPoint(view, size, worldPoint(0, latitude)).y), pixels(size.width), line);
    }
  }
}
