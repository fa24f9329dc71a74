// Lines in degrees on the map: airspace and runways.

import { pointUnder, turnsInView, worldArea, worldPoint, worldSide } from "./mercator.js";
import { drawPaths, placer } from "./paths.js";

export class PathLayer {
  items = [];

  /** Replaces the items, from the bottom to the top: {paths, shape, looks, tip}. A path is a list of [longitude, latitude]. */
  show(items) {
    this.items = items.map((item) => {
      const paths = item.paths.map((path) => path.map(([longitude, latitude]) => worldPoint(longitude, latitude)));
      return { ...item, paths, area: worldArea(paths.flat()) };
    });
  }

  draw(context, view, size, scale) {
    for (const item of this.items) {
      for (const turn of turnsInView(view, size, item.area)) {
        for (const look of item.looks) drawPaths(context, item, look, placer(view, size, turn, scale), scale);
      }
    }
  }

  /** The topmost item with a line within some pixels of a point on the screen; undefined if there is none. */
  itemAt(point, { view, size }, pixels) {
    const { x, y } = pointUnder(view, size, point);
    const reach = pixels / worldSide(view.zoom);
    return this.items.findLast(({ paths, area }) => {
      if (y < area.top - reach || y > area.bottom + reach) return false;
      // The item may be drawn at another turn of the earth.
      const shifted = x - Math.round(x - (area.left + area.right) / 2);
      return paths.some((path) => isNear(path, { x: shifted, y }, reach));
    });
  }
}

function isNear(path, { x, y }, reach) {
  return path.some((to, index) => {
    const from = path[Math.max(0, index - 1)];
    const [right, down] = [to.x - from.x, to.y - from.y];
    const length = right ** 2 + down ** 2;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * right + (y - from.y) * down) / length));
    return Math.hypot(from.x + share * right - x, from.y + share * down - y) <= reach;
  });
}
