import { element } from "./elements.js";
import { pointUnder, turnsInView, worldPoint, worldSide } from "./mercator.js";
import { drawPaths, placer } from "./paths.js";

const FINGER = 12;

/** The features of a GeoJSON document on the map: {shape, paths, properties} and the edges of each, or only {properties} without a place. */
export function mapFeatures({ features }) {
  return features.map(({ geometry, properties }) => {
    if (!geometry) return { properties };
    const { type, coordinates } = geometry;
    const rings = { Point: () => [[coordinates]], Polygon: () => coordinates, MultiPolygon: () => coordinates.flat() }[type]();
    const paths = rings.map((ring) => ring.map(([longitude, latitude]) => worldPoint(longitude, latitude)));
    const [xs, ys] = ["x", "y"].map((axis) => paths.flat().map((point) => point[axis]));
    const edges = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    if (!Object.values(edges).every(Number.isFinite)) throw new Error("a place is not on the earth");
    return { shape: type === "Point" ? "point" : "area", paths, properties, ...edges };
  });
}

/** Draws areas and points, and finds those under a point of the screen. */
export class FeatureLayer {
  #features;
  #looks;
  /** Pictures by colour and radius: thousands of them are drawn much faster than circles. */
  #dots = new Map();

  /** `features` returns what is shown at present; `looks` returns a function from properties to a look. */
  constructor(features, looks) {
    [this.#features, this.#looks] = [features, looks];
  }

  draw(context, view, size, scale) {
    const look = this.#looks();
    for (const feature of this.#placed()) {
      for (const turn of turnsInView(view, size, feature)) {
        this.#drawFeature(context, feature, look(feature.properties), placer(view, size, turn, scale), view.zoom, scale);
      }
    }
  }

  /** The features under a point: all areas, and the nearest point within a finger's reach. */
  at(screen, view, size) {
    const under = pointUnder(view, size, screen);
    const hits = this.#placed().flatMap((feature) => turnsInView(view, size, feature).map((turn) => {
      const point = { x: under.x - turn, y: under.y };
      if (feature.shape === "area") return { feature, distance: isInside(feature.paths, point) ? 0 : Infinity };
      return { feature, distance: Math.hypot(point.x - feature.left, point.y - feature.top) * worldSide(view.zoom) };
    })).filter(({ distance }) => distance <= FINGER).sort((one, two) => one.distance - two.distance);
    const nearest = hits.find(({ feature }) => feature.shape === "point");
    return hits.filter((hit) => hit.feature.shape === "area" || hit === nearest).map(({ feature }) => feature);
  }

  #placed() {
    return this.#features().filter(({ paths }) => paths);
  }

  #drawFeature(context, feature, look, place, zoom, scale) {
    const [x, y] = place({ x: (feature.left + feature.right) / 2, y: (feature.top + feature.bottom) / 2 });
    if (feature.shape === "area") drawPaths(context, feature, look, place, scale);
    else {
      const dot = this.#dot(look.fill, Math.round(look.radius * scale * Math.min(1, Math.max(0.5, zoom / 9))), scale);
      context.drawImage(dot, Math.round(x - dot.width / 2), Math.round(y - dot.height / 2));
    }
    if (!look.mark) return;
    context.font = `700 ${16 * scale}px system-ui, sans-serif`;
    [context.textAlign, context.textBaseline, context.fillStyle] = ["center", "middle", look.stroke];
    context.fillText(look.mark, x, y);
  }

  #dot(color, radius, scale) {
    const key = `${color} ${radius}`;
    if (!this.#dots.has(key)) this.#dots.set(key, dotPicture(color, radius, 1.5 * scale));
    return this.#dots.get(key);
  }
}

/** A dot with a white edge. */
function dotPicture(color, radius, edge) {
  const middle = Math.ceil(radius + edge);
  const picture = element("canvas", { width: 2 * middle, height: 2 * middle });
  const context = picture.getContext("2d");
  [context.fillStyle, context.strokeStyle, context.lineWidth] = [color, "#ffffff", edge];
  context.arc(middle, middle, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  return picture;
}

/** Whether a point is inside of rings, of which the inner ones are holes. */
function isInside(rings, { x, y }) {
  return rings.flatMap((ring) => ring.map((to, index) => [ring.at(index - 1), to])).filter(([from, to]) =>
    from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)).length % 2 === 1;
}
