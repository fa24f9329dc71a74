// Web Mercator. The world is a square of side 1 with its origin in the north-west; a view is {x, y, zoom}: the world point in the
// middle of the screen, and the zoom at which a tile is 256 CSS pixels wide.

export const TILE_SIDE = 256;
export const LARGEST_ZOOM = 18;
const WHOLE_WORLD = { left: 0, top: 0, right: 1, bottom: 1 };
const LARGEST_LATITUDE = 85.051128779806604;

export function worldPoint(longitude, latitude) {
  const clamped = Math.max(-LARGEST_LATITUDE, Math.min(LARGEST_LATITUDE, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function position(point) {
  return {
    longitude: (point.x - 0.5) * 360,
    latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * point.y))) * 180) / Math.PI,
  };
}

/** The width of the world in CSS pixels. */
export function worldSide(zoom) {
  return TILE_SIDE * 2 ** zoom;
}

export function screenPoint(view, size, point) {
  const side = worldSide(view.zoom);
  return { x: (point.x - view.x) * side + size.width / 2, y: (point.y - view.y) * side + size.height / 2 };
}

export function pointUnder(view, size, screen) {
  const side = worldSide(view.zoom);
  return { x: (screen.x - size.width / 2) / side + view.x, y: (screen.y - size.height / 2) / side + view.y };
}

/** Keeps the view on the world: east and west continue, north and south end. */
export function normalized(view) {
  const x = view.x - Math.floor(view.x);
  const zoom = Math.max(1, Math.min(LARGEST_ZOOM, view.zoom));
  return { x, y: Math.max(0, Math.min(1, view.y)), zoom };
}

export function panned(view, right, down) {
  const side = worldSide(view.zoom);
  return normalized({ x: view.x + right / side, y: view.y + down / side, zoom: view.zoom });
}

/** Changes the zoom so that the world point under a screen point stays there. */
export function zoomed(view, size, screen, zoom) {
  const wanted = normalized({ ...view, zoom }).zoom;
  const held = pointUnder(view, size, screen);
  const side = worldSide(wanted);
  return normalized({
    x: held.x - (screen.x - size.width / 2) / side,
    y: held.y - (screen.y - size.height / 2) / side,
    zoom: wanted,
  });
}

/** The view on the way from one to another, as in a zoom around the point that has the same place on the screen in both. */
export function between(from, to, share) {
  const steps = to.zoom - from.zoom;
  const part = Math.abs(steps) < 1e-6 ? share : (1 - 2 ** (-steps * share)) / (1 - 2 ** -steps);
  return { x: from.x + turned(to.x - from.x) * part, y: from.y + (to.y - from.y) * part, zoom: from.zoom + steps * share };
}

/** A distance to the east as the shorter way around the earth. */
export function turned(right) {
  return right - Math.round(right);
}

/** The box {west, south, east, north} as world coordinates; east of 180 degrees if it crosses. */
export function worldBox(box) {
  const east = box.east < box.west ? box.east + 360 : box.east;
  const [first, last] = [worldPoint(box.west, box.north), worldPoint(east, box.south)];
  return { left: first.x, top: first.y, right: last.x, bottom: last.y };
}

/** The single box of a product; of one across 180 degrees, which has two, with an east beyond 180. */
export function wholeBox({ boundingBox, boundingBoxes }) {
  if (boundingBoxes?.length !== 2) return boundingBox;
  const [first, last] = [...boundingBoxes].sort((one, two) => two.west - one.west);
  return { ...union(boundingBoxes), west: first.west, east: last.east + 360 };
}

export function viewOf(box, size, margin = 24) {
  const area = worldBox(box);
  const room = [Math.max(64, size.width - 2 * margin), Math.max(64, size.height - 2 * margin)];
  const width = Math.max(area.right - area.left, 1e-7);
  const height = Math.max(area.bottom - area.top, 1e-7);
  const zoom = Math.log2(Math.min(room[0] / width, room[1] / height) / TILE_SIDE);
  return normalized({ x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2, zoom: Math.min(zoom, 14) });
}

/** The smallest box around boxes. */
export function union(boxes) {
  return boxes.reduce((all, box) => ({
    west: Math.min(all.west, box.west),
    south: Math.min(all.south, box.south),
    east: Math.max(all.east, box.east),
    north: Math.max(all.north, box.north),
  }));
}

/** The turns of the earth at which an area is on the screen: 0 for its own coordinates, 1 for one world farther east. */
export function turnsInView(view, size, { left, right }) {
  const half = size.width / 2 / worldSide(view.zoom);
  const first = Math.ceil(view.x - half - right);
  const last = Math.floor(view.x + half - left);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The tiles of a zoom that a view shows of an area, nearest to the middle first. `column` may lie outside the world, `x` does not. */
export function tilesInView(view, size, zoom, area = WHOLE_WORLD) {
  const count = 2 ** zoom;
  const side = worldSide(view.zoom) / count;
  const first = pointUnder(view, size, { x: 0, y: 0 });
  const last = pointUnder(view, size, { x: size.width, y: size.height });
  const cells = (from, to) =>
    Array.from({ length: Math.max(0, Math.ceil(to * count) - Math.floor(from * count)) }, (_, index) => Math.floor(from * count) + index);
  const columns = turnsInView(view, size, area).flatMap((turn) =>
    cells(Math.max(first.x, area.left + turn), Math.min(last.x, area.right + turn)));
  const tiles = [];
  for (const y of cells(Math.max(first.y, area.top), Math.min(last.y, area.bottom))) {
    for (const column of new Set(columns)) {
      const corner = screenPoint(view, size, { x: column / count, y: y / count });
      const distance = Math.hypot(corner.x + side / 2 - size.width / 2, corner.y + side / 2 - size.height / 2);
      tiles.push({ z: zoom, x: ((column % count) + count) % count, y, column, left: corner.x, top: corner.y, side, distance });
    }
  }
  return tiles.sort((one, two) => one.distance - two.distance);
}
